// RUN: lattn-opt %s --lattn-fuse-query-key --canonicalize --cse 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// Gradients of rows with xpos scales are computed in segments of queries. Scales of a
// segment count from the middle of its keys, so they stay bounded: segments and the
// window span at most 55 times the base.

!t = tensor<1x4x?x64xf32>
!l = tensor<1x4x?xf32>

// CHECK-DAG:   #[[SEGMENTS:.*]] = affine_map<()[s0] -> (s0 ceildiv 430)>
// CHECK-DAG:   #[[FIRST:.*]] = affine_map<()[s0] -> (s0 * 430)>
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<()[s0, s1] -> (430, s0 - s1 * 430)>
// CHECK-LABEL: @gradients(
// CHECK-SAME:    %[[Q:[^:]+]]: {{[^,]+}}, %[[K:[^:]+]]:
// CHECK:         %[[N:.*]] = affine.apply #[[SEGMENTS]]
// CHECK:         scf.for %[[I:.*]] = %c0 to %[[N]] step %c1
// CHECK-DAG:       %[[AT:.*]] = affine.apply #[[FIRST]]()[%[[I]]]
// CHECK-DAG:       %[[COUNT:.*]] = affine.min #[[ROWS]]()
// CHECK:           %[[QUERIES:.*]] = tensor.extract_slice %[[Q]][0, 0, %[[AT]], 0] [1, 4, %[[COUNT]], 64]
// CHECK:           %[[KEYS:.*]] = tensor.extract_slice %[[K]][0, 0, %[[FROM:.*]], 0]
// CHECK:           %[[TQ:.*]] = lattn.rotary ins(%[[QUERIES]] : {{.*}}) start(%[[AT]]) center(%[[MIDDLE:.*]]) outs({{.*}}xpos_scale_base = 8
// CHECK:           %[[TK:.*]] = lattn.rotary ins(%[[KEYS]] : {{.*}}) start(%[[FROM]]) center(%[[MIDDLE]]) outs({{.*}}downscale{{.*}}xpos_scale_base = 8
// CHECK:           %[[G:.*]]:3 = lattn.attention_grad query(%[[TQ]] : {{.*}} key(%[[TK]] : {{.*}} origin(%c0, %c0, %[[AT]], %[[FROM]])
// CHECK:           %[[BACK:.*]] = lattn.rotary ins(%[[G]]#0 : {{.*}}) start(%[[AT]]) center(%[[MIDDLE]]) outs({{.*}}transposed
// CHECK:           tensor.insert_slice %[[BACK]] into
// CHECK:           lattn.rotary ins(%[[G]]#1 : {{.*}}) start(%[[FROM]]) center(%[[MIDDLE]]) outs({{.*}}transposed
// Gradients of keys and values that segments share are added up.
// CHECK:           arith.addf
// CHECK:           arith.addf
func.func @gradients(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %do: !t) -> (!t, !t, !t) {
  %p = arith.constant 0 : i64
  %tq = lattn.rotary ins(%q : !t) outs(%q : !t) {dim = 64 : i64, position_axis = 2 : i64, xpos_scale_base = 8.0 : f64}
  %tk = lattn.rotary ins(%k : !t) outs(%k : !t) {dim = 64 : i64, downscale, position_axis = 2 : i64, xpos_scale_base = 8.0 : f64}
  %0:3 = lattn.attention_grad query(%tq : !t) key(%tk : !t) value(%v : !t) offset(%p : i64) output(%o : !t) lse(%l : !l)
      d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t) {window = #lattn.window<left = 10, right = 0>}
  %dq = lattn.rotary ins(%0#0 : !t) outs(%q : !t) {dim = 64 : i64, position_axis = 2 : i64, transposed, xpos_scale_base = 8.0 : f64}
  %dk = lattn.rotary ins(%0#1 : !t) outs(%k : !t) {dim = 64 : i64, downscale, position_axis = 2 : i64, transposed, xpos_scale_base = 8.0 : f64}
  return %dq, %dk, %0#2 : !t, !t, !t
}

// REMARK: remark: xpos scales of its gradients grow along the whole sequence: its window or its positions are not bounded
// CHECK-LABEL: @unbounded(
// CHECK-NOT:     scf.for
func.func @unbounded(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %do: !t) -> (!t, !t, !t) {
  %p = arith.constant 0 : i64
  %tq = lattn.rotary ins(%q : !t) outs(%q : !t) {dim = 64 : i64, position_axis = 2 : i64, xpos_scale_base = 8.0 : f64}
  %tk = lattn.rotary ins(%k : !t) outs(%k : !t) {dim = 64 : i64, downscale, position_axis = 2 : i64, xpos_scale_base = 8.0 : f64}
  %0:3 = lattn.attention_grad query(%tq : !t) key(%tk : !t) value(%v : !t) offset(%p : i64) output(%o : !t) lse(%l : !l)
      d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t) {causal}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}
