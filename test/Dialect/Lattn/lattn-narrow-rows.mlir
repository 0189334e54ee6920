// RUN: lattn-opt %s --lattn-narrow-rows --canonicalize | FileCheck %s

!t = tensor<1x4x64x16xbf16>
!w = tensor<1x4x64x16xf32>
!l = tensor<1x4x64xf32>

// The op that makes the rows rounds them. Others still get them as they were.
// CHECK-LABEL: @rotated
// CHECK-SAME:  %[[Q:[^:]+]]: tensor<1x4x64x16xbf16>, %[[W:[^:]+]]: tensor<1x4x64x16xf32>
// CHECK-DAG:   %[[WIDE:.*]] = lattn.rotary ins(%[[Q]] : {{.*}}) outs(%[[W]] : tensor<1x4x64x16xf32>)
// CHECK-DAG:   %[[NARROW:.*]] = lattn.rotary ins(%[[Q]] : {{.*}}) outs(%{{.*}} : tensor<1x4x64x16xbf16>)
// CHECK:       %[[O:.*]] = lattn.attention query(%[[NARROW]] : tensor<1x4x64x16xbf16>) key(%[[Q]] :
// CHECK:       return %[[O]], %[[WIDE]]
func.func @rotated(%q: !t, %w: !w, %o: !t) -> (!t, !w) {
  %0 = lattn.rotary ins(%q : !t) outs(%w : !w) {dim = 16 : i64, position_axis = 2 : i64}
  %1 = lattn.attention query(%0 : !w) key(%q : !t) value(%q : !t) outs(%o : !t)
  return %1, %0 : !t, !w
}

// Another op is followed by one that rounds.
// CHECK-LABEL: @computed
// CHECK:       %[[ROWS:.*]] = linalg.exp
// CHECK:       %[[NARROW:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<1x4x64x16xf32>) outs(%{{.*}} : tensor<1x4x64x16xbf16>)
// CHECK:         arith.truncf
// CHECK:       lattn.attention_grad {{.*}} d_output(%[[NARROW]] : tensor<1x4x64x16xbf16>)
func.func @computed(%q: !t, %w: !w, %lse: !l, %o: !t) -> !w {
  %0 = linalg.exp ins(%w : !w) outs(%w : !w) -> !w
  %1:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) output(%o : !t)
      lse(%lse : !l) d_output(%0 : !w) outs(%w, %w, %w : !w, !w, !w)
  return %1#0 : !w
}

// Rows from outside stay, and so do those beside wide values.
// CHECK-LABEL: @wide
// CHECK:       lattn.attention query(%{{.*}} : tensor<1x4x64x16xf32>) key(%{{.*}} : tensor<1x4x64x16xbf16>)
// CHECK:       lattn.rotary {{.*}} outs(%{{.*}} : tensor<1x4x64x16xf32>)
// CHECK-NEXT:  lattn.attention query(%{{.*}} : tensor<1x4x64x16xf32>) {{.*}} value(%{{.*}} : tensor<1x4x64x16xf32>)
func.func @wide(%q: !t, %w: !w, %o: !t) -> (!t, !w) {
  %0 = lattn.attention query(%w : !w) key(%q : !t) value(%q : !t) outs(%o : !t)
  %1 = lattn.rotary ins(%q : !t) outs(%w : !w) {dim = 16 : i64, position_axis = 2 : i64}
  %2 = lattn.attention query(%1 : !w) key(%w : !w) value(%w : !w) outs(%w : !w)
  return %0, %2 : !t, !w
}

// The program checks the positions where the type does not tell them.
// CHECK-LABEL: @open
// CHECK:       %[[N:.*]] = tensor.dim %{{.*}} : tensor<1x4x?x16xbf16>
// CHECK:       %[[FITS:.*]] = arith.cmpi sle, %[[N]], %{{.*}} : index
// CHECK:       cf.assert %[[FITS]], "lattn.rotary: expected at most 10976 positions with xpos_scale_base = 160 and bf16 on a GPU, where larger scales overflow"
func.func @open(%q: tensor<1x4x?x16xbf16>, %w: tensor<1x4x?x16xf32>, %o: tensor<1x4x?x16xbf16>) -> tensor<1x4x?x16xbf16> {
  %0 = lattn.rotary ins(%q : tensor<1x4x?x16xbf16>) outs(%w : tensor<1x4x?x16xf32>)
      {dim = 16 : i64, position_axis = 2 : i64, xpos_scale_base = 160.0 : f64}
  %1 = lattn.attention query(%0 : tensor<1x4x?x16xf32>) key(%q : tensor<1x4x?x16xbf16>)
      value(%q : tensor<1x4x?x16xbf16>) outs(%o : tensor<1x4x?x16xbf16>)
  return %1 : tensor<1x4x?x16xbf16>
}
