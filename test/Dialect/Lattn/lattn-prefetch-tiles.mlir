// RUN: lattn-opt %s --lattn-prefetch-tiles | FileCheck %s

// The first four steps over keys ask for a quarter each of this tile's output
// rows and the next tile's queries: 64 floats are four cache lines. The view of
// the output moves before the steps.
// CHECK-LABEL: func.func @full(
// CHECK:       %[[QUERIES:.*]] = memref.subview %arg0
// CHECK:       lattn.pack_query
// CHECK:       %[[OUTPUT:.*]] = memref.subview %arg2
// CHECK:       lattn.sweep_keys (%[[KEY:.*]], %{{.*}}, %{{.*}}) in (%[[BEGIN:.*]] interior %{{.*}}) by 48 {
// CHECK-DAG:     %[[DONE:.*]] = arith.subi %[[KEY]], %[[BEGIN]]
// CHECK-DAG:     %[[TILE:.*]] = arith.constant 48 : index
// CHECK-DAG:     %[[STEP:.*]] = arith.divui %[[DONE]], %[[TILE]]
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[FIRST:.*]] = arith.muli %[[STEP]], %[[C4]]
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK:         %[[WANTED:.*]] = arith.cmpi ult, %[[FIRST]], %[[C16]]
// CHECK:         scf.if %[[WANTED]] {
// CHECK:           scf.for %[[I:.*]] = %[[FIRST]] to
// CHECK:             %[[NEXT:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK-COUNT-4:     memref.prefetch %[[QUERIES]][%[[NEXT]], %{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch %[[QUERIES]]
// CHECK-COUNT-4:     memref.prefetch %[[OUTPUT]][%{{.*}}, %{{.*}}], write, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:         lattn.online_attention
!rows = memref<?x64xf32, strided<[64, 1], offset: ?>>
func.func @full(%q: memref<?x64xf32>, %k: memref<?x64xf32>, %o: memref<?x64xf32>, %at: index, %n: index, %begin: index, %end: index,
                %packed: memref<64x16xf32>, %acc: memref<64x16xf32>, %max: memref<16xf32>, %sum: memref<16xf32>) {
  %queries = memref.subview %q[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.pack_query ins(%queries : !rows) outs(%packed : memref<64x16xf32>) {scale = 1.0 : f64}
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 48 {
    %keys = memref.subview %k[%key, 0] [48, 64] [1, 1] : memref<?x64xf32> to memref<48x64xf32, strided<[64, 1], offset: ?>>
    lattn.online_attention query(%packed : memref<64x16xf32>) key(%keys : memref<48x64xf32, strided<[64, 1], offset: ?>>) value(%keys : memref<48x64xf32, strided<[64, 1], offset: ?>>) outs(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) {indexing_maps = [affine_map<(b, h, i, j, d, v) -> (d, i)>, affine_map<(b, h, i, j, d, v) -> (j, d)>, affine_map<(b, h, i, j, d, v) -> (j, v)>, affine_map<(b, h, i, j, d, v) -> (v, i)>, affine_map<(b, h, i, j, d, v) -> (i)>, affine_map<(b, h, i, j, d, v) -> (i)>], scale = 1.0 : f64}
    lattn.yield
  }
  %rows = memref.subview %o[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.finalize ins(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) outs(%rows : !rows) {value_axis = 0 : i64}
  return
}

// Where a window moves on with the queries, also for the keys and values after the
// last: the next tile is the first to see them.
// CHECK-LABEL: func.func @window(
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK-COUNT-4:     memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}], read
// CHECK-COUNT-4:     memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}], write
// CHECK:             %[[NEXT:.*]] = arith.addi %[[I]], %arg6
// CHECK-COUNT-4:     memref.prefetch %arg1[%[[NEXT]], %{{.*}}], read, locality<2>, data
// CHECK:             %[[NEXT_VALUE:.*]] = arith.addi %[[I]], %arg6
// CHECK-COUNT-4:     memref.prefetch %arg1[%[[NEXT_VALUE]], %{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
func.func @window(%q: memref<?x64xf32>, %k: memref<?x64xf32>, %o: memref<?x64xf32>, %at: index, %n: index, %begin: index, %end: index, %p: i64,
                %packed: memref<64x16xf32>, %acc: memref<64x16xf32>, %max: memref<16xf32>, %sum: memref<16xf32>) {
  %queries = memref.subview %q[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.pack_query ins(%queries : !rows) outs(%packed : memref<64x16xf32>) {scale = 1.0 : f64}
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 48 {
    %keys = memref.subview %k[%key, 0] [48, 64] [1, 1] : memref<?x64xf32> to memref<48x64xf32, strided<[64, 1], offset: ?>>
    lattn.online_attention query(%packed : memref<64x16xf32>) key(%keys : memref<48x64xf32, strided<[64, 1], offset: ?>>) value(%keys : memref<48x64xf32, strided<[64, 1], offset: ?>>) offset(%p : i64) outs(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) {indexing_maps = [affine_map<(b, h, i, j, d, v) -> (d, i)>, affine_map<(b, h, i, j, d, v) -> (j, d)>, affine_map<(b, h, i, j, d, v) -> (j, v)>, affine_map<(b, h, i, j, d, v) -> (v, i)>, affine_map<(b, h, i, j, d, v) -> (i)>, affine_map<(b, h, i, j, d, v) -> (i)>], scale = 1.0 : f64, window = #lattn.window<left = 256, right = 0>}
    lattn.yield
  }
  %rows = memref.subview %o[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.finalize ins(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) outs(%rows : !rows) {value_axis = 0 : i64}
  return
}

// Not of few keys. 80 are two steps of 48, with eight rows each.
// CHECK-LABEL: func.func @short_window(
// CHECK:         arith.divui
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:    arith.muli %{{.*}}, %[[C8]]
// CHECK-NOT:     memref.prefetch %arg1
func.func @short_window(%q: memref<?x64xf32>, %k: memref<?x64xf32>, %o: memref<?x64xf32>, %at: index, %n: index, %begin: index, %end: index, %p: i64,
                %packed: memref<64x16xf32>, %acc: memref<64x16xf32>, %max: memref<16xf32>, %sum: memref<16xf32>) {
  %queries = memref.subview %q[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.pack_query ins(%queries : !rows) outs(%packed : memref<64x16xf32>) {scale = 1.0 : f64}
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 48 {
    %keys = memref.subview %k[%key, 0] [48, 64] [1, 1] : memref<?x64xf32> to memref<48x64xf32, strided<[64, 1], offset: ?>>
    lattn.online_attention query(%packed : memref<64x16xf32>) key(%keys : memref<48x64xf32, strided<[64, 1], offset: ?>>) value(%keys : memref<48x64xf32, strided<[64, 1], offset: ?>>) offset(%p : i64) outs(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) {indexing_maps = [affine_map<(b, h, i, j, d, v) -> (d, i)>, affine_map<(b, h, i, j, d, v) -> (j, d)>, affine_map<(b, h, i, j, d, v) -> (j, v)>, affine_map<(b, h, i, j, d, v) -> (v, i)>, affine_map<(b, h, i, j, d, v) -> (i)>, affine_map<(b, h, i, j, d, v) -> (i)>], scale = 1.0 : f64, window = #lattn.window<left = 64, right = 0>}
    lattn.yield
  }
  %rows = memref.subview %o[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.finalize ins(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) outs(%rows : !rows) {value_axis = 0 : i64}
  return
}

// One step takes all keys: its kernel spreads what is asked for.
// CHECK-LABEL: func.func @one_step(
// CHECK:       %[[QUERIES:.*]] = memref.subview %arg0
// CHECK:       %[[OUTPUT:.*]] = memref.subview %arg2
// CHECK-NOT:   memref.prefetch
// CHECK:       lattn.online_attention {{.*}} ahead(%[[QUERIES]], %[[OUTPUT]] :
// CHECK-NOT:   memref.prefetch
func.func @one_step(%q: memref<?x64xf32>, %k: memref<?x64xf32>, %o: memref<?x64xf32>, %at: index, %n: index, %begin: index, %end: index, %p: i64,
                %packed: memref<64x16xf32>, %acc: memref<16x64xf32>, %max: memref<16xf32>, %sum: memref<16xf32>) {
  %queries = memref.subview %q[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.pack_query ins(%queries : !rows) outs(%packed : memref<64x16xf32>) {scale = 1.0 : f64}
  lattn.sweep_keys (%key, %size, %edge) in (%begin edge %end) by 80 {
    %keys = memref.subview %k[%key, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !rows
    lattn.online_attention query(%packed : memref<64x16xf32>) key(%keys : !rows) value(%keys : !rows) offset(%p : i64) outs(%acc, %max, %sum : memref<16x64xf32>, memref<16xf32>, memref<16xf32>) {indexing_maps = [affine_map<(b, h, i, j, d, v) -> (d, i)>, affine_map<(b, h, i, j, d, v) -> (j, d)>, affine_map<(b, h, i, j, d, v) -> (j, v)>, affine_map<(b, h, i, j, d, v) -> (i, v)>, affine_map<(b, h, i, j, d, v) -> (i)>, affine_map<(b, h, i, j, d, v) -> (i)>], scale = 1.0 : f64, schedule = #lattn.schedule<query_tile = 16, key_tile = 80, lanes = mixed>, window = #lattn.window<left = 64, right = 0>}
    lattn.yield
  }
  %rows = memref.subview %o[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.finalize ins(%acc, %max, %sum : memref<16x64xf32>, memref<16xf32>, memref<16xf32>) outs(%rows : !rows) {value_axis = 1 : i64}
  return
}

// Without steps over keys there is no time to ask in.
// CHECK-LABEL: func.func @no_loop(
// CHECK-NOT:   memref.prefetch
func.func @no_loop(%q: memref<?x64xf32>, %o: memref<?x64xf32>, %packed: memref<64x16xf32>, %acc: memref<64x16xf32>, %max: memref<16xf32>, %sum: memref<16xf32>) {
  lattn.pack_query ins(%q : memref<?x64xf32>) outs(%packed : memref<64x16xf32>) {scale = 1.0 : f64}
  lattn.finalize ins(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) outs(%o : memref<?x64xf32>) {value_axis = 0 : i64}
  return
}
