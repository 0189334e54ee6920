// RUN: lattn-opt %s | lattn-opt | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

!q = tensor<1x4x?x8xf32>
!k = tensor<1x2x?x8xbf16>
!r = tensor<1x4x?xf32>

// CHECK-LABEL: func.func @whole
// CHECK: lattn.attention_jvp query(%{{.*}}) key(%{{.*}}) value(%{{.*}}) key_mask(%{{.*}}) offset(%{{.*}}) d_query(%{{.*}}) d_key(%{{.*}}) d_value(%{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) {causal, scale = 5.000000e-01 : f64}
func.func @whole(%q: !q, %k: !k, %m: tensor<1x?xi1>, %o: i64, %l: !r) -> (!q, !r, !q, !r) {
  %0:4 = lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) key_mask(%m : tensor<1x?xi1>)
      offset(%o : i64) d_query(%q : !q) d_key(%k : !k) d_value(%k : !k)
      outs(%q, %l, %q, %l : !q, !r, !q, !r) {causal, scale = 0.5 : f64}
  return %0#0, %0#1, %0#2, %0#3 : !q, !r, !q, !r
}

// CHECK-LABEL: func.func @options
// CHECK: lattn.attention_jvp query(%{{.*}}) key(%{{.*}}) value(%{{.*}}) bias(%{{.*}}) sink(%{{.*}}) dropout(%{{.*}} : f32, i64, i64) captures(%{{.*}}) d_sink(%{{.*}}) d_bias(%{{.*}}) d_captures(%{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) score {
// CHECK: lattn.yield
func.func @options(%q: !q, %k: !k, %b: tensor<?xf32>, %s: tensor<4xf32>, %p: f32, %i: i64, %c: tensor<4xbf16>, %l: !r) -> (!q, !r, !q, !r) {
  %0:4 = lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) bias(%b : tensor<?xf32>)
      sink(%s : tensor<4xf32>) dropout(%p, %i, %i : f32, i64, i64) captures(%c : tensor<4xbf16>)
      d_sink(%s : tensor<4xf32>) d_bias(%b : tensor<?xf32>) d_captures(%c : tensor<4xbf16>)
      outs(%q, %l, %q, %l : !q, !r, !q, !r) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32, %t: tensor<4xbf16>):
      lattn.yield %x : f32
    }
  return %0#0, %0#1, %0#2, %0#3 : !q, !r, !q, !r
}

// CHECK-LABEL: func.func @step
// CHECK: lattn.attention_jvp_step query(%{{.*}}) key(%{{.*}}) value(%{{.*}}) query_rows(%{{.*}}) d_value(%{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}})
func.func @step(%q: memref<8x16xf32>, %k: memref<6x8xf32>, %n: index, %a: memref<16x8xf32>, %r: memref<16xf32>) {
  lattn.attention_jvp_step query(%q : memref<8x16xf32>) key(%k : memref<6x8xf32>) value(%k : memref<6x8xf32>)
      query_rows(%n) d_value(%k : memref<6x8xf32>)
      outs(%a, %r, %r, %a, %r : memref<16x8xf32>, memref<16xf32>, memref<16xf32>, memref<16x8xf32>, memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @step_with_options
// CHECK: lattn.attention_jvp_step query(%{{.*}}) key(%{{.*}}) value(%{{.*}}) dropout(%{{.*}} : f32, i64, i64, i64) query_rows(%{{.*}}) outs(%{{.*}}) score {
// CHECK: lattn.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32
func.func @step_with_options(%q: memref<8x16xf32>, %k: memref<6x8xf32>, %n: index, %p: f32, %i: i64, %a: memref<16x8xf32>, %r: memref<16xf32>) {
  lattn.attention_jvp_step query(%q : memref<8x16xf32>) key(%k : memref<6x8xf32>) value(%k : memref<6x8xf32>)
      dropout(%p, %i, %i, %i : f32, i64, i64, i64) query_rows(%n)
      outs(%a, %r, %r, %a, %r : memref<16x8xf32>, memref<16xf32>, memref<16xf32>, memref<16x8xf32>, memref<16xf32>) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32):
      lattn.yield %x, %x, %x : f32, f32, f32
    }
  return
}
