// RUN: lattn-opt %s --lattn-fuse-query-key --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-fuse-query-key="block=2" --canonicalize --cse | FileCheck %s --check-prefix=TWO
// RUN: lattn-opt %s --lattn-fuse-query-key="xpos-only" --canonicalize --cse | FileCheck %s --check-prefix=XPOS

// Attention becomes blocks of 256 queries, which turn and normalise their queries
// and keys themselves. Positions count from a block's first key.

!t = tensor<2x4x?x64xbf16>
!s = tensor<1x1x?x2xf32>
!n = tensor<1x?x4x7xf64>

// CHECK-DAG: #[[BLOCKS:.*]] = affine_map<()[s0] -> (s0 ceildiv 256)>
// CHECK-DAG: #[[Q0:.*]] = affine_map<(d0) -> (d0 * 256)>
// CHECK-DAG: #[[AFTER_KEY:.*]] = affine_map<(d0)[s0] -> (128, d0 * 256 - s0)>
// CHECK-DAG: #[[NOT_BEFORE:.*]] = affine_map<()[s0] -> (0, s0)>
// CHECK-DAG: #[[SMALL_BLOCKS:.*]] = affine_map<()[s0] -> (s0 ceildiv 32)>

// Keys of a block: 128 before it, its own 256. One table, of as many positions,
// serves both: keys begin with its first row, queries where they stand. Scratch is
// of a size known, and computed in f32.
// CHECK-LABEL: @rotary
// CHECK-SAME:  (%[[Q:[^:]+]]: {{[^,]+}}, %[[K:[^:]+]]: {{[^,]+}},
// CHECK-DAG:   %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<384x2x32xf32>
// CHECK-NOT:   lattn.rotary
// CHECK:       %[[TILES:.*]] = affine.apply #[[BLOCKS]]
// CHECK:       scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, %[[TILES]])
// CHECK:         %[[FIRST:.*]] = affine.apply #[[Q0]](%[[I]])
// CHECK:         %[[FROM:.*]] = arith.minsi
// CHECK:         %[[KEYS:.*]] = arith.subi %{{.*}}, %[[FROM]]
// CHECK:         %[[DISTANCE:.*]] = affine.min #[[AFTER_KEY]](%[[I]])[%[[FROM]]]
// CHECK:         %[[ROW:.*]] = affine.max #[[NOT_BEFORE]]()[%[[DISTANCE]]]
// CHECK:         %[[XQ:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[FIRST]], 0]
// CHECK:         tensor.empty() : tensor<1x1x256x64xf32>
// CHECK:         %[[TQ:.*]] = lattn.rotate_pairs ins(%[[XQ]], %[[TABLE]] : {{.*}}) start(%[[ROW]]) outs(%{{.*}} : tensor<1x1x?x64xf32>) {position_axis = 2 : i64}
// CHECK:         %[[XK:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[FROM]], 0] [1, 1, %[[KEYS]], 64]
// CHECK:         tensor.empty() : tensor<1x1x384x64xf32>
// CHECK:         %[[TK:.*]] = lattn.rotate_pairs ins(%[[XK]], %[[TABLE]] : {{.*}}) start(%c0)
// CHECK:         lattn.attention query(%[[TQ]] : {{.*}}) key(%[[TK]] : {{.*}} origin(%[[B]], %[[H]], %[[FIRST]], %[[FROM]])
// CHECK-SAME:      {window = #lattn.window<left = 128, right = 0>}
// XPOS-LABEL:  @rotary
// XPOS-NOT:    scf.forall
// XPOS:        lattn.rotary
// XPOS:        lattn.rotary
// XPOS:        lattn.attention
func.func @rotary(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !t) outs(%o : !t) {dim = 64 : i64}
  %k1 = lattn.rotary ins(%k : !t) outs(%o : !t) {dim = 64 : i64}
  %0 = lattn.attention query(%q1 : !t) key(%k1 : !t) value(%v : !t)
      offset(%zero : i64) outs(%o : !t) {window = #lattn.window<left = 128, right = 0>}
  return %0 : !t
}

// Scales of queries and keys: a table each, whose middle row has the scale 1. A
// block halves until its positions spread over at most 55 times the base: 1 + 32.
// TWO-LABEL:   @xpos
// TWO-DAG:     dense<{{\[\[\[}}3.500000e+00], [0.000000e+00]], {{\[\[}}0.540302{{[0-9]*}}], [0.841470{{[0-9]*}}]], {{\[\[}}-0.118899{{[0-9]*}}], [0.259799{{[0-9]*}}]]]> : tensor<3x2x1xf32>
// TWO-DAG:     dense<{{\[\[\[}}0.285714{{[0-9]*}}], [0.000000e+00]], {{\[\[}}0.540302{{[0-9]*}}], [0.841470{{[0-9]*}}]], {{\[\[}}-1.45651{{[0-9]*}}], [3.18254{{[0-9]*}}]]]> : tensor<3x2x1xf32>
// CHECK-LABEL: @xpos
// CHECK-DAG:   arith.constant dense<{{.*}}> : tensor<33x2x1xf32>
// CHECK-DAG:   affine.apply #[[SMALL_BLOCKS]]
// CHECK:       scf.forall
// CHECK:         tensor.empty() : tensor<1x1x32x2xf32>
// CHECK:         lattn.rotate_pairs ins(%{{[^ ,)]+}}, %[[UP:[^ ,)]+]] : {{.*}}, tensor<33x2x1xf32>)
// CHECK:         tensor.empty() : tensor<1x1x33x2xf32>
// CHECK-NOT:     lattn.rotate_pairs ins(%{{[^ ,)]+}}, %[[UP]] :
// CHECK:         lattn.rotate_pairs
// CHECK:         lattn.attention
// XPOS-LABEL:  @xpos
// XPOS-NOT:    lattn.rotary
// XPOS:        scf.forall
func.func @xpos(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !s) outs(%o : !s) {dim = 2 : i64, xpos_scale_base = 1.0 : f64}
  %k1 = lattn.rotary ins(%k : !s) outs(%o : !s) {dim = 2 : i64, xpos_scale_base = 1.0 : f64, downscale}
  %0 = lattn.attention query(%q1 : !s) key(%k1 : !s) value(%v : !s)
      offset(%zero : i64) outs(%o : !s) {window = #lattn.window<left = 1, right = 0>}
  return %0 : !s
}

// Normalised keys, of layout bnhd and an odd width; queries stay as they are.
// CHECK-LABEL: @normalize
// CHECK-SAME:  (%[[Q:[^:]+]]: {{[^,]+}}, %[[K:[^:]+]]:
// CHECK-NOT:   lattn.l2_normalize
// CHECK:       scf.forall
// CHECK:         %[[XQ:.*]] = tensor.extract_slice %[[Q]]
// CHECK:         %[[XK:.*]] = tensor.extract_slice %[[K]]
// CHECK:         tensor.empty() : tensor<1x260x1x7xf64>
// CHECK:         %[[NORMED:.*]] = lattn.l2_normalize ins(%[[XK]] : {{.*}} {eps = 2.500000e-01 : f64}
// CHECK:         lattn.attention query(%[[XQ]] : {{.*}}) key(%[[NORMED]] :
func.func @normalize(%q: !n, %k: !n, %v: !n, %o: !n) -> !n {
  %k1 = lattn.l2_normalize ins(%k : !n) outs(%o : !n) {eps = 0.25 : f64}
  %0 = lattn.attention query(%q : !n) key(%k1 : !n) value(%v : !n) outs(%o : !n)
      {window = #lattn.window<left = 4, right = 0>, layout = #lattn.layout<bnhd>}
  return %0 : !n
}

// Batches and heads that are not known: blocks of one head all the same, and
// scratch of a known size.
// CHECK-LABEL: func.func @dynamic_heads(
// CHECK:       scf.forall
// CHECK:         tensor.empty() : tensor<1x1x256x64xf32>
// CHECK:         lattn.rotate_pairs
// CHECK:         lattn.attention {{.*}} key(%{{.*}} : tensor<?x1x?x64xf32>)
!dynamic = tensor<?x?x?x64xf32>
func.func @dynamic_heads(%q: !dynamic, %k: !dynamic, %v: !dynamic, %o: !dynamic, %s: !dynamic) -> !dynamic {
  %zero = arith.constant 0 : i64
  %0 = lattn.rotary ins(%q : !dynamic) outs(%s : !dynamic) {dim = 64 : i64, position_axis = 2 : i64}
  %1 = lattn.rotary ins(%k : !dynamic) outs(%s : !dynamic) {dim = 64 : i64, position_axis = 2 : i64}
  %2 = lattn.attention query(%0 : !dynamic) key(%1 : !dynamic) value(%v : !dynamic) offset(%zero : i64) outs(%o : !dynamic) {window = #lattn.window<left = 256, right = 0>}
  return %2 : !dynamic
}
