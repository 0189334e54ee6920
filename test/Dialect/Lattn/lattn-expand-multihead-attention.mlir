// RUN: lattn-opt %s --lattn-expand-multihead-attention --canonicalize --cse | FileCheck %s

!x = tensor<2x?x8xf32>
!w = tensor<8x8xf32>
!d = tensor<1x3x8xf64>
!e = tensor<8x8xf64>
!b = tensor<8xf32>
!s = tensor<2x2x?x4xf32>

// Weights are read as they lie, a bias is what sums start with; query, key and
// value are views of their products.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[WEIGHT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[SWAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: @plain
// CHECK-SAME:  (%[[X:[^:]+]]: {{[^,]+}}, %[[Y:[^:]+]]: {{[^,]+}}, %[[WQ:[^:]+]]: {{[^,]+}}, %[[WK:[^:]+]]: {{[^,]+}}, %[[WV:[^:]+]]: {{[^,]+}}, %[[WO:[^:]+]]: {{[^,]+}}, %[[B:[^:]+]]: {{[^,]+}}, %[[G:[^:]+]]:
// CHECK:       %[[RX:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK:       %[[START:.*]] = linalg.broadcast ins(%[[B]] : tensor<8xf32>) outs(%{{[^ ,)]+}} : tensor<?x8xf32>) dimensions = [0]
// CHECK:       %[[PQ:.*]] = linalg.matmul indexing_maps = [#[[ROWS]], #[[WEIGHT]], #{{.*}}] ins(%[[RX]], %[[WQ]] : {{.*}}) outs(%[[START]] :
// CHECK:       %[[Q:.*]] = tensor.expand_shape %[[PQ]] {{\[}}[0, 1], [2, 3]] output_shape [2, %{{[^ ,)]+}}, 2, 4]
// CHECK:       %[[RY:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0, 1], [2]]
// CHECK:       %[[ZERO:.*]] = linalg.fill
// CHECK:       %[[PK:.*]] = linalg.matmul {{.*}} ins(%[[RY]], %[[WK]] : {{.*}}) outs(%[[ZERO]] :
// CHECK:       %[[K:.*]] = tensor.expand_shape %[[PK]] {{\[}}[0, 1], [2, 3]]
// CHECK:       %[[PV:.*]] = linalg.matmul {{.*}} ins(%[[RY]], %[[WV]] : {{.*}}) outs(%[[ZERO]] :
// CHECK:       %[[V:.*]] = tensor.expand_shape %[[PV]] {{\[}}[0, 1], [2, 3]]
// CHECK:       %[[A:.*]] = lattn.attention query(%[[Q]] : {{.*}}) key(%[[K]] : {{.*}}) value(%[[V]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x?x2x4xf32>) {layout = #lattn.layout<bnhd>, scale = 3.000000e+00 : f64}
// CHECK:       %[[M:.*]] = tensor.collapse_shape %[[A]] {{\[}}[0], [1], [2, 3]]
// CHECK:       %[[NORMED:.*]] = linalg.generic {{.*}} ins(%[[M]], %{{[^ ,)]+}}, %{{[^ ,)]+}}, %[[G]] :
// CHECK:       %[[R:.*]] = tensor.collapse_shape %[[NORMED]] {{\[}}[0, 1], [2]]
// CHECK:       linalg.matmul {{.*}} ins(%[[R]], %[[WO]] :
func.func @plain(%x: !x, %y: !x, %q: !w, %k: !w, %v: !w, %w: !w, %b: !b,
    %g: !b, %o: !x) -> !x {
  %0 = lattn.multihead_attention query(%x : !x) key(%y : !x) value(%y : !x)
      w_q(%q : !w) w_k(%k : !w) w_v(%v : !w) w_out(%w : !w) b_q(%b : !b)
      subln_gain(%g : !b) outs(%o : !x)
      {heads = 2 : i64, scale = 3.0 : f64, subln_eps = 2.0e-2 : f64}
  return %0 : !x
}


// The state takes the keys and values before, then these; xpos comes after it,
// for queries at the last position.
// CHECK-LABEL: @state
// CHECK-SAME:  (%{{[^:]+}}: {{[^,]+}}, %{{[^:]+}}: {{[^,]+}}, %[[PREV:[^:]+]]: {{[^,]+}}, %[[NEXT:[^:]+]]:
// CHECK:       %[[P:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2, 3]]
// CHECK:       %[[Q:.*]] = linalg.generic {indexing_maps = [#[[SWAP]], {{.*}} ins(%[[P]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x2x?x4xf32>)
// CHECK:       %[[BEFORE:.*]] = tensor.dim %[[PREV]]
// CHECK:       %[[S0:.*]] = tensor.insert_slice %[[PREV]] into %[[NEXT]][0, 0, 0, 0] [2, 2, %[[BEFORE]], 4]
// CHECK:       %[[ROWS:.*]] = tensor.extract_slice %[[S0]][0, 0, %[[BEFORE]], 0]
// CHECK:       %[[NEW:.*]] = linalg.generic {indexing_maps = [#[[SWAP]], {{.*}} ins(%[[P]] : {{.*}}) outs(%[[ROWS]] :
// CHECK:       %[[S:.*]] = tensor.insert_slice %[[NEW]] into %[[S0]][0, 0, %[[BEFORE]], 0]
// CHECK:       %[[ALL:.*]] = tensor.dim %[[NEXT]]
// CHECK:       %[[LAST:.*]] = affine.apply #{{.*}}()[%[[ALL]]]
// CHECK:       %[[Q1:.*]] = lattn.rotary ins(%[[Q]] : {{.*}}) start(%[[LAST]]) center({{.*}} {dim = 4 : i64, interleaved, position_axis = 2 : i64, xpos_scale_base = 5.120000e+02 : f64}
// CHECK:       %[[K1:.*]] = lattn.rotary ins(%[[S]] : {{.*}}) start(%c0) center({{.*}} {dim = 4 : i64, downscale, interleaved,
// CHECK:       %[[A:.*]] = lattn.attention query(%[[Q1]] : {{.*}}) key(%[[K1]] : {{.*}}) value(%[[S]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x2x?x4xf32>)
// CHECK:       linalg.generic {indexing_maps = [#[[SWAP]], {{.*}} ins(%[[A]] : {{.*}}) outs(%{{[^ ,)]+}} : tensor<2x?x2x4xf32>)
// CHECK:       return %{{[^ ,)]+}}, %[[S]], %[[S]]
func.func @state(%x: !x, %w: !w, %prev: !s, %next: !s, %o: !x) -> (!x, !s, !s) {
  %0:3 = lattn.multihead_attention query(%x : !x) key(%x : !x) value(%x : !x)
      w_q(%w : !w) w_k(%w : !w) w_v(%w : !w) w_out(%w : !w)
      prev_key(%prev : !s) prev_value(%prev : !s) outs(%o : !x)
      next_key(%next : !s) next_value(%next : !s) {heads = 2 : i64, use_xpos}
  return %0#0, %0#1, %0#2 : !x, !s, !s
}

// The mask is inverted. Of two arrays that are added one is captured, since the
// score must be finite before. Empty rows become NaN if there are keys.
// CHECK-LABEL: @scores
// CHECK-SAME:  (%{{[^:]+}}: {{[^,]+}}, %{{[^:]+}}: {{[^,]+}}, %[[MASK:[^:]+]]: {{[^,]+}}, %[[ADD:[^:]+]]: {{[^,]+}}, %[[REL:[^:]+]]: {{[^,]+}}, %[[WEIGHTS:[^:]+]]: {{[^,]+}}, %{{[^:]+}}: {{[^,]+}}, %[[P:[^:]+]]: {{[^,]+}}, %[[SEED:[^:]+]]:
// CHECK-DAG:   %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-DAG:   %[[NONE:.*]] = arith.constant 0xFF800000 : f32
// CHECK:       %[[TAKEN:.*]] = linalg.generic {{.*}} ins(%[[MASK]] : tensor<2x?xi1>)
// CHECK:         arith.xori
// CHECK:       %[[A:.*]]:2 = lattn.attention {{.*}} bias(%[[REL]] : {{.*}}) key_mask(%[[TAKEN]] : {{.*}}) dropout(%[[P]], %[[SEED]], %[[SEED]] : f32, i64, i64) captures(%[[ADD]] : {{.*}} {layout = #lattn.layout<bnhd>, window = #lattn.window<right = 0>} score {
// CHECK-NEXT:  ^bb0(%[[S:.*]]: f32, {{.*}}, %[[I:[^:]*]]: i32, %[[J:[^:]*]]: i32, %[[T:[^:]*]]: tensor<?x?xf32>):
// CHECK:         %[[ISNAN:.*]] = arith.cmpf uno, %[[S]], %[[S]]
// CHECK:         %[[NUMBER:.*]] = arith.select %[[ISNAN]], %{{[^ ,)]+}}, %[[S]]
// CHECK:         %[[UPPER:.*]] = arith.minimumf %[[NUMBER]]
// CHECK:         %[[FINITE:.*]] = arith.maximumf %[[UPPER]]
// CHECK:         %[[II:.*]] = arith.index_cast %[[I]]
// CHECK:         %[[JJ:.*]] = arith.index_cast %[[J]]
// CHECK:         %[[E:.*]] = tensor.extract %[[T]][%[[II]], %[[JJ]]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[FINITE]], %[[E]]
// CHECK-NEXT:    lattn.yield %[[SUM]]
// CHECK:       %[[SOME:.*]] = arith.cmpi ne
// CHECK:       linalg.generic {{.*}} ins(%[[A]]#0, %[[A]]#1 :
// CHECK-NEXT:  ^bb0(%[[X:.*]]: f32, %[[LSE:.*]]: f32, %{{.*}}: f32):
// CHECK:         %[[EMPTY:.*]] = arith.cmpf oeq, %[[LSE]], %[[NONE]]
// CHECK:         %[[FILL:.*]] = arith.andi %[[EMPTY]], %[[SOME]]
// CHECK:         arith.select %[[FILL]], %[[NAN]], %[[X]]
// CHECK:       %[[W:.*]] = lattn.attention_scores {{.*}} bias(%[[REL]] : {{.*}}) key_mask(%[[TAKEN]] : {{.*}}) captures(%[[ADD]] : {{.*}} {causal, layout = #lattn.layout<bnhd>, stage = #lattn.stage<weights>} score {
// CHECK:         arith.minimumf
// CHECK:       %[[R:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[A]]#1 : {{.*}}) outs(%[[WEIGHTS]] :
// CHECK:       return %{{[^ ,)]+}}, %[[R]]
func.func @scores(%x: !x, %w: !w, %mask: tensor<2x?xi1>,
    %add: tensor<?x?xf32>, %rel: tensor<1x?x1xf32>,
    %weights: tensor<2x2x?x?xf32>, %o: !x, %p: f32, %seed: i64)
    -> (!x, tensor<2x2x?x?xf32>) {
  %0:2 = lattn.multihead_attention query(%x : !x) key(%x : !x) value(%x : !x)
      w_q(%w : !w) w_k(%w : !w) w_v(%w : !w) w_out(%w : !w)
      key_padding_mask(%mask : tensor<2x?xi1>) attn_mask(%add : tensor<?x?xf32>)
      rel_pos(%rel : tensor<1x?x1xf32>) dropout(%p, %seed, %seed : f32, i64, i64)
      outs(%o : !x) weights(%weights : tensor<2x2x?x?xf32>) {heads = 2 : i64, causal}
  return %0#0, %0#1 : !x, tensor<2x2x?x?xf32>
}

// In f64 the sum is rounded to f32.
// CHECK-LABEL: @wide
// CHECK-SAME:  %[[REL:[^:]+]]: tensor<2x3x3xf64>
// CHECK:       lattn.attention {{.*}} captures(%[[REL]] : tensor<2x3x3xf64>)
// CHECK-NOT:     minimumf
// CHECK:         tensor.extract %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : tensor<2x3x3xf64>
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    arith.truncf {{.*}} : f64 to f32
// CHECK-NEXT:    arith.extf
// CHECK-NEXT:    lattn.yield
func.func @wide(%x: !d, %w: !e, %rel: tensor<2x3x3xf64>, %o: !d) -> !d {
  %0 = lattn.multihead_attention query(%x : !d) key(%x : !d) value(%x : !d)
      w_q(%w : !e) w_k(%w : !e) w_v(%w : !e) w_out(%w : !e)
      rel_pos(%rel : tensor<2x3x3xf64>) outs(%o : !d) {heads = 2 : i64}
  return %0 : !d
}

// Nothing to compute, nor of the state.
// CHECK-LABEL: @empty
// CHECK-SAME:  %[[O:[^:]+]]: tensor<0x?x8xf32>, %[[S:[^:]+]]: tensor<0x2x?x4xf32>)
// CHECK-NEXT:  return %[[O]], %[[S]], %[[S]]
func.func @empty(%w: !w, %x: tensor<0x?x8xf32>, %s: tensor<0x2x?x4xf32>)
    -> (tensor<0x?x8xf32>, tensor<0x2x?x4xf32>, tensor<0x2x?x4xf32>) {
  %0:3 = lattn.multihead_attention query(%x : tensor<0x?x8xf32>)
      key(%x : tensor<0x?x8xf32>) value(%x : tensor<0x?x8xf32>)
      w_q(%w : !w) w_k(%w : !w) w_v(%w : !w) w_out(%w : !w)
      outs(%x : tensor<0x?x8xf32>) next_key(%s : tensor<0x2x?x4xf32>)
      next_value(%s : tensor<0x2x?x4xf32>) {heads = 2 : i64}
  return %0#0, %0#1, %0#2 : tensor<0x?x8xf32>, tensor<0x2x?x4xf32>,
      tensor<0x2x?x4xf32>
}
