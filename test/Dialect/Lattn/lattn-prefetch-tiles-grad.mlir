// RUN: lattn-opt %s --lattn-prefetch-tiles | FileCheck %s

// Gradients ask for the next tile's queries, outputs and gradients of outputs, for the
// rows that they write, and for the keys and values that the next tile is the first to
// see.
// CHECK-LABEL: func.func @gradients(
// CHECK:       %[[QUERIES:.*]] = memref.subview %arg0
// CHECK:       %[[OUTPUTS:.*]] = memref.subview %arg3
// CHECK:       %[[GIVEN:.*]] = memref.subview %arg4
// CHECK:       %[[WRITTEN:.*]] = memref.subview %arg5
// CHECK:       lattn.sweep_keys
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK-COUNT-4:     memref.prefetch %[[QUERIES]][%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %[[GIVEN]][%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %[[OUTPUTS]][%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %[[WRITTEN]][%{{.*}}, %{{.*}}], write, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %arg1[%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-COUNT-4:     memref.prefetch %arg2[%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT:         memref.prefetch
// CHECK:         lattn.attention_grad_step
!all = memref<?x64xf32>
!rows = memref<?x64xf32, strided<[64, 1], offset: ?>>
!packed = memref<64x16xf32>
!row = memref<16xf32>
#matrix = affine_map<(i, j) -> (i, j)>
#sums = affine_map<(i, j) -> (i)>
func.func @gradients(%q: !all, %k: !all, %v: !all, %o: !all, %do: !all, %dq: !all, %dk: !all, %dv: !all,
                     %at: index, %n: index, %begin: index, %end: index, %p: i64,
                     %packed: !packed, %dpacked: !packed, %lse: !row, %r: !row, %acc: memref<16x64xf32>) {
  %queries = memref.subview %q[%at, 0] [%n, 64] [1, 1] : !all to !rows
  %outputs = memref.subview %o[%at, 0] [%n, 64] [1, 1] : !all to !rows
  %given = memref.subview %do[%at, 0] [%n, 64] [1, 1] : !all to !rows
  %front = memref.subview %r[0] [%n] [1] : !row to memref<?xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#matrix, #matrix, #sums], iterator_types = ["parallel", "reduction"]}
      ins(%outputs, %given : !rows, !rows) outs(%front : memref<?xf32, strided<[1]>>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  lattn.pack_query ins(%queries : !rows) outs(%packed : !packed) {scale = 1.0 : f64}
  lattn.pack_query ins(%given : !rows) outs(%dpacked : !packed) {scale = 1.0 : f64}
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 64 {
    %keys = memref.subview %k[%key, 0] [%size, 64] [1, 1] : !all to !rows
    %values = memref.subview %v[%key, 0] [%size, 64] [1, 1] : !all to !rows
    %dkeys = memref.subview %dk[%key, 0] [%size, 64] [1, 1] : !all to !rows
    %dvalues = memref.subview %dv[%key, 0] [%size, 64] [1, 1] : !all to !rows
    lattn.attention_grad_step query(%queries : !rows) key(%keys : !rows) value(%values : !rows) offset(%p : i64)
        lse(%lse : !row) row_sums(%r : !row) d_output(%given : !rows) packed(%packed, %dpacked : !packed, !packed)
        outs(%acc, %dkeys, %dvalues : memref<16x64xf32>, !rows, !rows) {scale = 1.0 : f64, window = #lattn.window<left = 256, right = 0>}
    lattn.yield
  }
  %sum = memref.subview %acc[0, 0] [%n, 64] [1, 1] : memref<16x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  %written = memref.subview %dq[%at, 0] [%n, 64] [1, 1] : !all to !rows
  linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<?x64xf32, strided<[64, 1]>>) outs(%written : !rows) {
  ^bb0(%x: f32, %unused: f32):
    linalg.yield %x : f32
  }
  return
}
