// RUN: lattn-opt %s | lattn-opt | FileCheck %s

!q = tensor<1x4x?x8xf32>
!kv = tensor<1x2x?x8xf32>
!r = tensor<1x4x?xf32>

// CHECK-LABEL: func @grad(
// CHECK: lattn.attention_grad query(%{{.*}} : tensor<1x4x?x8xf32>) key({{[^)]*}}) value({{[^)]*}}) output({{[^)]*}}) lse({{[^)]*}}) d_output({{[^)]*}})
// CHECK-SAME: outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x4x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
// CHECK-SAME: {causal}
func.func @grad(%q: !q, %k: !kv, %v: !kv, %o: !q, %l: !r, %do: !q) -> (!q, !kv, !kv) {
  %r:3 = lattn.attention_grad query(%q : !q) key(%k : !kv) value(%v : !kv)
      output(%o : !q) lse(%l : !r) d_output(%do : !q) outs(%q, %k, %v : !q, !kv, !kv) {causal}
  return %r#0, %r#1, %r#2 : !q, !kv, !kv
}

// CHECK-LABEL: func @all(
// CHECK: bias({{[^)]*}}) key_mask({{[^)]*}}) kv_lens({{[^)]*}}) offset({{[^)]*}}) sink({{[^)]*}}) dropout({{[^)]*}}) captures({{[^)]*}})
// CHECK-SAME: output({{[^)]*}}) lse({{[^)]*}}) d_output({{[^)]*}}) d_lse({{[^)]*}})
// CHECK-SAME: tensor<4xf32>) {schedule = #lattn.schedule<query_tile = 16, key_tile = 64>} score {
func.func @all(%q: !q, %k: !kv, %v: !kv, %o: !q, %l: !r, %do: !q, %b: tensor<1x1x?x?xf32>, %m: tensor<1x?xi1>,
               %n: tensor<1xi32>, %at: i64, %s: tensor<4xf32>, %p: f32, %seed: i64, %slopes: tensor<4xf32>) {
  %r:4 = lattn.attention_grad query(%q : !q) key(%k : !kv) value(%v : !kv) bias(%b : tensor<1x1x?x?xf32>)
      key_mask(%m : tensor<1x?xi1>) kv_lens(%n : tensor<1xi32>) offset(%at : i64) sink(%s : tensor<4xf32>)
      dropout(%p, %seed, %seed : f32, i64, i64) captures(%slopes : tensor<4xf32>)
      output(%o : !q) lse(%l : !r) d_output(%do : !q) d_lse(%l : !r)
      outs(%q, %k, %v : !q, !kv, !kv, %s : tensor<4xf32>)
      {schedule = #lattn.schedule<query_tile = 16, key_tile = 64>} score {
  ^bb0(%x: f32, %bb: i32, %h: i32, %i: i32, %j: i32, %c: tensor<4xf32>):
    lattn.yield %x : f32
  }
  return
}

// CHECK-LABEL: func @step(
// CHECK: lattn.attention_grad_step query({{[^)]*}}) key({{[^)]*}}) value({{[^)]*}}) lse({{[^)]*}}) row_sums({{[^)]*}}) d_output({{[^)]*}})
// CHECK-SAME: packed({{[^:]*}} : tensor<8x16xf32>, tensor<8x16xf32>) edge(%{{[^)]*}}) outs(
func.func @step(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %r: tensor<16xf32>, %p: tensor<8x16xf32>, %edge: i1, %dq: tensor<16x8xf32>) {
  %0:3 = lattn.attention_grad_step query(%q : tensor<?x8xf32>) key(%k : tensor<?x8xf32>) value(%k : tensor<?x8xf32>)
      lse(%r : tensor<16xf32>) row_sums(%r : tensor<16xf32>) d_output(%q : tensor<?x8xf32>)
      packed(%p, %p : tensor<8x16xf32>, tensor<8x16xf32>) edge(%edge)
      outs(%dq, %k, %k : tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
  return
}

// CHECK-LABEL: func @buffers(
// CHECK: lattn.attention_grad query(%{{.*}} : memref<1x2x4x8xf32>)
func.func @buffers(%q: memref<1x2x4x8xf32>, %l: memref<1x2x4xf32>) {
  lattn.attention_grad query(%q : memref<1x2x4x8xf32>) key(%q : memref<1x2x4x8xf32>) value(%q : memref<1x2x4x8xf32>)
      output(%q : memref<1x2x4x8xf32>) lse(%l : memref<1x2x4xf32>) d_output(%q : memref<1x2x4x8xf32>)
      outs(%q, %q, %q : memref<1x2x4x8xf32>, memref<1x2x4x8xf32>, memref<1x2x4x8xf32>)
  return
}
