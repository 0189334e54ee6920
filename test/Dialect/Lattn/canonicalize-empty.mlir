// RUN: lattn-opt %s --canonicalize -split-input-file | FileCheck %s
// RUN: lattn-opt %s --lattn-to-llvm -split-input-file -o %t
// RUN: lattn-opt %s --lattn-to-loops -split-input-file -o %t

// Static extents of 0. Results without elements are the destinations.

!q = tensor<1x2x5x8xf32>
!r = tensor<1x2x5xf32>
!none = tensor<1x2x0x8xf32>

// CHECK-LABEL: @no_queries
// CHECK-SAME:  %[[O:[^:]+]]: tensor<1x2x0x8xf32>)
// CHECK-NEXT:  return %[[O]]
func.func @no_queries(%q: !none, %k: !q, %o: !none) -> !none {
  %0 = lattn.attention query(%q : !none) key(%k : !q) value(%k : !q) outs(%o : !none)
  return %0 : !none
}

// -----

// CHECK-LABEL: @no_heads
// CHECK-NEXT:  return
func.func @no_heads(%q: memref<1x0x5x8xf32>, %k: memref<1x2x7x8xf32>, %o: memref<1x0x5x8xf32>) {
  lattn.attention query(%q : memref<1x0x5x8xf32>) key(%k : memref<1x2x7x8xf32>) value(%k : memref<1x2x7x8xf32>) outs(%o : memref<1x0x5x8xf32>)
  return
}

// -----

// No keys: one that is hidden.
!q = tensor<1x2x5x8xf32>
!r = tensor<1x2x5xf32>
!none = tensor<1x2x0x8xf32>
// CHECK-LABEL: @no_keys
// CHECK:       %[[LENGTHS:.*]] = linalg.fill ins(%c0_i64 : i64) outs(%{{.*}} : tensor<1xi64>)
// CHECK:       lattn.attention query(%{{.*}} : tensor<1x2x5x8xf32>) key(%{{.*}} : tensor<1x2x1x8xf32>) value(%{{.*}} : tensor<1x2x1x8xf32>) kv_lens(%[[LENGTHS]] : tensor<1xi64>) sink(%{{[^)]*}}) outs(
// CHECK-NOT:   score
func.func @no_keys(%q: !q, %k: !none, %m: tensor<1x0xi1>, %b: tensor<0xf32>, %c: tensor<0xf32>, %s: tensor<2xf32>, %l: !r) -> (!q, !r) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !none) value(%k : !none) bias(%b : tensor<0xf32>)
      key_mask(%m : tensor<1x0xi1>) sink(%s : tensor<2xf32>) captures(%c : tensor<0xf32>) outs(%q : !q, %l : !r) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32, %t: tensor<0xf32>):
      %at = arith.index_cast %key : i32 to index
      %y = tensor.extract %t[%at] : tensor<0xf32>
      %z = arith.addf %x, %y : f32
      lattn.yield %z : f32
    }
  return %0#0, %0#1 : !q, !r
}

// -----

// No features of values: the log-sum-exp needs none.
!q = tensor<1x2x5x8xf32>
!k = tensor<1x2x7x8xf32>
!v = tensor<1x2x7x0xf32>
!o = tensor<1x2x5x0xf32>
!r = tensor<1x2x5xf32>
// CHECK-LABEL: @no_values
// CHECK-SAME:  (%{{[^:]+}}: {{[^%]+}}, %[[K:[^:]+]]: {{[^%]+}}, %{{[^:]+}}: {{[^%]+}}, %[[O:[^:]+]]: tensor<1x2x5x0xf32>
// CHECK:       %[[R:.*]]:2 = lattn.attention query({{.*}}) key(%[[K]] : tensor<1x2x7x8xf32>) value(%[[K]] : tensor<1x2x7x8xf32>)
// CHECK:       return %[[O]], %[[R]]#1
func.func @no_values(%q: !q, %k: !k, %v: !v, %o: !o, %l: !r) -> (!o, !r) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !v) outs(%o : !o, %l : !r)
  return %0#0, %0#1 : !o, !r
}

// -----

// Derivatives.
!q = tensor<1x2x5x8xf32>
!k = tensor<1x2x7x8xf32>
!v = tensor<1x2x7x0xf32>
!o = tensor<1x2x5x0xf32>
!r = tensor<1x2x5xf32>
!none = tensor<1x2x0x8xf32>
// CHECK-LABEL: @gradients
// CHECK:       lattn.attention_grad {{.*}}key(%{{.*}} : tensor<1x2x1x8xf32>) {{.*}}kv_lens
// CHECK:       lattn.attention_grad {{.*}}value(%{{.*}} : tensor<1x2x7x8xf32>)
func.func @gradients(%q: !q, %n: !none, %l: !r, %k: !k, %v: !v, %o: !o) -> (!q, !none, !none, !q, !k, !v) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%n : !none) value(%n : !none) output(%q : !q) lse(%l : !r)
      d_output(%q : !q) outs(%q, %n, %n : !q, !none, !none)
  %1:3 = lattn.attention_grad query(%q : !q) key(%k : !k) value(%v : !v) output(%o : !o) lse(%l : !r)
      d_output(%o : !o) d_lse(%l : !r) outs(%q, %k, %v : !q, !k, !v)
  return %0#0, %0#1, %0#2, %1#0, %1#1, %1#2 : !q, !none, !none, !q, !k, !v
}

// CHECK-LABEL: @tangents
// CHECK:       lattn.attention_jvp {{.*}}kv_lens(%{{.*}}) d_query(%{{[^)]*}}) outs
// CHECK:       lattn.attention_jvp {{.*}}value(%{{.*}} : tensor<1x2x7x8xf32>) d_query(%{{[^)]*}}) outs
func.func @tangents(%q: !q, %n: !none, %l: !r, %k: !k, %v: !v, %o: !o) -> (!q, !q, !o, !r, !o, !r) {
  %0:4 = lattn.attention_jvp query(%q : !q) key(%n : !none) value(%n : !none) d_key(%n : !none) d_value(%n : !none)
      outs(%q, %l, %q, %l : !q, !r, !q, !r)
  %1:4 = lattn.attention_jvp query(%q : !q) key(%k : !k) value(%v : !v) d_value(%v : !v)
      outs(%o, %l, %o, %l : !o, !r, !o, !r)
  return %0#0, %0#2, %1#0, %1#1, %1#2, %1#3 : !q, !q, !o, !r, !o, !r
}
