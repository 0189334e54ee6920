// RUN: lattn-opt %s --lattn-tile-grad --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-tile-grad=whole-keys --canonicalize --cse | FileCheck %s --check-prefix=WHOLE

// What hides keys without a window, other layouts, and places in a larger op.

!t = tensor<1x4x?x16xf32>
!l = tensor<1x4x?xf32>

// Without masks there is no left edge, and no step needs an offset.
// CHECK-LABEL: func.func @plain(
// CHECK:       %[[M:.*]] = tensor.dim
// CHECK:       %[[RIGHT:.*]] = affine.max #{{.*}}()[%[[M]]]
// CHECK:       lattn.sweep_keys {{.*}} in (%c0 interior %[[RIGHT]] edge %[[M]]) by 64
// CHECK:       lattn.attention_grad_step
// CHECK-NOT:   offset(
// CHECK:       return
func.func @plain(%q: !t, %l: !l) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// kv_lens ends the sweep and moves the queries; with a mask all steps are edges.
// CHECK-LABEL: func.func @masks(
// CHECK-SAME:    %[[MASK:[^ ]*]]: tensor<1x?xi1>, %[[LENS:[^ ]*]]: tensor<1xi32>
// CHECK:       %[[GIVEN:.*]] = tensor.extract %[[LENS]][%c0]
// CHECK:       arith.maxsi %{{.*}}, %c0_i64
// CHECK:       arith.minsi
// CHECK:       %[[OFFSET:.*]] = arith.subi
// CHECK:       arith.subf %{{.*}}, %{{.*}} : f32
// CHECK:       lattn.sweep_keys {{.*}} in (%c0 edge %[[END:.*]]) by 64
// CHECK:       lattn.attention_grad_step {{.*}} key_mask(%[[MASK]] : {{.*}} offset(%[[OFFSET]] : i64)
// CHECK-NOT:     kv_lens
// CHECK-SAME:    dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c4_i64 : f32, i64, i64, i64)
// The sink's weight is exp(sink - lse), and d_lse counts beside the row sums.
// CHECK:       scf.forall.in_parallel
// CHECK:       linalg.generic {{.*}} ins(%[[DL:[^ ]*]] : tensor<1x4x?xf32>)
// CHECK:         arith.negf
// CHECK:       %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{[^ ]*}}, %[[DL]], %[[SUMS]] : tensor<4xf32>, tensor<1x4x?xf32>, tensor<1x4x?xf32>) outs(
// CHECK:         math.exp
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins({{.*}} : tensor<1x4xf32>)

// Whole keys are hidden by masks alone: kv_lens and key_mask are read for each pair.
// WHOLE-LABEL: func.func @masks(
// WHOLE-SAME:    %[[MASK:[^ ]*]]: tensor<1x?xi1>, %[[LENS:[^ ]*]]: tensor<1xi32>
// WHOLE:       linalg.generic
// WHOLE-DAG:     tensor.extract %[[MASK]]
// WHOLE-DAG:     tensor.extract %[[LENS]]
// WHOLE:         math.exp
func.func @masks(%q: !t, %l: !l, %m: tensor<1x?xi1>, %n: tensor<1xi32>, %p: f32, %s: i64, %sink: tensor<4xf32>)
    -> (!t, !t, !t, tensor<4xf32>) {
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) key_mask(%m : tensor<1x?xi1>)
      kv_lens(%n : tensor<1xi32>) sink(%sink : tensor<4xf32>) dropout(%p, %s, %s : f32, i64, i64)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) d_lse(%l : !l)
      outs(%q, %q, %q : !t, !t, !t, %sink : tensor<4xf32>) {causal}
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, tensor<4xf32>
}

// Positions come before heads. The schedule's tiles count, sums are in f32, and
// the origin is added to local coordinates.
// CHECK-LABEL: func.func @layout(
// CHECK-SAME:    %[[Q:.*]]: tensor<1x?x4x16xbf16>, %{{.*}}: tensor<1x4x?xf32>, %[[AT:.*]]: index, %[[OFFSETS:.*]]: tensor<3xi64>)
// CHECK:       scf.forall (%[[H:.*]], %{{.*}}) in (4, %{{.*}})
// CHECK:         %[[OFFSET:.*]] = tensor.extract %[[OFFSETS]][%[[AT]]]
// CHECK:         tensor.extract_slice %[[Q]][0, %[[Q0:.*]], %[[HEAD:.*]], 0] [1, %{{.*}}, 1, 16]
// CHECK:         lattn.pack_query {{.*}} outs(%{{.*}} : tensor<16x32xf32>)
// CHECK:         lattn.sweep_keys (%[[J:.*]], %[[M:.*]], %{{.*}}) in {{.*}} by 48
// CHECK:           tensor.extract_slice %[[Q]][0, %[[J]], %[[H]], 0] [1, %[[M]], 1, 16]
// CHECK-DAG:       %[[GLOBALH:.*]] = arith.addi %[[HEAD]], %[[AT]]
// CHECK-DAG:       %[[GLOBALJ:.*]] = arith.addi %[[J]], %[[AT]]
// CHECK:           lattn.attention_grad_step {{.*}} offset(%[[OFFSET]] : i64) origin(%[[AT]], %[[GLOBALH]], %{{.*}}, %[[GLOBALJ]])
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         tensor.parallel_insert_slice %{{.*}}[0, %{{.*}}, %[[H]], 0]
!b = tensor<1x?x4x16xbf16>
func.func @layout(%q: !b, %l: !l, %i: index, %w: tensor<3xi64>) -> (!b, !b, !b) {
  %0:3 = lattn.attention_grad query(%q : !b) key(%q : !b) value(%q : !b)
      offset(%w : tensor<3xi64>) origin(%i, %i, %i, %i)
      output(%q : !b) lse(%l : !l) d_output(%q : !b) outs(%q, %q, %q : !b, !b, !b)
      {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 3>,
       schedule = #lattn.schedule<query_tile = 32, key_tile = 48>}
  return %0#0, %0#1, %0#2 : !b, !b, !b
}
