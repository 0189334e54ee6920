// RUN: lattn-opt %s --lattn-decompose=ops=sweep_keys | FileCheck %s
// RUN: lattn-opt %s --lattn-decompose=ops=sweep_keys --canonicalize | FileCheck %s --check-prefix=STATIC
// RUN: lattn-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

!keys = memref<?x64xf32, strided<[64, 1], offset: ?>>
#maps = [affine_map<(b, h, i, j, d, v) -> (d, i)>, affine_map<(b, h, i, j, d, v) -> (j, d)>, affine_map<(b, h, i, j, d, v) -> (j, v)>, affine_map<(b, h, i, j, d, v) -> (v, i)>, affine_map<(b, h, i, j, d, v) -> (i)>, affine_map<(b, h, i, j, d, v) -> (i)>]

// Each run becomes a loop. Only steps at edges have the window and the mask, and
// tiles that may be smaller.
// CHECK-DAG: #[[PART:.*]] = affine_map<()[s0, s1] -> (48, s0 - s1)>
// CHECK-LABEL: func.func @runs(
// CHECK-SAME:    %[[B0:[a-z0-9]*]]: index, %[[B1:[a-z0-9]*]]: index, %[[B2:[a-z0-9]*]]: index, %[[B3:[a-z0-9]*]]: index
// CHECK:       %[[TILE:.*]] = arith.constant 48 : index
// CHECK:       scf.for %[[J:.*]] = %[[B0]] to %[[B1]] step %[[TILE]] {
// CHECK:         %[[SIZE:.*]] = affine.min #[[PART]]()[%[[B1]], %[[J]]]
// CHECK:         memref.subview %{{.*}}[%[[J]], 0] [%[[SIZE]], 64]
// CHECK:         lattn.online_attention {{.*}} key_mask({{.*}} offset({{.*}} window = #lattn.window<left = 256, right = 0>
// CHECK:       scf.for %[[J:.*]] = %[[B1]] to %[[B2]] step %[[TILE]] {
// CHECK:         lattn.online_attention
// CHECK-NOT:     key_mask
// CHECK-NOT:     offset(
// CHECK-NOT:     window
// CHECK:       scf.for %[[J:.*]] = %[[B2]] to %[[B3]] step %[[TILE]] {
// CHECK:         affine.min #[[PART]]()[%[[B3]], %[[J]]]
// CHECK:         lattn.online_attention {{.*}} window = #lattn.window<left = 256, right = 0>

// The kernel of the interior knows how many keys it has.
// STATIC-LABEL: func.func @runs(
// STATIC:       lattn.online_attention {{.*}} key(%{{.*}} : memref<?x64xf32,
// STATIC:       lattn.online_attention {{.*}} key(%{{.*}} : memref<48x64xf32,
// STATIC:       lattn.online_attention {{.*}} key(%{{.*}} : memref<?x64xf32,
func.func @runs(%b0: index, %b1: index, %b2: index, %b3: index, %k: memref<?x64xf32>, %p: i64, %mask: memref<1x?xi1>, %c: index,
                %packed: memref<64x16xf32>, %acc: memref<64x16xf32>, %max: memref<16xf32>, %sum: memref<16xf32>) {
  lattn.sweep_keys (%key, %size, %edge) in (%b0 edge %b1 interior %b2 edge %b3) by 48 {
    %keys = memref.subview %k[%key, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !keys
    lattn.online_attention query(%packed : memref<64x16xf32>) key(%keys : !keys) value(%keys : !keys) key_mask(%mask : memref<1x?xi1>) offset(%p : i64) origin(%c, %c, %c, %key) outs(%acc, %max, %sum : memref<64x16xf32>, memref<16xf32>, memref<16xf32>) {indexing_maps = #maps, scale = 1.0 : f64, window = #lattn.window<left = 256, right = 0>}
    lattn.yield
  }
  return
}

// The state goes from loop to loop; what stands under %edge is done at edges.
// CHECK-LABEL: func.func @state(
// CHECK-SAME:    %[[B0:.*]]: index, %[[B1:.*]]: index, %[[B2:.*]]: index, %[[INIT:.*]]: f32,
// CHECK:       %[[S1:.*]] = scf.for {{.*}} = %[[B0]] to %[[B1]] step %{{.*}} iter_args(%[[X:.*]] = %[[INIT]]) -> (f32) {
// CHECK-NOT:     scf.if
// CHECK:         %[[Y:.*]] = arith.addf %[[X]], %{{.*}}
// CHECK:         scf.yield %[[Y]]
// CHECK:       %[[S2:.*]] = scf.for {{.*}} = %[[B1]] to %[[B2]] step %{{.*}} iter_args(%[[X:.*]] = %[[S1]]) -> (f32) {
// CHECK-NOT:     scf.if
// CHECK:         %[[Y:.*]] = arith.mulf %[[X]], %{{.*}}
// CHECK:         scf.yield %[[Y]]
// CHECK:       return %[[S2]]
func.func @state(%b0: index, %b1: index, %b2: index, %init: f32, %y: f32) -> f32 {
  %0 = lattn.sweep_keys (%key, %size, %edge) in (%b0 interior %b1 edge %b2) by 8
      iter_args(%x = %init) -> (f32) {
    %1 = scf.if %edge -> f32 {
      %2 = arith.mulf %x, %y : f32
      scf.yield %2 : f32
    } else {
      %2 = arith.addf %x, %y : f32
      scf.yield %2 : f32
    }
    lattn.yield %1 : f32
  }
  return %0 : f32
}

// A run that ends where it begins goes; one that may have steps stays.
// CANON-LABEL: func.func @empty(
// CANON-SAME:    %[[N:.*]]: index, %[[INIT:.*]]: f32)
// CANON:       %[[C0:.*]] = arith.constant 0 : index
// CANON:       %[[R:.*]] = lattn.sweep_keys (%{{.*}}, %{{.*}}, %{{.*}}) in (%[[C0]] edge %[[N]]) by 8
// CANON:       return %[[R]], %[[INIT]]
func.func @empty(%n: index, %init: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %0 = lattn.sweep_keys (%key, %size, %edge) in (%c0 interior %c0 edge %n interior %n) by 8
      iter_args(%x = %init) -> (f32) {
    %1 = arith.mulf %x, %x : f32
    lattn.yield %1 : f32
  }
  %2 = lattn.sweep_keys (%key, %size, %edge) in (%c0 interior %c0) by 8
      iter_args(%x = %init) -> (f32) {
    %3 = arith.mulf %x, %x : f32
    lattn.yield %3 : f32
  }
  return %0, %2 : f32, f32
}

// A step of gradients in the interior has neither window nor mask, too.
// CHECK-LABEL: func.func @grad(
// CHECK:       scf.for
// CHECK:         lattn.attention_grad_step {{.*}} key_mask({{.*}} offset({{.*}} {window = #lattn.window<left = 9
// CHECK:       scf.for
// CHECK:         lattn.attention_grad_step
// CHECK-NOT:     key_mask
// CHECK-NOT:     offset(
// CHECK-NOT:     window
// CHECK:       scf.for
// CHECK:         lattn.attention_grad_step {{.*}} key_mask({{.*}} offset({{.*}} {window = #lattn.window<left = 9
!rows = memref<?x8xf32, strided<[8, 1], offset: ?>>
func.func @grad(%b0: index, %b1: index, %b2: index, %b3: index, %k: memref<?x8xf32>, %p: i64, %mask: memref<1x?xi1>, %c: index,
                %r: memref<16xf32>, %dq: memref<16x8xf32>) {
  lattn.sweep_keys (%key, %size, %edge) in (%b0 edge %b1 interior %b2 edge %b3) by 48 {
    %s = memref.subview %k[%key, 0] [%size, 8] [1, 1] : memref<?x8xf32> to !rows
    lattn.attention_grad_step query(%dq : memref<16x8xf32>) key(%s : !rows) value(%s : !rows) key_mask(%mask : memref<1x?xi1>)
        offset(%p : i64) origin(%c, %c, %c, %key) lse(%r : memref<16xf32>) row_sums(%r : memref<16xf32>)
        d_output(%dq : memref<16x8xf32>) outs(%dq, %s, %s : memref<16x8xf32>, !rows, !rows) {window = #lattn.window<left = 9>}
    lattn.yield
  }
  return
}
