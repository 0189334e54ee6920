// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32" | FileCheck %s

// Gradients of few rows have features on the lanes: of one query for each of four heads
// that share keys.

!q = tensor<1x8x1x64xf32>
!k = tensor<1x2x?x64xf32>
!l = tensor<1x8x1xf32>
!three = tensor<1x8x3x64xf32>
!rows = tensor<1x8x3xf32>

// CHECK-LABEL: @one
// CHECK:         lattn.attention_grad {{.*}}schedule = #lattn.schedule<query_tile = 4, key_tile = 64, lanes = features>
func.func @one(%q: !q, %k: !k, %l: !l) -> !q {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !k) value(%k : !k) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %k, %k : !q, !k, !k)
  return %0#0 : !q
}

// Twelve queries of four heads fill most lanes.
// CHECK-LABEL: @many
// CHECK:         lattn.attention_grad {{.*}}schedule = #lattn.schedule<query_tile = 32, key_tile = 64>
func.func @many(%q: !three, %k: !k, %l: !rows) -> !three {
  %0:3 = lattn.attention_grad query(%q : !three) key(%k : !k) value(%k : !k) output(%q : !three)
      lse(%l : !rows) d_output(%q : !three) outs(%q, %k, %k : !three, !k, !k)
  return %0#0 : !three
}

// Dropout counts queries on the lanes.
// CHECK-LABEL: @dropout
// CHECK:         lattn.attention_grad {{.*}}schedule = #lattn.schedule<query_tile = 32, key_tile = 64>
func.func @dropout(%q: !q, %k: !k, %l: !l, %p: f32, %n: i64) -> !q {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !k) value(%k : !k)
      dropout(%p, %n, %n : f32, i64, i64) output(%q : !q) lse(%l : !l)
      d_output(%q : !q) outs(%q, %k, %k : !q, !k, !k)
  return %0#0 : !q
}
