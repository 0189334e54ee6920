// RUN: lattn-opt %s --lattn-fuse-query-key=stage --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-fuse-query-key --canonicalize --cse | FileCheck %s --check-prefix=NOT
// RUN: lattn-opt %s --lattn-fuse-query-key="stage keep-bf16" --canonicalize --cse | FileCheck %s --check-prefix=BF16
// NOT-NOT: lattn.stage_rows

// Each block stages the keys and values that its 256 queries see.

!t = tensor<2x?x4x64xf32>

// CHECK-LABEL: @local
// The heads of a block follow each other: in bnhd they share pages.
// CHECK:       scf.forall (%[[B:.*]], %[[I:.*]], %[[H:.*]]) in (2, %{{.*}}, 4)
// CHECK:         %[[K:.*]] = tensor.extract_slice %arg1[%[[B]], %[[FROM:[^,]+]], %[[H]], 0] [1, %[[KEYS:[^,]+]], 1, 64]
// CHECK:         %[[V:.*]] = tensor.extract_slice %arg2[%[[B]], %[[FROM]], %[[H]], 0] [1, %[[KEYS]], 1, 64]
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x384x1x64xf32>
// CHECK:         %[[SK:.*]] = lattn.stage_rows ins(%[[K]] : {{.*}}) scratch(%[[E]] : {{.*}}) {position_axis = 1 : i64}
// CHECK:         %[[SV:.*]] = lattn.stage_rows ins(%[[V]] :
// CHECK:         lattn.attention query({{.*}}) key(%[[SK]] : {{.*}}) value(%[[SV]] : {{.*}} origin(%[[B]], %[[H]], %{{.*}}, %[[FROM]])
func.func @local(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 128, right = 0>, layout = #lattn.layout<bnhd>}
  return %0 : !t
}

// Turned keys are in scratch already; values of bf16 are widened once.
// CHECK-LABEL: @rotary
// CHECK:         %[[TK:.*]] = lattn.rotate_pairs {{.*}} outs(%{{.*}} : tensor<1x1x?x64xf32>)
// CHECK:         %[[SV:.*]] = lattn.stage_rows ins({{.*}} : tensor<1x1x?x64xbf16>) scratch({{.*}} : tensor<1x1x272x64xf32>) {position_axis = 2 : i64} -> tensor<1x1x?x64xf32>
// CHECK-NOT:     lattn.stage_rows
// CHECK:         lattn.attention {{.*}} key(%{{.*}}) value(%[[SV]] :
!r = tensor<2x4x?x64xbf16>
func.func @rotary(%q: !r, %k: !r, %v: !r, %o: !r) -> !r {
  %zero = arith.constant 0 : i64
  %q1 = lattn.rotary ins(%q : !r) outs(%o : !r) {dim = 64 : i64}
  %k1 = lattn.rotary ins(%k : !r) outs(%o : !r) {dim = 64 : i64}
  %0 = lattn.attention query(%q1 : !r) key(%k1 : !r) value(%v : !r)
      offset(%zero : i64) outs(%o : !r) {window = #lattn.window<left = 16, right = 0>}
  return %0 : !r
}

// Nothing is staged for few queries, where the window does not bound a block's
// keys, and where a block's rows would fill no cache.
// CHECK-LABEL: @few
// CHECK-NOT:   scf.forall
!f = tensor<1x4x63x64xf32>
func.func @few(%q: !f, %k: !f, %v: !f, %o: !f) -> !f {
  %0 = lattn.attention query(%q : !f) key(%k : !f) value(%v : !f) outs(%o : !f)
      {window = #lattn.window<left = 16, right = 0>}
  return %0 : !f
}
// CHECK-LABEL: @unbounded
// CHECK-NOT:   scf.forall
func.func @unbounded(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<right = 0>, layout = #lattn.layout<bnhd>}
  return %0 : !t
}
// CHECK-LABEL: @wide
// CHECK-NOT:   scf.forall
func.func @wide(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 4096, right = 0>, layout = #lattn.layout<bnhd>}
  return %0 : !t
}

// Rows that are turned or normalised are never rounded to bf16, and what they meet
// is wide too; values stay as they are, and the note says so.
// CHECK-LABEL: @turned
// BF16-LABEL:  func.func @turned
// BF16:          lattn.l2_normalize ins({{.*}} : tensor<1x1x{{[^x]*}}x64xbf16>) outs({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>)
// BF16:          lattn.rotate_pairs ins({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>, {{.*}}) start({{.*}}) outs({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>)
// BF16:          lattn.rotate_pairs {{.*}} outs({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>)
// BF16:          lattn.stage_rows {{.*}} -> tensor<1x1x{{[^x]*}}x64xbf16>
// BF16:          lattn.attention query({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>) key({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>) value({{.*}} : tensor<1x1x{{[^x]*}}x64xbf16>)
// BF16-SAME:     schedule = #lattn.schedule<products = dot_values>
!turned = tensor<1x8x4096x64xbf16>
func.func @turned(%q: !turned, %k: !turned, %v: !turned, %e: !turned) -> !turned {
  %qn = lattn.l2_normalize ins(%q : !turned) outs(%e : !turned)
  %qr = lattn.rotary ins(%qn : !turned) outs(%e : !turned) {dim = 64 : i64}
  %kr = lattn.rotary ins(%k : !turned) outs(%e : !turned) {dim = 64 : i64}
  %0 = lattn.attention query(%qr : !turned) key(%kr : !turned) value(%v : !turned) outs(%e : !turned)
      {window = #lattn.window<left = 16, right = 0>}
  return %0 : !turned
}

// Only queries are normalised: keys are staged wide, once for all their tiles.
// CHECK-LABEL: @normalized
// BF16-LABEL:  func.func @normalized
// BF16:          lattn.l2_normalize {{.*}} outs({{.*}} : tensor<1x1x{{[^x]*}}x64xf32>)
// BF16:          lattn.stage_rows {{.*}} -> tensor<1x1x{{[^x]*}}x64xf32>
// BF16:          lattn.stage_rows {{.*}} -> tensor<1x1x{{[^x]*}}x64xbf16>
func.func @normalized(%q: !turned, %k: !turned, %v: !turned, %e: !turned) -> !turned {
  %qn = lattn.l2_normalize ins(%q : !turned) outs(%e : !turned)
  %0 = lattn.attention query(%qn : !turned) key(%k : !turned) value(%v : !turned) outs(%e : !turned)
      {window = #lattn.window<left = 16, right = 0>}
  return %0 : !turned
}
