// RUN: lattn-opt %s --lattn-expand-local-attention --canonicalize --cse | FileCheck %s

// The composite op becomes attention with the window of its blocks, after what
// keys and queries go through; the log-sum-exp only where rows may need mending.

!t = tensor<1x4x?x8xf32>
!n = tensor<1x?x4x8xbf16>

// CHECK-DAG: #[[SLOTS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 mod 2, d2 mod 4, (d3 - (d2 floordiv 4 - 2) * 4) mod 12)>
// CHECK-DAG: #[[REPEATED:.*]] = affine_map<(d0, d1, d2, d3) -> (0, 0, 0)>
// CHECK-DAG: #[[UNKNOWN:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2 mod 4, 0)>

// Padded keys come after every query: no row is mended. Positions count from 0.
// CHECK-LABEL: @causal_autopad
// CHECK-SAME:  (%[[Q:[^:]+]]: {{[^,]+}}, %[[K:[^:]+]]: {{[^,]+}}, %[[V:[^:]+]]: {{[^,]+}}, %[[O:[^:]+]]: {{[^,]+}})
// CHECK-NEXT:  %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-NEXT:  %[[R:.*]] = lattn.attention query(%[[Q]] : {{.*}}) key(%[[K]] : {{.*}}) value(%[[V]] : {{.*}}) offset(%[[ZERO]] : i64) outs(%[[O]] : tensor<1x4x?x8xf32>) {window = #lattn.window<right = 0, bucket = 4, back = 1>}
// CHECK-NEXT:  return %[[R]]
func.func @causal_autopad(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window_size = 4 : i64, causal, autopad}
  return %0 : !t
}

// Exact windows hide more than blocks do, which are then not named; without
// look_forward no row sees a padded key.
// CHECK-LABEL: @exact_autopad
// CHECK-NOT:   cf.assert
// CHECK:       lattn.attention {{.*}} outs(%{{[^ ,)]+}} : tensor<1x4x?x8xf32>) {scale = 5.000000e-01 : f64, window = #lattn.window<left = 8, right = 0>}
// CHECK-NEXT:  return
func.func @exact_autopad(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window_size = 4 : i64, look_backward = 2 : i64,
        look_forward = 0 : i64, exact_windowsize, autopad, scale = 0.5 : f64}
  return %0 : !t
}

// Blocks of this call, limits of the module; queries turn as if look_forward
// blocks later; xpos scales of queries up and of keys down, in base 4 / 2. Without
// autopad no key is padded, but a length that is not known is checked.
// CHECK-LABEL: @xpos
// CHECK-SAME:  (%[[Q:[^:]+]]: {{[^,]+}}, %[[K:[^:]+]]:
// CHECK-DAG:   %[[C6:.*]] = arith.constant 6 : index
// CHECK:       %[[REST:.*]] = arith.remsi %{{.*}}, %c2 : index
// CHECK:       %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %c0 : index
// CHECK:       cf.assert %[[WHOLE]], "lattn.local_attention: expected a sequence length divisible by the window's 2 without autopad"
// CHECK:       %[[TQ:.*]] = lattn.rotary ins(%[[Q]] : {{.*}}) start(%[[C6]]) outs(%{{[^ ,)]+}} : tensor<1x?x4x8xf32>) {dim = 7 : i64, position_axis = 1 : i64, theta = 1.000000e+02 : f64, xpos_scale_base = 2.000000e+00 : f64}
// CHECK:       %[[TK:.*]] = lattn.rotary ins(%[[K]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<1x?x4x8xf32>) {dim = 7 : i64, downscale, position_axis = 1 : i64, theta = 1.000000e+02 : f64, xpos_scale_base = 2.000000e+00 : f64}
// CHECK:       lattn.attention query(%[[TQ]] : {{.*}}) key(%[[TK]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<1x?x4x8xbf16>)
// CHECK-SAME:    {layout = #lattn.layout<bnhd>, window = #lattn.window<left = 8, right = 12, bucket = 2, back = 2, forward = 3>}
// CHECK-NEXT:  return
func.func @xpos(%q: !n, %k: !n, %v: !n, %o: !n) -> !n {
  %0 = lattn.local_attention query(%q : !n) key(%k : !n) value(%v : !n)
      outs(%o : !n) {window_size = 4 : i64, call_window_size = 2 : i64,
        look_backward = 2 : i64, look_forward = 3 : i64, exact_windowsize,
        dim = 7 : i64, theta = 100.0 : f64, use_xpos, layout = #lattn.layout<bnhd>}
  return %0 : !n
}

// The base given; no scales without use_xpos; no angles without dim. Padding to
// 3 need not make whole blocks of 4.
// CHECK-LABEL: @bases
// CHECK:       %[[UP:.*]] = arith.ceildivsi %{{.*}}, %c3
// CHECK:       %[[PADDED:.*]] = arith.muli %[[UP]], %c3
// CHECK:       arith.remsi %[[PADDED]], %c4
// CHECK:       cf.assert %{{.*}}, "lattn.local_attention: expected a sequence length divisible by the window's 4 after padding"
// CHECK:       lattn.rotary {{.*}} {dim = 8 : i64, position_axis = 2 : i64, xpos_scale_base = 3.000000e+01 : f64}
// CHECK:       lattn.attention
// CHECK:       lattn.rotary {{.*}} {dim = 8 : i64, position_axis = 2 : i64}
// CHECK:       lattn.rotary {{.*}} {dim = 8 : i64, position_axis = 2 : i64}
// CHECK-NOT:   lattn.rotary
func.func @bases(%q: !t, %k: !t, %v: !t, %o: !t) -> (!t, !t, !t) {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window_size = 3 : i64, call_window_size = 4 : i64, causal,
        autopad, dim = 8 : i64, use_xpos, xpos_scale_base = 30.0 : f64}
  %1 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window_size = 4 : i64, causal, autopad, dim = 8 : i64,
        xpos_scale_base = 30.0 : f64}
  %2 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window_size = 4 : i64, causal, autopad, use_xpos}
  return %0, %1, %2 : !t, !t, !t
}

// A bias of rows and slots of a block is read by maps; of axes of extent 1, by 0.
// CHECK-LABEL: @bias
// CHECK:       lattn.attention {{.*}} bias(%{{[^ ,)]+}} : tensor<2x4x12xf32>) {{.*}} outs(%{{[^ ,)]+}} : tensor<1x4x?x8xf32>, %{{[^ ,)]+}} : tensor<1x4x?xf32>) {bias_map = #[[SLOTS]], window = #lattn.window<right = 0, bucket = 4, back = 2>}
// CHECK:       lattn.attention {{.*}} bias(%{{[^ ,)]+}} : tensor<1x1x1xf32>) {{.*}} {bias_map = #[[REPEATED]],
// CHECK:       %[[HEADS:.*]] = tensor.dim %{{.*}}, %c0 : tensor<?x4x1xf32>
// CHECK:       %[[ALL:.*]] = arith.cmpi eq, %[[HEADS]], %c4
// CHECK:       cf.assert %[[ALL]], "lattn.local_attention: expected bias of as many heads as query where its type does not tell"
// CHECK:       lattn.attention {{.*}} bias(%{{[^ ,)]+}} : tensor<?x4x1xf32>) {{.*}} {bias_map = #[[UNKNOWN]],
func.func @bias(%q: !t, %b: tensor<2x4x12xf32>, %c: tensor<1x1x1xf32>,
    %d: tensor<?x4x1xf32>, %o: !t) -> (!t, !t, !t) {
  %0 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%b : tensor<2x4x12xf32>) outs(%o : !t)
      {window_size = 4 : i64, look_backward = 2 : i64, causal, autopad}
  %1 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%c : tensor<1x1x1xf32>) outs(%o : !t) {window_size = 4 : i64, causal, autopad}
  %2 = lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%d : tensor<?x4x1xf32>) outs(%o : !t) {window_size = 4 : i64, causal, autopad}
  return %0, %1, %2 : !t, !t, !t
}

// Keys are normalised, then turned; a token's score for itself is replaced after
// the bias, which the region therefore reads.
// CHECK-LABEL: @shared_qk
// CHECK-SAME:  (%[[Q:[^:]+]]: {{[^,]+}}, %[[K:[^:]+]]: {{[^,]+}}, %[[B:[^:]+]]:
// CHECK:       %[[NORMED:.*]] = lattn.l2_normalize ins(%[[K]] :
// CHECK:       %[[TQ:.*]] = lattn.rotary ins(%[[Q]] :
// CHECK:       %[[TK:.*]] = lattn.rotary ins(%[[NORMED]] :
// CHECK:       lattn.attention query(%[[TQ]] : {{.*}}) key(%[[TK]] : {{.*}}) captures(%[[B]] : tensor<1x4x1xf16>) outs(
// CHECK-SAME:    score {
// CHECK-NEXT:    ^bb0(%[[S:.*]]: f32, %{{.*}}: i32, %{{.*}}: i32, %[[I:.*]]: i32, %[[J:.*]]: i32, %[[CAPTURED:.*]]: tensor<1x4x1xf16>):
// CHECK-DAG:     %[[SELF:.*]] = arith.constant -5.000000e+04 : f32
// CHECK:         %[[X:.*]] = tensor.extract %[[CAPTURED]][
// CHECK:         %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK:         %[[SUM:.*]] = arith.addf %[[S]], %[[WIDE]]
// CHECK:         %[[IS:.*]] = arith.cmpi eq, %[[I]], %[[J]]
// CHECK:         %[[Y:.*]] = arith.select %[[IS]], %[[SELF]], %[[SUM]]
// CHECK-NEXT:    lattn.yield %[[Y]]
func.func @shared_qk(%q: !t, %k: !t, %b: tensor<1x4x1xf16>, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%q : !t)
      bias(%b : tensor<1x4x1xf16>) outs(%o : !t)
      {window_size = 4 : i64, causal, autopad, shared_qk, dim = 8 : i64}
  return %0 : !t
}
