// RUN: lattn-opt %s --lattn-tile --canonicalize --cse | FileCheck %s

// Layout, sink, lse, origin, score region: resolved by the tiling or handed on.

!t = tensor<2x128x4x32xbf16>

// CHECK-LABEL: @bnhd_lse
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x128x4x32xbf16>, %[[K:[^:]+]]:
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, 8) shared_outs(%[[O:.*]] = %{{.*}}, %[[L:.*]] = %{{.*}})
// CHECK:        %[[Q0:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK:        %[[NQ:.*]] = affine.min #{{.*}}()[%[[I]]]
// CHECK:        tensor.extract_slice %[[Q]][%[[B]], %[[Q0]], %[[H]], 0] [1, %[[NQ]], 1, 32]
// CHECK:        tensor.extract_slice %[[K]][%[[B]], 0, %[[H]], 0] [1, 128, 1, 32]
// CHECK:        lattn.online_attention query(%{{.*}} : tensor<32x16xf32>) key(%{{.*}} : tensor<?x32xbf16>)
// CHECK:        %[[OUT:.*]]:2 = lattn.finalize
// CHECK-DAG:    tensor.parallel_insert_slice %[[OUT]]#0 into %[[O]][%[[B]], %[[Q0]], %[[H]], 0] [1, %[[NQ]], 1, 32]
// CHECK-DAG:    tensor.parallel_insert_slice %[[OUT]]#1 into %[[L]][%[[B]], %[[H]], %[[Q0]]] [1, 1, %[[NQ]]]
func.func @bnhd_lse(%q: !t, %k: !t, %v: !t, %o: !t, %l: tensor<2x4x128xf32>)
    -> (!t, tensor<2x4x128xf32>) {
  %0:2 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t, %l : tensor<2x4x128xf32>) {layout = #lattn.layout<bnhd>}
  return %0#0, %0#1 : !t, tensor<2x4x128xf32>
}

!s = tensor<2x4x128x32xf32>

// The state starts from (0, sink, 1), or (0, -inf, 0) where the sink is none.
// CHECK-LABEL: @sink
// CHECK-SAME: %[[SINK:[^:]+]]: tensor<4xf32>
// CHECK-DAG:  %[[NONE:.*]] = arith.constant 0xFF800000 : f32
// CHECK:      scf.forall (%{{.*}}, %[[H:.*]], %{{.*}}) in
// CHECK:        %[[ACC:.*]] = linalg.fill ins(%cst{{.*}} : f32) outs(%{{.*}} : tensor<32x16xf32>)
// CHECK:        %[[X:.*]] = tensor.extract %[[SINK]][%[[H]]]
// CHECK:        %[[IS:.*]] = arith.cmpf oeq, %[[X]], %[[NONE]]
// CHECK:        %[[ONE:.*]] = arith.select %[[IS]]
// CHECK:        %[[MAX:.*]] = linalg.fill ins(%[[X]] : f32)
// CHECK:        %[[SUM:.*]] = linalg.fill ins(%[[ONE]] : f32)
// CHECK:        lattn.sweep_keys {{.*}} iter_args(%{{.*}} = %[[ACC]], %{{.*}} = %[[MAX]], %{{.*}} = %[[SUM]])
func.func @sink(%q: !s, %k: !s, %v: !s, %sink: tensor<4xf32>, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s)
      sink(%sink : tensor<4xf32>) outs(%o : !s)
  return %0 : !s
}

// A tile of a larger op: its origin is added to that of its tiles; region, bias
// and captures go to every step, the default scale to the packing.
// CHECK-LABEL: @origin_score_bias
// CHECK-SAME: %[[BIAS:[^:]+]]: tensor<?x?xf32>, %[[C:[^:]+]]: tensor<?xf32>,
// CHECK-SAME: %[[B0:[^:]+]]: index, %[[H0:[^:]+]]: index, %[[Q0:[^:]+]]: index, %[[K0:[^:]+]]: index
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in
// CHECK:        %[[FIRST:.*]] = affine.apply #{{.*}}()[%[[I]]]
// CHECK:        lattn.sweep_keys (%[[J:[^,]*]], {{.*}} in (%c0 interior %c128) by 64
// CHECK-DAG:      %[[H1:.*]] = arith.addi %[[H]], %[[H0]]
// CHECK-DAG:      %[[Q1:.*]] = arith.addi %[[FIRST]], %[[Q0]]
// CHECK-DAG:      %[[K1:.*]] = arith.addi %[[J]], %[[K0]]
// CHECK:          lattn.online_attention {{.*}} bias(%[[BIAS]] : tensor<?x?xf32>)
// CHECK-SAME:       origin(%{{.*}}, %[[H1]], %[[Q1]], %[[K1]]) query_rows(%{{.*}}) captures(%[[C]] : tensor<?xf32>)
// CHECK:            tensor.extract
func.func @origin_score_bias(%q: !s, %k: !s, %v: !s, %bias: tensor<?x?xf32>, %c: tensor<?xf32>,
    %b0: index, %h0: index, %q0: index, %k0: index, %at: i64, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s)
      bias(%bias : tensor<?x?xf32>) offset(%at : i64) origin(%b0, %h0, %q0, %k0)
      captures(%c : tensor<?xf32>) outs(%o : !s) score {
  ^bb0(%x: f32, %b: i32, %h: i32, %i: i32, %j: i32, %t: tensor<?xf32>):
    %key = arith.index_cast %j : i32 to index
    %y = tensor.extract %t[%key] : tensor<?xf32>
    %z = arith.addf %x, %y : f32
    lattn.yield %z : f32
  }
  return %0 : !s
}
