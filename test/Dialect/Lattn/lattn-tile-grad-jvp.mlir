// RUN: lattn-opt %s --lattn-tile-grad --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-tile-grad=whole-keys --canonicalize --cse | FileCheck %s --check-prefix=WHOLE

// A tile of queries sweeps over the keys that its window shows: an online
// softmax whose state has the tangents, too.

!q = tensor<2x8x?x64xf32>
!k = tensor<2x2x?x64xf32>
!r = tensor<2x8x?xf32>

// CHECK-LABEL: func.func @windowed(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<2x8x?x64xf32>, %[[K:[^:]+]]: tensor<2x2x?x64xf32>, %[[V:[^:]+]]: tensor<2x2x?x64xf32>, %[[DQ:[^:]+]]: tensor<2x8x?x64xf32>, %[[DK:[^:]+]]: tensor<2x2x?x64xf32>
// CHECK: scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 8, %{{.*}}) shared_outs(%[[O:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}}, %[[DO:.*]] = %{{.*}}, %[[DL:.*]] = %{{.*}})
// CHECK:   %[[PQ:.*]] = lattn.pack_query {{.*}} {scale = 1.250000e-01 : f64}
// CHECK:   %[[PDQ:.*]] = lattn.pack_query {{.*}} {scale = 1.250000e-01 : f64}
// CHECK:   %[[DKEYS:.*]] = tensor.extract_slice %[[DK]][%[[B]], %{{.*}}, 0, 0]
// CHECK:   %[[S:.*]]:5 = lattn.sweep_keys {{.*}} edge {{.*}} interior {{.*}} edge {{.*}} by 64
// CHECK:     %[[DKEY:.*]] = tensor.extract_slice %[[DKEYS]][
// CHECK:     lattn.attention_jvp_step query(%[[PQ]] : {{.*}} query_rows({{.*}} d_query(%[[PDQ]] : {{.*}} d_key(%[[DKEY]] : {{.*}} {scale = 1.000000e+00 : f64, window = #lattn.window<left = 256, right = 0>}
// CHECK:   arith.divf
// CHECK:   lattn.finalize
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %[[O]]
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %[[L]]
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %[[DO]]
// CHECK:   tensor.parallel_insert_slice %{{.*}} into %[[DL]]

// WHOLE-LABEL: func.func @windowed(
// WHOLE-NOT: lattn.attention_jvp
// WHOLE: lattn.attention query
// WHOLE: scf.for
func.func @windowed(%q: !q, %k: !k, %v: !k, %dq: !q, %dk: !k, %l: !r) -> (!q, !r, !q, !r) {
  %0:4 = lattn.attention_jvp query(%q : !q) key(%k : !k) value(%v : !k) d_query(%dq : !q) d_key(%dk : !k)
      outs(%q, %l, %dq, %l : !q, !r, !q, !r) {window = #lattn.window<left = 256, right = 0>}
  return %0#0, %0#1, %0#2, %0#3 : !q, !r, !q, !r
}

// The region of a step yields the score, its derivative by the score, and the rest of
// its tangent: of captured arrays, and of the bias.

// CHECK-LABEL: func.func @scored(
// CHECK-SAME: %[[DB:[^:]+]]: tensor<8x1x?xf32>
// CHECK:   linalg.generic
// CHECK:     arith.mulf
// CHECK:   lattn.attention_jvp_step {{.*}} dropout(%{{.*}} : f32, i64, i64, i64) captures(%{{[^,]+}}, %{{[^,]+}}, %{{[^ ]+}} : tensor<?xf32>, tensor<8x1x?xf32>, tensor<?xf32>)
// CHECK:   ^bb0(%[[X:[^:]+]]: f32, %{{[^:]+}}: i32, %[[H:[^:]+]]: i32, %{{[^:]+}}: i32, %[[J:[^:]+]]: i32, %[[T:[^:]+]]: tensor<?xf32>, %[[DBIAS:[^:]+]]: tensor<8x1x?xf32>, %[[DT:[^:]+]]: tensor<?xf32>):
// CHECK:     %[[E:.*]] = tensor.extract %[[T]]
// CHECK:     %[[SCORE:.*]] = arith.mulf %[[X]], %[[E]]
// CHECK:     %[[DE:.*]] = tensor.extract %[[DT]]
// CHECK:     %[[REST:.*]] = arith.mulf
// CHECK:     tensor.extract %[[DBIAS]]
// CHECK:     %[[ALL:.*]] = arith.addf %[[REST]], %{{.*}}
// CHECK:     lattn.yield %[[SCORE]], %[[E]], %[[ALL]] : f32, f32, f32
func.func @scored(%q: !q, %k: !k, %b: tensor<8x1x?xf32>, %db: tensor<8x1x?xf32>, %s: tensor<8xf32>, %p: f32, %seed: i64, %c: tensor<?xf32>, %l: !r) -> (!q, !r, !q, !r) {
  %0:4 = lattn.attention_jvp query(%q : !q) key(%k : !k) value(%k : !k) bias(%b : tensor<8x1x?xf32>)
      sink(%s : tensor<8xf32>) dropout(%p, %seed, %seed : f32, i64, i64) captures(%c : tensor<?xf32>)
      d_query(%q : !q) d_sink(%s : tensor<8xf32>) d_bias(%db : tensor<8x1x?xf32>) d_captures(%c : tensor<?xf32>)
      outs(%q, %l, %q, %l : !q, !r, !q, !r) score {
    ^bb0(%x: f32, %batch: i32, %head: i32, %query: i32, %key: i32, %t: tensor<?xf32>):
      %j = arith.index_cast %key : i32 to index
      %e = tensor.extract %t[%j] : tensor<?xf32>
      %y = arith.mulf %x, %e : f32
      lattn.yield %y : f32
    }
  return %0#0, %0#1, %0#2, %0#3 : !q, !r, !q, !r
}
