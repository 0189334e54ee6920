// RUN: lattn-opt %s --lattn-expand-local-attention --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-expand-local-attention=whole --lattn-narrow-rows --canonicalize | FileCheck %s --check-prefix=GPU

// Rows that attention leaves otherwise than the package are mended from their
// log-sum-exp, and only these.

!t = tensor<2x4x?x8xf32>
!n = tensor<1x14x4x8xbf16>
!kv = tensor<1x14x2x8xbf16>
!w = tensor<1x16x4x8xbf16>

// CHECK-DAG: #[[PADDED:.*]] = affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>
// CHECK-DAG: #[[REACHING:.*]] = affine_map<()[s0] -> (0, s0 - 7)>
// CHECK-DAG: #[[DIFFERENCE:.*]] = affine_map<()[s0, s1] -> (s0 - s1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[ROW_BNHD:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1)>
// CHECK-DAG: #[[SLOT:.*]] = affine_map<()[s0] -> (s0 mod 2)>

// With blocks of 4 and one ahead, rows that reach padded keys are among the last
// 7. Each such key weighs exp(0 - lse), or 1 where there is no other; where a row
// sees none the weight, which may be infinite, is not multiplied by 0.
// CHECK-LABEL: @padded
// CHECK:       %[[N:.*]] = tensor.dim %arg0, %c2
// CHECK:       %[[A:.*]]:2 = lattn.attention {{.*}} outs(%{{[^ ,)]+}} : tensor<2x4x?x8xf32>, %{{[^ ,)]+}} : tensor<2x4x?xf32>) {window = #lattn.window<bucket = 4, back = 1, forward = 1>}
// CHECK:       %[[END:.*]] = affine.apply #[[PADDED]]()
// CHECK:       %[[FIRST:.*]] = affine.max #[[REACHING]]()
// CHECK:       %[[ROWS:.*]] = affine.apply #[[DIFFERENCE]]()[%{{.*}}, %[[FIRST]]]
// CHECK:       %[[LSE:.*]] = tensor.extract_slice %[[A]]#1[0, 0, %[[FIRST]]] [2, 4, %[[ROWS]]]
// CHECK:       %[[TAIL:.*]] = tensor.extract_slice %[[A]]#0[0, 0, %[[FIRST]], 0] [2, 4, %[[ROWS]], 8]
// CHECK:       %[[MASS:.*]] = linalg.generic {{.*}} ins(%[[LSE]] :
// CHECK:         %[[SEEN:.*]] = arith.minsi %{{.*}}, %[[END]]
// CHECK:         arith.subi %[[SEEN]],
// CHECK:         %[[COUNT:.*]] = arith.maxsi
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[L:.*]], %{{.*}}
// CHECK:         %[[SHIFT:.*]] = arith.select %[[NONE]], %[[ZERO:.*]], %[[L]]
// CHECK:         arith.subf %[[ZERO]], %[[SHIFT]]
// CHECK:         math.exp
// CHECK:         %[[WEIGHT:.*]] = arith.mulf
// CHECK:         %[[SOME:.*]] = arith.cmpi sgt, %[[COUNT]],
// CHECK:         arith.select %[[SOME]], %[[WEIGHT]], %[[ZERO]]
// CHECK:       %[[MENDED:.*]] = linalg.generic {indexing_maps = [#[[ROW]], {{.*}} ins(%[[MASS]] : {{.*}} outs(%[[TAIL]] :
// CHECK:         arith.divf
// CHECK:       tensor.insert_slice %[[MENDED]] into %[[A]]#0[0, 0, %[[FIRST]], 0]
// CHECK-NOT:   scf.forall
// CHECK:       return
func.func @padded(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%o : !t) {window_size = 4 : i64, autopad}
  return %0 : !t
}

// In layout bnhd the log-sum-exp is (batch, head, position) all the same. Of 14
// rows the last 7 may reach padded keys. Rows of bf16 are rounded once, at the end.
// CHECK-LABEL: @padded_bnhd
// CHECK:       %[[A:.*]]:2 = lattn.attention {{.*}} outs(%{{.*}} : tensor<1x14x4x8xf32>, %{{.*}} : tensor<1x4x14xf32>)
// CHECK:       tensor.extract_slice %[[A]]#1[0, 0, 7] [1, 4, 7] [1, 1, 1]
// CHECK:       tensor.extract_slice %[[A]]#0[0, 7, 0, 0] [1, 7, 4, 8] [1, 1, 1, 1]
// CHECK:       linalg.generic {indexing_maps = [#[[ROW_BNHD]],
// CHECK-NOT:     arith.truncf
// CHECK:         arith.divf
// CHECK-NOT:     arith.truncf
// CHECK:       %[[ROWS:.*]] = tensor.insert_slice %{{.*}} into %[[A]]#0
// CHECK:       scf.forall (%[[H:.*]]) in (4) shared_outs(%[[OUT:.*]] = %arg2)
// CHECK-DAG:     %[[WIDE:.*]] = tensor.extract_slice %[[ROWS]][0, 0, %[[H]], 0] [1, 14, 1, 8]
// CHECK-DAG:     %[[TILE:.*]] = tensor.extract_slice %[[OUT]][0, 0, %[[H]], 0] [1, 14, 1, 8]
// CHECK:         linalg.generic {{.*}} ins(%[[WIDE]] : {{.*}} outs(%[[TILE]] :
// CHECK:           arith.truncf
// GPU-LABEL:   @padded_bnhd
// GPU-NOT:     scf.forall
// GPU:         arith.divf
// GPU:         linalg.generic {{.*}} outs(%arg2 : tensor<1x14x4x8xbf16>)
// GPU-NEXT:    ^bb0
// GPU-NEXT:      arith.truncf
func.func @padded_bnhd(%q: !n, %k: !kv, %o: !n) -> !n {
  %0 = lattn.local_attention query(%q : !n) key(%k : !kv) value(%k : !kv)
      outs(%o : !n) {window_size = 4 : i64, autopad, layout = #lattn.layout<bnhd>}
  return %0 : !n
}

// Tensor cores take rotated rows of the queries' type.
// CHECK-LABEL: @rotated
// CHECK-COUNT-2: lattn.rotary {{.*}} outs(%{{.*}} : tensor<1x16x4x8xf32>)
// GPU-LABEL:   @rotated
// GPU:         lattn.l2_normalize {{.*}} outs(%{{.*}} : tensor<1x16x4x8xf32>)
// GPU-COUNT-2: lattn.rotary {{.*}} outs(%{{.*}} : tensor<1x16x4x8xbf16>)
// GPU:         lattn.attention query(%{{.*}} : tensor<1x16x4x8xbf16>)
func.func @rotated(%q: !w, %v: !w, %o: !w) -> !w {
  %0 = lattn.local_attention query(%q : !w) key(%q : !w) value(%v : !w)
      outs(%o : !w) {window_size = 4 : i64, shared_qk, causal, dim = 8 : i64,
        layout = #lattn.layout<bnhd>}
  return %0 : !w
}

// 16 rows are whole blocks.
// CHECK-LABEL: @whole
// CHECK:       lattn.attention {{.*}} outs(%arg2 : tensor<1x16x4x8xbf16>)
// CHECK-NEXT:  return
func.func @whole(%q: !w, %k: !w, %o: !w) -> !w {
  %0 = lattn.local_attention query(%q : !w) key(%k : !w) value(%k : !w)
      outs(%o : !w) {window_size = 4 : i64, autopad, layout = #lattn.layout<bnhd>}
  return %0 : !w
}

// With a bias padded keys differ: a sum over them. A row that sees no other key is
// not empty.
// CHECK-LABEL: @padded_bias
// CHECK:       %[[A:.*]]:2 = lattn.attention {{.*}} {bias_map =
// CHECK:       linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK:         affine.apply #[[SLOT]]
// CHECK:         %[[B:.*]] = tensor.extract %arg3[
// CHECK:         %[[S:.*]] = arith.select %{{.*}}, %[[B]],
// CHECK:         arith.subf %[[S]],
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK:       %[[O:.*]] = tensor.insert_slice %{{.*}} into %[[A]]#0
// CHECK:       %[[LSE:.*]] = tensor.insert_slice %{{.*}} into %[[A]]#1
// CHECK:       scf.forall {{.*}} shared_outs(%{{.*}} = %[[O]])
// CHECK:         tensor.extract_slice %[[LSE]]
func.func @padded_bias(%q: !t, %k: !t, %v: !t, %b: tensor<2x1x1xf32>, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      bias(%b : tensor<2x1x1xf32>) outs(%o : !t) {window_size = 4 : i64, autopad}
  return %0 : !t
}

// A mask hides padded keys. Rows of -inf, if a block of queries has any, get the
// mean of its 12 slots, which starts at -1 for each outside the sequence.
// CHECK-LABEL: @empty
// CHECK-DAG:   %[[MINUS:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:   %[[TWELVE:.*]] = arith.constant 1.200000e+01 : f32
// CHECK:       %[[A:.*]]:2 = lattn.attention {{.*}} key_mask(
// CHECK-NOT:   math.exp
// CHECK:       %[[END:.*]] = affine.apply #[[PADDED]]()
// CHECK:       scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, %{{.*}}) shared_outs(%{{.*}} = %[[A]]#0)
// CHECK:         linalg.generic {{.*}} ["reduction", "reduction", "reduction"]
// CHECK:           arith.cmpf oeq, %{{.*}}, %[[MINUS]]
// CHECK:           arith.ori
// CHECK:         %[[ANY:.*]] = tensor.extract
// CHECK:         scf.if %[[ANY]]
// CHECK:           %[[LAST:.*]] = arith.minsi %{{.*}}, %[[END]]
// CHECK:           %[[LENGTH:.*]] = arith.subi %[[LAST]],
// CHECK:           %[[INSIDE:.*]] = arith.maxsi %[[LENGTH]], %c0
// CHECK:           arith.subi %c12, %[[INSIDE]]
// CHECK:           tensor.extract_slice %arg2[%[[B]], %[[H]], %{{.*}}, 0] [1, 1, %{{.*}}, 8]
// CHECK:           arith.divf %{{.*}}, %[[TWELVE]]
// CHECK:           arith.select %{{.*}}, %{{.*}}, %{{.*}}
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[TILE:.*]] :
// CHECK:         tensor.parallel_insert_slice
func.func @empty(%q: !t, %k: !t, %v: !t, %m: tensor<2x?xi1>, %o: !t) -> !t {
  %0 = lattn.local_attention query(%q : !t) key(%k : !t) value(%v : !t)
      key_mask(%m : tensor<2x?xi1>) outs(%o : !t) {window_size = 4 : i64, autopad}
  return %0 : !t
}

// A bias of -inf empties rows that see some keys: the mean is that of the slots
// hidden from the row, which column 8 counts.
// CHECK-LABEL: @empty_bias
// CHECK:       scf.forall (%[[H:.*]], %[[I:.*]]) in (4, 14)
// CHECK:         scf.if
// CHECK-DAG:       %[[KV:.*]] = arith.divsi %[[H]], %c2
// CHECK-DAG:       linalg.fill {{.*}} outs(%{{.*}} : tensor<9xf32>)
// CHECK:           tensor.extract %arg1[%{{.*}}, %{{.*}}, %[[KV]], %{{.*}}]
// CHECK:           %[[COUNT:.*]] = tensor.extract %{{.*}}[%c8] : tensor<9xf32>
// CHECK:           arith.divf %{{.*}}, %[[COUNT]]
func.func @empty_bias(%q: !n, %k: !kv, %b: tensor<4x1x1xf32>, %o: !n) -> !n {
  %0 = lattn.local_attention query(%q : !n) key(%k : !kv) value(%k : !kv)
      bias(%b : tensor<4x1x1xf32>) outs(%o : !n)
      {window_size = 7 : i64, causal, layout = #lattn.layout<bnhd>}
  return %0 : !n
}
