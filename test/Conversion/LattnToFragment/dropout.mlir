// RUN: lattn-opt %s --lattn-tile="gpu query-tile=64 key-tile=32" --lattn-tile-grad=gpu --convert-lattn-to-fragment --canonicalize --cse -split-input-file | FileCheck %s

!t = tensor<1x2x?x64xbf16>

// Four keys share a call of the generator. So tiles of keys begin at multiples of 4.
// Sums of weights come before dropout, whose factor the end of the sweep applies.
// CHECK-LABEL: func.func @forward(
// CHECK:       %[[FIRST:.*]] = affine.apply {{.*}}()[
// CHECK:       lattn.sweep_keys
// CHECK:         fragment.fold %[[P:[^ ]*]]
// CHECK:         %[[KEPT:.*]] = fragment.map_fours -> <64x32xi1
// CHECK:         %[[W:.*]] = fragment.map ins(%[[P]], %[[KEPT]] :
// CHECK:           arith.select
// CHECK:         fragment.narrow %[[W]]
// A dropped pair adds nothing, even if its value is NaN.
// CHECK:       fragment.repeat_if_nan
// CHECK:         fragment.map_fours
// CHECK:         fragment.multiply {{.*}} {skip_zeros}
// CHECK:       arith.divf
func.func @forward(%q: !t, %k: !t, %v: !t, %o: !t, %p: f32, %seed: i64) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      dropout(%p, %seed, %seed : f32, i64, i64) outs(%o : !t) {window = #lattn.window<left = 99>}
  return %0 : !t
}

// -----

!t = tensor<1x2x?x64xbf16>

// Where keys may begin elsewhere, each pair has a call of its own.
// CHECK-LABEL: func.func @origin(
// CHECK-NOT:   fragment.map_fours
// CHECK:       %[[KEPT:.*]] = fragment.map -> <64x32xi1
// CHECK:       fragment.map ins(%{{.*}}, %[[KEPT]] :
func.func @origin(%q: !t, %k: !t, %v: !t, %o: !t, %p: f32, %seed: i64, %at: index) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      offset(%seed : i64) dropout(%p, %seed, %seed : f32, i64, i64) origin(%at, %at, %at, %at) outs(%o : !t)
  return %0 : !t
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
#tiles = #lattn.schedule<query_tile = 64, key_tile = 32>

// Flags come first, while few registers are taken. In the second kernel keys are rows.
// CHECK-LABEL: func.func @gradients(
// CHECK:       lattn.sweep_keys
// CHECK:         %[[KEPT:.*]] = fragment.map_fours -> <64x32xi1
// CHECK:         fragment.multiply {{.*}} {transposed}
// CHECK:         %[[DP:[^ ]*]] = fragment.multiply {{.*}} {transposed}
// CHECK:         %[[GIVEN:.*]] = fragment.map ins(%[[DP]], %[[KEPT]] :
// CHECK:           arith.select
// CHECK:         fragment.map ins(%{{.*}}, %[[GIVEN]], %{{.*}} :
// CHECK:           arith.negf
// CHECK-NEXT:      math.fma
// CHECK-NEXT:      arith.mulf
// CHECK:       lattn.sweep_keys
// CHECK:         %[[KEPT:.*]] = fragment.map_fours in_column -> <64x32xi1
// CHECK:         %[[W:.*]] = fragment.map ins(%{{.*}}, %[[KEPT]] :
// CHECK:         fragment.narrow %[[W]]
func.func @gradients(%q: !t, %k: !t, %v: !t, %o: !t, %do: !t, %l: !l, %p: f32, %seed: i64) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t)
      dropout(%p, %seed, %seed : f32, i64, i64) output(%o : !t) lse(%l : !l)
      d_output(%do : !t) outs(%q, %q, %q : !t, !t, !t) {schedule = #tiles}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}
