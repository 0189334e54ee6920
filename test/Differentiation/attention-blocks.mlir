// RUN: lattn-opt %s --lattn-differentiate="functions=grad,captures" | FileCheck %s
// RUN: lattn-opt %s --lattn-differentiate="functions=attend mode=forward" --lattn-tile-grad=whole-keys --canonicalize | FileCheck %s --check-prefix=WHOLE

// Cotangents of gradients are loops over blocks of 64 queries, which never hold all
// pairs, and so are tangents with a sink that no kernel makes.

!q = tensor<1x4x4096x8xf32>
!r = tensor<1x4x4096xf32>

// CHECK-NOT: 4096x4096
// WHOLE-NOT: 4096x4096

// WHOLE-LABEL: func.func @attend_jvp(
// WHOLE: %[[O:.*]]:2 = lattn.attention
// WHOLE-NOT: lattn.attention
// WHOLE: scf.for {{.*}} = %c0 to %c4
// WHOLE: scf.for {{.*}} = %c0 to %c64
// WHOLE: tensor.extract_slice %[[O]]#1[0, {{.*}}] [1, 1, 64] [1, 1, 1] : tensor<1x4x4096xf32> to tensor<64xf32>
// WHOLE: math.exp
// WHOLE: linalg.add ins({{.*}} : tensor<64x8xf32>, tensor<64x8xf32>)
// WHOLE: tensor.insert_slice
func.func @attend(%q: !q, %k: !q, %v: !q, %s: tensor<4xf32>, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q) sink(%s : tensor<4xf32>) outs(%e : !q)
      {window = #lattn.window<left = 16, right = 0>}
  return %0 : !q
}

// The cotangents of query and key are sums over the blocks.

// CHECK-LABEL: func.func @grad_grad(
// CHECK-NOT: lattn.attention_grad
// CHECK: %[[LOOPS:.*]]:6 = scf.for {{.*}} = %c0 to %c4
// CHECK: scf.for {{.*}} = %c0 to %c64
// CHECK: math.exp
// CHECK-COUNT-6: tensor.insert_slice
// CHECK: return
func.func @grad(%q: !q, %k: !q, %v: !q, %o: !q, %l: !r, %do: !q, %e: !q) -> (!q, !q, !q) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !q) value(%v : !q)
      output(%o : !q) lse(%l : !r) d_output(%do : !q) outs(%e, %e, %e : !q, !q, !q)
      {window = #lattn.window<left = 16, right = 0>}
  return %0#0, %0#1, %0#2 : !q, !q, !q
}

// Cotangents of the gradients of captured arrays: of any size, and of a number. Blocks
// add to elements of one array, and never add whole arrays.

// CHECK-LABEL: func.func @captures_grad(
// CHECK-NOT: lattn.attention_grad
// CHECK-NOT: linalg.add {{.*}} tensor<?xf32>
// CHECK: tensor.insert {{.*}} : tensor<?xf32>
// CHECK-NOT: linalg.add {{.*}} tensor<?xf32>
// CHECK: return
func.func @captures(%q: !q, %t: tensor<?xf32>, %x: tensor<f32>, %o: !q, %l: !r, %do: !q, %e: !q)
    -> (tensor<?xf32>, tensor<f32>) {
  %0:5 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q)
      captures(%t, %x : tensor<?xf32>, tensor<f32>)
      output(%o : !q) lse(%l : !r) d_output(%do : !q) outs(%e, %e, %e : !q, !q, !q)
      d_captures(%t, %x : tensor<?xf32>, tensor<f32>) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %c: tensor<?xf32>, %y: tensor<f32>):
    %at = arith.index_cast %h : i32 to index
    %1 = tensor.extract %c[%at] : tensor<?xf32>
    %2 = tensor.extract %y[] : tensor<f32>
    %3 = arith.mulf %s, %1 : f32
    %4 = arith.mulf %3, %2 : f32
    lattn.yield %4 : f32
  }
  return %0#3, %0#4 : tensor<?xf32>, tensor<f32>
}
