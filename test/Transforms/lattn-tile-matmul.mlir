// RUN: lattn-opt %s --lattn-tile-matmul -canonicalize -cse | FileCheck %s
// RUN: lattn-opt %s --lattn-tile-matmul="row-tile=32 column-tile=512 row-unit=6" -canonicalize -cse | FileCheck %s --check-prefix=SIZED
// RUN: lattn-opt %s --lattn-tile-matmul="shares=2" -canonicalize -cse | FileCheck %s --check-prefix=SHARES

// Rows and columns are cut, products are not, and a fill goes with its tile.
// Tiles of rows are about equal, the fewest that give 16 threads as many each.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0)[s0] -> (d0 * s0)>
// SIZED-DAG: #[[THIRTY:.*]] = affine_map<(d0) -> (d0 * 30)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0) -> (d0 * 256)>
!x = tensor<?x512xf32>
!w = tensor<512x1536xf32>
!y = tensor<?x1536xf32>
// CHECK-LABEL: func.func @project(
// CHECK-SAME:    %[[X:[^:]+]]: {{.*}}, %[[W:[^:]+]]: tensor<512x1536xf32>
// SIZED-LABEL: func.func @project(
func.func @project(%x: !x, %w: !w) -> !y {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : !x
  %e = tensor.empty(%m) : !y
  %f = linalg.fill ins(%zero : f32) outs(%e : !y) -> !y
  // CHECK-NOT:  linalg.fill
  // CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
  // CHECK-DAG:  %[[C96:.*]] = arith.constant 96 : index
  // CHECK-DAG:  %[[C4096:.*]] = arith.constant 4096 : index
  // CHECK:      %[[M:.*]] = tensor.dim %[[X]]
  // CHECK:      %[[MOST:.*]] = arith.ceildivui %[[M]], %[[C96]]
  // CHECK:      %[[LEAST:.*]] = arith.ceildivui %[[M]], %[[C4096]]
  // CHECK:      %[[WANTED:.*]] = arith.minui %[[MOST]], %[[C8]]
  // CHECK:      arith.maxui %[[LEAST]], %[[WANTED]]
  // CHECK:      arith.ceildivui %[[M]]
  // CHECK:      %[[SIZE:.*]] = arith.maxui
  // CHECK:      %[[N:.*]] = arith.ceildivui %[[M]], %[[SIZE]]
  // CHECK:      scf.forall (%[[I:.*]], %[[J:.*]]) in (%[[N]], 6) shared_outs(%[[OUT:.*]] = %{{.*}})
  // CHECK-DAG:    %[[R:.*]] = affine.apply #[[ROW]](%[[I]])[%[[SIZE]]]
  // CHECK-DAG:    %[[C:.*]] = affine.apply #[[COLUMN]](%[[J]])
  // CHECK-DAG:    %[[A:.*]] = tensor.extract_slice %[[X]][%[[R]], 0] [%[[ROWS:.*]], 512]
  // CHECK-DAG:    %[[B:.*]] = tensor.extract_slice %[[W]][0, %[[C]]] [512, 256]
  // CHECK-DAG:    %[[T:.*]] = tensor.extract_slice %[[OUT]][%[[R]], %[[C]]] [%[[ROWS]], 256]
  // CHECK:        %[[F:.*]] = linalg.fill {{.*}} outs(%[[T]]
  // CHECK:        %[[P:.*]] = linalg.matmul ins(%[[A]], %[[B]] : {{.*}} outs(%[[F]]
  // CHECK:        tensor.parallel_insert_slice %[[P]] into %[[OUT]][%[[R]], %[[C]]]
  // SIZED:      scf.forall {{.*}} in (%{{.*}}, %{{.*}})
  %0 = linalg.matmul ins(%x, %w : !x, !w) outs(%f : !y) -> !y
  return %0 : !y
}

// So does a bias.
// CHECK-LABEL: func.func @biased(
// CHECK-SAME:    %[[BIAS:[^:]+]]: tensor<1536xf32>
// CHECK-NOT:   linalg.broadcast
// CHECK:       scf.forall
// CHECK:         %[[PART:.*]] = tensor.extract_slice %[[BIAS]][%{{.*}}] [256]
// CHECK:         %[[F:.*]] = linalg.broadcast ins(%[[PART]] : tensor<256xf32>)
// CHECK:         linalg.matmul {{.*}} outs(%[[F]]
func.func @biased(%x: !x, %w: !w, %bias: tensor<1536xf32>, %y: !y) -> !y {
  %f = linalg.broadcast ins(%bias : tensor<1536xf32>) outs(%y : !y) dimensions = [0]
  %0 = linalg.matmul ins(%x, %w : !x, !w) outs(%f : !y) -> !y
  return %0 : !y
}

// A destination's own value is kept; a weight may lie transposed.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT:   linalg.fill
// CHECK:       linalg.matmul indexing_maps = {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x512xf32>, tensor<?x512xf32>)
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @transposed(%x: !x, %w: tensor<1536x512xf32>, %y: !y) -> !y {
  %0 = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%x, %w : !x, tensor<1536x512xf32>) outs(%y : !y) -> !y
  return %0 : !y
}

// Up to 8 rows: columns in more tiles; where the weight's rows lie along the
// columns, wider ones, as long as each thread gets one.
// SHARES-LABEL: func.func @few(
// SHARES:      scf.forall (%{{.*}}) in (24)
// SHARES:      scf.forall (%{{.*}}) in (2)
// SHARES:        linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x512xf32>, tensor<512x768xf32>)
// CHECK-LABEL: func.func @few(
// CHECK:       scf.forall (%{{.*}}) in (24)
// CHECK:         linalg.matmul {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x512xf32>, tensor<64x512xf32>)
// CHECK:       scf.forall (%{{.*}}) in (6)
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<8x512xf32>, tensor<512x256xf32>)
// CHECK:       scf.forall (%{{.*}}) in (6)
// CHECK:         linalg.matmul {{.*}} ins(%{{.*}}, %{{.*}} : tensor<9x512xf32>, tensor<256x512xf32>)
func.func @few(%x: tensor<8x512xf32>, %v: tensor<9x512xf32>, %t: tensor<1536x512xf32>, %w: !w, %y: tensor<8x1536xf32>, %z: tensor<9x1536xf32>) -> (tensor<8x1536xf32>, tensor<9x1536xf32>) {
  %0 = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%x, %t : tensor<8x512xf32>, tensor<1536x512xf32>) outs(%y : tensor<8x1536xf32>) -> tensor<8x1536xf32>
  %1 = linalg.matmul ins(%x, %w : tensor<8x512xf32>, !w) outs(%0 : tensor<8x1536xf32>) -> tensor<8x1536xf32>
  %2 = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%v, %t : tensor<9x512xf32>, tensor<1536x512xf32>) outs(%z : tensor<9x1536xf32>) -> tensor<9x1536xf32>
  return %1, %2 : tensor<8x1536xf32>, tensor<9x1536xf32>
}

// CHECK-LABEL: func.func @batches(
// CHECK:       scf.forall {{.*}} in (4, 2)
// SIZED-LABEL: func.func @batches(
// SIZED:       scf.forall {{.*}} in (4, 4)
// SIZED:         affine.apply #[[THIRTY]]
// CHECK:         linalg.batch_matmul
func.func @batches(%x: tensor<4x100x8xbf16>, %w: tensor<4x8x64xbf16>, %y: tensor<4x100x64xf32>) -> tensor<4x100x64xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<4x100x8xbf16>, tensor<4x8x64xbf16>)
      outs(%y : tensor<4x100x64xf32>) -> tensor<4x100x64xf32>
  return %0 : tensor<4x100x64xf32>
}

// Two threads get as many tiles each: of 4 tiles of columns, of 5, of 2 that are
// not equal.
// SHARES-LABEL: func.func @shares(
// SHARES:       scf.forall (%{{.*}}) in (4)
// SHARES:       scf.forall (%{{.*}}, %{{.*}}) in (2, 5)
// SHARES:       scf.forall (%{{.*}}, %{{.*}}) in (2, 2)
func.func @shares(%x: tensor<960x8xf32>, %w4: tensor<8x1024xf32>, %y4: tensor<960x1024xf32>,
    %w5: tensor<8x1280xf32>, %y5: tensor<960x1280xf32>, %w: tensor<8x511xf32>, %y: tensor<960x511xf32>)
    -> (tensor<960x1024xf32>, tensor<960x1280xf32>, tensor<960x511xf32>) {
  %0 = linalg.matmul ins(%x, %w4 : tensor<960x8xf32>, tensor<8x1024xf32>) outs(%y4 : tensor<960x1024xf32>) -> tensor<960x1024xf32>
  %1 = linalg.matmul ins(%x, %w5 : tensor<960x8xf32>, tensor<8x1280xf32>) outs(%y5 : tensor<960x1280xf32>) -> tensor<960x1280xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<960x8xf32>, tensor<8x511xf32>) outs(%y : tensor<960x511xf32>) -> tensor<960x511xf32>
  return %0, %1, %2 : tensor<960x1024xf32>, tensor<960x1280xf32>, tensor<960x511xf32>
}

// On buffers too.
// CHECK-LABEL: func.func @buffers(
// CHECK:       scf.forall
// CHECK:         linalg.matmul ins(%{{.*}} : memref<
func.func @buffers(%x: memref<200x8xf32>, %w: memref<8x64xf32>, %y: memref<200x64xf32>) {
  linalg.matmul ins(%x, %w : memref<200x8xf32>, memref<8x64xf32>) outs(%y : memref<200x64xf32>)
  return
}

// In a parallel loop it is a tile already.
// CHECK-LABEL: func.func @tile(
// CHECK-COUNT-1: scf.forall
// CHECK-NOT:   scf.forall
// CHECK:       linalg.matmul
func.func @tile(%x: memref<2x200x8xf32>, %w: memref<8x64xf32>, %y: memref<2x200x64xf32>) {
  scf.forall (%i) in (2) {
    %a = memref.subview %x[%i, 0, 0] [1, 200, 8] [1, 1, 1] : memref<2x200x8xf32> to memref<200x8xf32, strided<[8, 1], offset: ?>>
    %c = memref.subview %y[%i, 0, 0] [1, 200, 64] [1, 1, 1] : memref<2x200x64xf32> to memref<200x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul ins(%a, %w : memref<200x8xf32, strided<[8, 1], offset: ?>>, memref<8x64xf32>)
        outs(%c : memref<200x64xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

// No matrix products: several dimensions of products, or none of columns.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:   scf.forall
func.func @others(%x: tensor<2x8x8xf32>, %m: tensor<8x8xf32>, %v: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %0 = linalg.batch_reduce_matmul ins(%x, %x : tensor<2x8x8xf32>, tensor<2x8x8xf32>)
      outs(%m : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matvec ins(%m, %v : tensor<8x8xf32>, tensor<8xf32>)
      outs(%v : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8xf32>
}
