// RUN: lattn-opt %s --lattn-fuse-rows -canonicalize -cse -verify-diagnostics | FileCheck %s
// RUN: lattn-opt %s --lattn-fuse-rows="l2-bytes=65536" -canonicalize -cse | FileCheck %s --check-prefix=SMALL
// RUN: lattn-opt %s --lattn-fuse-rows="shares=8" -canonicalize -cse | FileCheck %s --check-prefix=SHARES

!x = tensor<?x512xf32>
!h = tensor<?x1024xf32>
!s = tensor<?xf32>
!up = tensor<512x1024xf32>
!down = tensor<1024x512xf32>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A norm, two products and a residual: each op of a block once, what only the
// block reads in buffers of known size. Few rows are not cut.
// CHECK-LABEL: func.func @feed_forward(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x512xf32>, %[[UP:[^:]+]]: {{.*}}, %[[DOWN:[^:]+]]: {{.*}}, %[[Y:[^:]+]]: tensor<?x512xf32>)
// CHECK:       %[[MANY:.*]] = arith.cmpi uge, %{{.*}}, %c97
// SMALL:       arith.cmpi uge, %{{.*}}, %c49
// CHECK:       scf.if %[[MANY]]
// CHECK:       scf.forall (%{{.*}}) in (%{{.*}}) shared_outs(%[[OUT:.*]] = %[[Y]])
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[X]][%{{.*}}, 0] [%[[SIZE:.*]], 512]
// CHECK:         tensor.empty() : tensor<96xf32>
// CHECK:         linalg.fill
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] :
// CHECK:         %[[NORM:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[SUM]] :
// CHECK:         %[[SCRATCH:.*]] = tensor.empty() : tensor<96x1024xf32>
// CHECK:         tensor.extract_slice %[[SCRATCH]][0, 0] [%[[SIZE]], 1024]
// CHECK:         %[[HIDDEN:.*]] = linalg.matmul ins(%[[NORM]], %[[UP]] :
// CHECK:         %[[EXP:.*]] = linalg.exp ins(%[[HIDDEN]] :
// CHECK:         %[[PRODUCT:.*]] = linalg.matmul ins(%[[EXP]], %[[DOWN]] :
// CHECK:         %[[LAST:.*]] = linalg.add ins(%[[PRODUCT]], %[[ROWS]] :
// CHECK:         tensor.parallel_insert_slice %[[LAST]] into %[[OUT]]
// CHECK:       } else {
// CHECK-NOT:     scf.forall
// CHECK:         linalg.matmul ins(
func.func @feed_forward(%x: !x, %up: !up, %down: !down, %y: !x) -> !x {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : !x
  %s = tensor.empty(%n) : !s
  %h = tensor.empty(%n) : !h
  %e = tensor.empty(%n) : !x
  %start = linalg.fill ins(%zero : f32) outs(%s : !s) -> !s
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : !x) outs(%start : !s) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.addf %v, %o : f32
    linalg.yield %0 : f32
  } -> !s
  %norm = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : !x, !s) outs(%e : !x) {
  ^bb0(%v: f32, %t: f32, %o: f32):
    %0 = arith.divf %v, %t : f32
    linalg.yield %0 : f32
  } -> !x
  %zeros = linalg.fill ins(%zero : f32) outs(%h : !h) -> !h
  %hidden = linalg.matmul ins(%norm, %up : !x, !up) outs(%zeros : !h) -> !h
  %exp = linalg.exp ins(%hidden : !h) outs(%h : !h) -> !h
  %zeros_x = linalg.fill ins(%zero : f32) outs(%e : !x) -> !x
  %product = linalg.matmul ins(%exp, %down : !h, !down) outs(%zeros_x : !x) -> !x
  %last = linalg.add ins(%product, %x : !x, !x) outs(%y : !x) -> !x
  return %last : !x
}

// Blocks of about the same size, for shares of two or eight. None is small.
// CHECK-LABEL: func.func @equal(
// CHECK:       scf.forall (%{{.*}}) in (12)
// CHECK:         tensor.empty() : tensor<96x64xf32>
// SHARES-LABEL: func.func @equal(
// SHARES:      scf.forall (%{{.*}}) in (16)
// SHARES-LABEL: func.func @equal_but_not_small(
// SHARES:      scf.forall (%{{.*}}) in (3)
func.func @equal(%x: tensor<1000x64xf32>, %w: tensor<64x64xf32>, %y: tensor<1000x64xf32>) -> tensor<1000x64xf32> {
  %e = tensor.empty() : tensor<1000x64xf32>
  %0 = linalg.exp ins(%x : tensor<1000x64xf32>) outs(%e : tensor<1000x64xf32>) -> tensor<1000x64xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<1000x64xf32>, tensor<64x64xf32>)
      outs(%y : tensor<1000x64xf32>) -> tensor<1000x64xf32>
  return %1 : tensor<1000x64xf32>
}
func.func @equal_but_not_small(%x: tensor<140x64xf32>, %w: tensor<64x64xf32>, %y: tensor<140x64xf32>) -> tensor<140x64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<140x64xf32>, tensor<64x64xf32>)
      outs(%y : tensor<140x64xf32>) -> tensor<140x64xf32>
  %1 = linalg.exp ins(%0 : tensor<140x64xf32>) outs(%y : tensor<140x64xf32>) -> tensor<140x64xf32>
  return %1 : tensor<140x64xf32>
}

// What others read later, the loop returns too.
// CHECK-LABEL: func.func @read_later(
// CHECK:       %[[R:.*]]:2 = scf.forall
// CHECK:         %[[P:.*]] = linalg.matmul
// CHECK:         %[[E:.*]] = linalg.exp ins(%[[P]] :
// CHECK-DAG:     tensor.parallel_insert_slice %[[E]]
// CHECK-DAG:     tensor.parallel_insert_slice %[[P]]
// CHECK:       return %[[R]]#0, %[[R]]#1
func.func @read_later(%x: tensor<500x512xf32>, %w: !up, %y: tensor<500x1024xf32>, %z: tensor<500x1024xf32>)
    -> (tensor<500x1024xf32>, tensor<500x1024xf32>) {
  %0 = linalg.matmul ins(%x, %w : tensor<500x512xf32>, !up) outs(%y : tensor<500x1024xf32>) -> tensor<500x1024xf32>
  %1 = linalg.exp ins(%0 : tensor<500x1024xf32>) outs(%z : tensor<500x1024xf32>) -> tensor<500x1024xf32>
  return %1, %0 : tensor<500x1024xf32>, tensor<500x1024xf32>
}

// Their number of rows comes from what the chain computes and others read.
// CHECK-LABEL: func.func @lengths(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x512xf32>
// CHECK:       %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-NOT:   linalg
// CHECK:       %[[R:.*]]:2 = scf.if
// CHECK:         scf.forall
// CHECK:       return %[[R]]#0, %[[R]]#1
func.func @lengths(%x: !x, %w: !up, %y: !h, %z: !x) -> (!h, !x) {
  %0 = linalg.exp ins(%x : !x) outs(%x : !x) -> !x
  %1 = linalg.matmul ins(%0, %w : !x, !up) outs(%y : !h) -> !h
  return %1, %0 : !h, !x
}

// Blocks of each batch.
// CHECK-LABEL: func.func @batches(
// CHECK:       scf.forall (%{{.*}}, %{{.*}}) in (4, 2)
// CHECK:         linalg.batch_matmul
// CHECK:         linalg.exp
func.func @batches(%x: tensor<4x100x8xf32>, %w: tensor<4x8x64xf32>, %y: tensor<4x100x64xf32>) -> tensor<4x100x64xf32> {
  %0 = linalg.batch_matmul ins(%x, %w : tensor<4x100x8xf32>, tensor<4x8x64xf32>)
      outs(%y : tensor<4x100x64xf32>) -> tensor<4x100x64xf32>
  %1 = linalg.exp ins(%0 : tensor<4x100x64xf32>) outs(%y : tensor<4x100x64xf32>) -> tensor<4x100x64xf32>
  return %1 : tensor<4x100x64xf32>
}

// A block has them all: lattn-tile-matmul cuts columns, too.
// CHECK-LABEL: func.func @few(
// CHECK-NOT:   scf.
// CHECK:       linalg.exp
func.func @few(%x: tensor<96x512xf32>, %w: !up, %y: tensor<96x1024xf32>) -> tensor<96x1024xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<96x512xf32>, !up) outs(%y : tensor<96x1024xf32>) -> tensor<96x1024xf32>
  %1 = linalg.exp ins(%0 : tensor<96x1024xf32>) outs(%y : tensor<96x1024xf32>) -> tensor<96x1024xf32>
  return %1 : tensor<96x1024xf32>
}

// A product alone is for lattn-tile-matmul.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:   scf.forall
func.func @alone(%x: !x, %w: !up, %y: !h) -> !h {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : !h) -> !h
  %0 = linalg.matmul ins(%x, %w : !x, !up) outs(%start : !h) -> !h
  return %0 : !h
}
