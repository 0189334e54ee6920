// RUN: lattn-opt %s --lattn-tile-grad --canonicalize --cse | FileCheck %s

// Gradients of a bias. Sums have queries last, as a tile's gradients have. Tiles that
// go along the bias with keys and queries add to a rectangle of it.

!t = tensor<1x2x?x8xf32>
!l = tensor<1x2x?xf32>
!blocks = tensor<2x64x128xf32>
!diagonal = tensor<2x5xf32>

// Of local attention: where neither remainder wraps within the tile.
// CHECK-LABEL: @blocks
// CHECK:       scf.forall {{.*}} shared_outs({{.*}} %[[SUMS:[^ ]+]] = %{{[^ ]+}}) -> ({{.*}}, tensor<1x1x?x2x128x64xf32>)
// CHECK:         lattn.attention_grad_step
// CHECK:         %[[ROW:.*]] = arith.floordivsi %{{.*}}, %c64
// CHECK:         %[[LAST:.*]] = arith.floordivsi %{{.*}}, %c64
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[ROW]], %[[LAST]]
// CHECK:         %[[SLOT:.*]] = arith.floordivsi %{{.*}}, %c128
// CHECK:         %[[LASTSLOT:.*]] = arith.floordivsi %{{.*}}, %c128
// CHECK:         %[[SAMESLOT:.*]] = arith.cmpi eq, %[[SLOT]], %[[LASTSLOT]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[SAME]], %[[SAMESLOT]]
// CHECK:         %[[ALL:.*]] = arith.andi %[[BOTH]], %[[SAME]]
// CHECK:         scf.if %[[ALL]]
// CHECK:           tensor.extract_slice {{.*}} to tensor<?x?xf32>
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK:             arith.addf
// CHECK:           tensor.insert_slice
// CHECK:         else
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               tensor.insert
func.func @blocks(%q: !t, %l: !l, %bias: !blocks) -> (!t, !t, !t, !blocks) {
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%bias : !blocks) output(%q : !t) lse(%l : !l) d_output(%q : !t)
      outs(%q, %q, %q : !t, !t, !t) d_bias(%bias : !blocks)
      {window = #lattn.window<left = 64, right = 0, bucket = 64, back = 1>,
       bias_map = affine_map<(b, h, i, j) ->
         (h, i mod 64, (j - (i floordiv 64 - 1) * 64) mod 128)>}
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, !blocks
}

// Pairs of a diagonal share an element: they follow each other.
// CHECK-LABEL: @diagonal
// CHECK:       lattn.attention_grad_step
// CHECK-NOT:   scf.if
// CHECK:       tensor.insert
func.func @diagonal(%q: !t, %l: !l, %bias: !diagonal) -> (!t, !t, !t, !diagonal) {
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      bias(%bias : !diagonal) output(%q : !t) lse(%l : !l) d_output(%q : !t)
      outs(%q, %q, %q : !t, !t, !t) d_bias(%bias : !diagonal)
      {bias_map = affine_map<(b, h, i, j) -> (h, (i + j) mod 5)>}
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, !diagonal
}
