// RUN: lattn-opt %s --lattn-prefetch-tiles | FileCheck %s

// Of tangents both packed queries and both outputs are asked for, and the keys and
// values that the next tile is the first to see with their tangents.
// CHECK-LABEL: func.func @tangents(
// CHECK:       %[[QUERIES:.*]] = memref.subview %arg0
// CHECK:       %[[TANGENTS:.*]] = memref.subview %arg1
// CHECK:       %[[OUTPUT:.*]] = memref.subview %arg4
// CHECK:       %[[OF_OUTPUT:.*]] = memref.subview %arg5
// CHECK:       lattn.sweep_keys
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK-COUNT-4:     memref.prefetch %[[QUERIES]][%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %[[TANGENTS]][%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %[[OUTPUT]][%{{.*}}, %{{.*}}], write, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %[[OF_OUTPUT]][%{{.*}}, %{{.*}}], write, locality<2>, data
// CHECK-COUNT-8:     memref.prefetch %arg2[%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-8:     memref.prefetch %arg3[%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:         lattn.attention_jvp_step
!rows = memref<?x64xf32, strided<[64, 1], offset: ?>>
!state = memref<16x64xf32>
!row = memref<16xf32>
func.func @tangents(%q: memref<?x64xf32>, %dq: memref<?x64xf32>, %k: memref<?x64xf32>, %dk: memref<?x64xf32>,
                    %o: memref<?x64xf32>, %do: memref<?x64xf32>, %at: index, %n: index, %begin: index, %end: index, %p: i64,
                    %packed: memref<64x16xf32>, %dpacked: memref<64x16xf32>, %acc: !state, %max: !row, %sum: !row, %dacc: !state, %dsum: !row) {
  %queries = memref.subview %q[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.pack_query ins(%queries : !rows) outs(%packed : memref<64x16xf32>) {scale = 1.0 : f64}
  %tangents = memref.subview %dq[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.pack_query ins(%tangents : !rows) outs(%dpacked : memref<64x16xf32>) {scale = 1.0 : f64}
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 64 {
    %keys = memref.subview %k[%key, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !rows
    %dkeys = memref.subview %dk[%key, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !rows
    lattn.attention_jvp_step query(%packed : memref<64x16xf32>) key(%keys : !rows) value(%keys : !rows) offset(%p : i64) query_rows(%n)
        d_query(%dpacked : memref<64x16xf32>) d_key(%dkeys : !rows) d_value(%dkeys : !rows)
        outs(%acc, %max, %sum, %dacc, %dsum : !state, !row, !row, !state, !row) {scale = 1.0 : f64, window = #lattn.window<left = 256, right = 0>}
    lattn.yield
  }
  %all = memref.subview %dacc[0, 0] [%n, 64] [1, 1] : !state to memref<?x64xf32, strided<[64, 1]>>
  %of_rows = memref.subview %do[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%all : memref<?x64xf32, strided<[64, 1]>>) outs(%of_rows : !rows) {
  ^bb0(%x: f32, %unused: f32):
    linalg.yield %x : f32
  }
  %rows = memref.subview %o[%at, 0] [%n, 64] [1, 1] : memref<?x64xf32> to !rows
  lattn.finalize ins(%acc, %max, %sum : !state, !row, !row) outs(%rows : !rows) {value_axis = 1 : i64}
  return
}
