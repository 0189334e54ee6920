// RUN: lattn-opt %s --lattn-tile-grad=gpu --convert-lattn-to-fragment --canonicalize --cse -split-input-file | FileCheck %s

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>

// Queries are the rows: they are loaded once, and what they are multiplied with comes
// with each step.
// CHECK-LABEL: func.func @window(
// CHECK-DAG:     %[[Q:.*]] = fragment.load %{{.*}} : tensor<?x64xbf16> -> <64x64xbf16, #fragment.mma<operand, warps = 4>>
// CHECK-DAG:     %[[DO:.*]] = fragment.load %{{.*}} : tensor<?x64xbf16> -> <64x64xbf16, #fragment.mma<operand, warps = 4>>
// CHECK-DAG:     %[[L:.*]] = fragment.load %{{.*}} : tensor<?xf32> -> <64xf32, #fragment.mma<row, warps = 4>>
// CHECK:         %[[E:.*]] = fragment.map ins(%[[L]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK:         %[[R:.*]] = fragment.load %{{.*}} : tensor<?xf32> -> <64xf32, #fragment.mma<row, warps = 4>>
// CHECK:         %[[SUM:.*]] = lattn.sweep_keys (%{{.*}}, %{{.*}}, %[[EDGE:.*]]) in (%{{[^ ]*}} edge %{{[^ ]*}} interior %{{[^ ]*}} edge %{{[^ ]*}}) by 32 iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK:           %[[MINUS_R:.*]] = fragment.map ins(%[[R]] :
// CHECK:             arith.negf
// CHECK:           %[[S:.*]] = fragment.multiply %[[Q]], %[[KEYS:.*]], %{{.*}} {transposed}
// CHECK-NEXT:      %[[DP:.*]] = fragment.multiply %[[DO]], %{{.*}}, %[[MINUS_R]] {transposed}
// CHECK:           %[[P:.*]] = fragment.map ins(%[[S]], %[[E]] :
// CHECK:             math.fma
// CHECK-NEXT:        math.exp2 %{{.*}} fastmath<afn>
// CHECK:           %[[W:.*]] = scf.if %[[EDGE]]
// CHECK-COUNT-2:     fragment.map -> <64xi32, #fragment.mma<row, warps = 4>>
// CHECK:             %[[HIDDEN:.*]] = fragment.map ins(%[[P]],
// CHECK:             scf.yield %[[HIDDEN]]
// CHECK:           } else {
// CHECK-NEXT:        scf.yield %[[P]]
// CHECK:           %[[DS:.*]] = fragment.map ins(%[[W]], %[[DP]] :
// CHECK:             arith.mulf
// CHECK:           %[[G:.*]] = scf.if %[[EDGE]]
// CHECK:             fragment.map ins(%[[DS]], %[[W]] :
// CHECK:               arith.cmpf oeq
// CHECK-NEXT:          arith.select
// CHECK:           %[[N:.*]] = fragment.narrow %[[G]]
// CHECK:           %[[NEW:.*]] = fragment.multiply %[[N]], %[[KEYS]], %[[OLD]] :
// CHECK:           lattn.yield %[[NEW]]
// CHECK:         %[[DONE:.*]] = fragment.repeat_if_nan %[[SUM]] :
// CHECK:           lattn.sweep_keys {{.*}} in (%{{[^ ]*}} edge %{{[^ ]*}}) by 16
// CHECK:             fragment.multiply {{.*}} {skip_zeros}
// CHECK:         %[[SCALED:.*]] = fragment.map ins(%[[DONE]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK:         fragment.store %[[SCALED]],

// Keys are the rows: scores are transposed, and each column has its log-sum-exp.
// CHECK:         scf.forall
// CHECK-COUNT-2: fragment.load %{{.*}} : tensor<?x64xbf16> -> <64x64xbf16, #fragment.mma<operand, warps = 4>>
// CHECK:         %[[SUMS:.*]]:2 = lattn.sweep_keys {{.*}} iter_args(%[[DK:.*]] = %{{.*}}, %[[DV:.*]] = %{{.*}})
// CHECK:           %[[R:.*]] = fragment.load %{{.*}} : tensor<?xf32> -> <32xf32, #fragment.mma<column, warps = 4>>
// CHECK:           %[[MINUS_R:.*]] = fragment.map ins(%[[R]] :
// CHECK:           fragment.multiply %{{.*}}, %[[QUERIES:.*]], %{{.*}} {transposed}
// CHECK-NEXT:      fragment.multiply %{{.*}}, %[[GIVEN:.*]], %[[MINUS_R]] {transposed}
// CHECK:           %[[L:.*]] = fragment.load %{{.*}} : tensor<?xf32> -> <32xf32, #fragment.mma<column, warps = 4>>
// CHECK:           %[[E:.*]] = fragment.map ins(%[[L]] :
// CHECK:           fragment.map ins(%{{.*}}, %[[E]] :
// CHECK:             math.exp2
// CHECK:           %[[P:.*]] = scf.if
// CHECK:           %[[NP:.*]] = fragment.narrow %[[P]]
// CHECK:           %[[NV:.*]] = fragment.multiply %[[NP]], %[[GIVEN]], %[[DV]] :
// CHECK:           %[[DS:.*]] = scf.if
// CHECK:           %[[ND:.*]] = fragment.narrow %[[DS]]
// CHECK:           %[[NK:.*]] = fragment.multiply %[[ND]], %[[QUERIES]], %[[DK]] :
// CHECK:           lattn.yield %[[NK]], %[[NV]]
// CHECK:         %[[DONE:.*]]:2 = fragment.repeat_if_nan %[[SUMS]]#0, %[[SUMS]]#1 :
// CHECK:         fragment.map ins(%[[DONE]]#0
// CHECK:         fragment.store
// CHECK:         fragment.store %[[DONE]]#1,
// CHECK-NOT:   lattn.attention_grad_step
func.func @window(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %do: !t) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t)
      output(%o : !t) lse(%l : !l) d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t)
      {window = #lattn.window<left = 100, right = 3>, schedule = #lattn.schedule<query_tile = 64, key_tile = 32>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x256xbf16>
!l = tensor<1x2x?xf32>

// What only d_value needs: no second product of the rows, no row sums.
// CHECK-LABEL: func.func @values_alone(
// CHECK:       } {lattn.grid = #lattn.grid<kernel = "query">
// CHECK:       } {lattn.grid = #lattn.grid<kernel = "key">
// CHECK:         fragment.load %{{.*}} : tensor<?x256xbf16>
// CHECK-NOT:     fragment.load %{{.*}} : tensor<?x256xbf16>
// CHECK:         lattn.sweep_keys
// CHECK:           fragment.multiply {{.*}} {transposed}
// CHECK-NOT:       {transposed}
// CHECK:           fragment.multiply
// CHECK:           lattn.yield
func.func @values_alone(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %do: !t) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t)
      output(%o : !t) lse(%l : !l) d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t)
      {schedule = #lattn.schedule<query_tile = 64, key_tile = 16>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x64xf16>
!l = tensor<1x2x?xf32>

// A score region: the score is made again from the product, and the slope multiplies
// gradients of pairs that have a weight. A row of scores of -inf has no weights.
// CHECK-LABEL: func.func @region(
// CHECK:         %[[L:.*]] = fragment.load %{{.*}} : tensor<?xf32>
// CHECK:         fragment.map ins(%[[L]] :
// CHECK:           arith.cmpf oeq
// CHECK-NEXT:      arith.select
// CHECK:         lattn.sweep_keys
// CHECK:           %[[S:.*]] = fragment.multiply {{.*}} {transposed}
// CHECK:           fragment.map ins(%[[S]] :
// CHECK:             math.tanh
// CHECK:           fragment.map ins(%{{.*}}, %[[S]] :
// CHECK:             math.tanh
// CHECK:             arith.cmpf oeq
// CHECK:             arith.select
func.func @region(%q: !t, %l: !l) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
      {schedule = #lattn.schedule<query_tile = 64, key_tile = 32>} score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %t = math.tanh %s : f32
    lattn.yield %t : f32
  }
  return %0#0, %0#1, %0#2 : !t, !t, !t
}
