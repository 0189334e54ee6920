// RUN: lattn-opt %s --lattn-branch-few-queries --canonicalize --cse | FileCheck %s
// RUN: lattn-opt %s --lattn-branch-few-queries=gpu | FileCheck %s --check-prefix=ANY
// RUN: lattn-opt %s --lattn-branch-few-queries=few=4 | FileCheck %s --check-prefix=FEW
// RUN: not lattn-opt %s --lattn-branch-few-queries=few=-1 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: lattn-branch-few-queries: expected few to be from 0 to 512, got -1

!q = tensor<2x4x?x8xf32>
!k = tensor<2x2x?x8xf32>
!l = tensor<2x4x?xf32>

// Both branches, the one for one query first.
// FEW-LABEL:   @decode
// FEW:         arith.cmpi ne, %{{.*}}, %c1
// FEW:         scf.if
// FEW:           arith.cmpi ugt, %{{.*}}, %c4
// FEW:           scf.if
// FEW:             lattn.attention {{.*}} {window
// FEW:           } else {
// FEW:             lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 4, lanes = features>, window
// FEW:         } else {
// FEW:           lattn.attention query(%{{.*}} : tensor<2x4x1x8xf32>)
// CHECK-LABEL: @decode
// CHECK:       %[[N:.*]] = tensor.dim %arg0, %c2
// CHECK:       %[[MANY:.*]] = arith.cmpi ne, %[[N]], %c1
// CHECK:       %[[R:.*]]:2 = scf.if %[[MANY]] -> (tensor<2x4x?x8xf32>, tensor<2x4x?xf32>)
// CHECK:         %[[Y:.*]]:2 = lattn.attention query(%arg0 : tensor<2x4x?x8xf32>)
// CHECK:         scf.yield %[[Y]]#0, %[[Y]]#1
// CHECK:       } else {
// CHECK:         %[[X:.*]]:2 = lattn.attention query(%{{.*}} : tensor<2x4x1x8xf32>) key(%arg1 : tensor<2x2x?x8xf32>) {{.*}} outs(%{{.*}} : tensor<2x4x1x8xf32>, %{{.*}} : tensor<2x4x1xf32>) {window = #lattn.window<left = 9, right = 0>}
// CHECK-DAG:     %[[O:.*]] = tensor.cast %[[X]]#0
// CHECK-DAG:     %[[L:.*]] = tensor.cast %[[X]]#1
// CHECK:         scf.yield %[[O]], %[[L]]
// CHECK:       return %[[R]]#0, %[[R]]#1
func.func @decode(%q: !q, %k: !k, %v: !k, %o: !q, %l: !l) -> (!q, !l) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%o : !q, %l : !l) {window = #lattn.window<left = 9, right = 0>}
  return %0#0, %0#1 : !q, !l
}

// Nothing to gain where each head has keys of its own; no tile of several heads
// where the head decides about scores. A sink is in the state of its head, which
// a GPU's tiles do not take.
// CHECK-LABEL: @own_keys
// CHECK-NOT:   scf.if
// CHECK-LABEL: @by_head
// CHECK-NOT:   scf.if
// CHECK-LABEL: @sink
// CHECK:       scf.if
// ANY-LABEL:   @sink
// ANY-NOT:     scf.if
// CHECK-LABEL: @known_rows
// CHECK-NOT:   scf.if
// FEW-LABEL:   @own_keys
// FEW:         scf.if
// FEW:         lanes = features
// FEW-LABEL:   @by_head
// FEW:         scf.if
// FEW:         lanes = features
// FEW-LABEL:   @sink
// FEW:         scf.if
// FEW:         lanes = features
// FEW-LABEL:   @known_rows
// FEW-NOT:     scf.if
// FEW-LABEL:   @unknown_heads
func.func @own_keys(%q: !q, %k: !q, %v: !q, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !q) value(%v : !q) outs(%o : !q)
  return %0 : !q
}
func.func @by_head(%q: !q, %k: !k, %v: !k, %b: tensor<4x1x?xf32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k)
      bias(%b : tensor<4x1x?xf32>) outs(%o : !q)
  return %0 : !q
}
func.func @sink(%q: !q, %k: !k, %v: !k, %s: tensor<4xf32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k)
      sink(%s : tensor<4xf32>) outs(%o : !q)
  return %0 : !q
}
// The number of queries is known by another array.
func.func @known_rows(%q: !q, %k: !k, %v: !k, %o: tensor<2x4x24x8xf32>) -> tensor<2x4x24x8xf32> {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%o : tensor<2x4x24x8xf32>)
  return %0 : tensor<2x4x24x8xf32>
}

// Heads that are not known may share keys.
// CHECK-LABEL: @unknown_heads
// CHECK-NOT:   scf.if
// ANY-LABEL:   @unknown_heads
// ANY:         scf.if
!u = tensor<2x?x?x8xf32>
func.func @unknown_heads(%q: !u, %k: !u, %v: !u, %o: !u) -> !u {
  %0 = lattn.attention query(%q : !u) key(%k : !u) value(%v : !u) outs(%o : !u)
  return %0 : !u
}

// A schedule that asks for a form, or for products that only packed tiles have.
// FEW-LABEL:   @asked
// FEW-NOT:     scf.if
// FEW:         return
!b = tensor<2x4x?x8xbf16>
func.func @asked(%q: !q, %o: !q, %b: !b) -> (!q, !q, !b) {
  %0 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) outs(%o : !q) {schedule = #lattn.schedule<lanes = queries>}
  %1 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) outs(%o : !q) {schedule = #lattn.schedule<query_tile = 16>}
  %2 = lattn.attention query(%b : !b) key(%b : !b) value(%b : !b) outs(%b : !b) {schedule = #lattn.schedule<products = dot>}
  return %0, %1, %2 : !q, !q, !b
}

// Of packed sequences the longest counts. Both branches pack their results.
// FEW-LABEL: func.func @packed(
// FEW-SAME: %[[MOST:[a-z0-9]+]]: index
// FEW: %[[MANY:.+]] = arith.cmpi ugt, %[[MOST]], %c4
// FEW: scf.if %[[MANY]] -> (tensor<1x8x?x64xf32>)
// FEW: %[[A:.+]] = lattn.attention
// FEW-NOT: lanes
// FEW: %[[P:.+]] = lattn.pack_sequences ins(%[[A]],
// FEW-NEXT: scf.yield %[[P]]
// FEW: else
// FEW: %[[B:.+]] = lattn.attention
// FEW-SAME: lanes = features
// FEW: %[[F:.+]] = lattn.pack_sequences ins(%[[B]],
// FEW-NEXT: scf.yield %[[F]]
func.func @packed(%q: tensor<1x8x?x64xf32>, %cu: tensor<?xi32>, %most: index, %out: tensor<1x8x?x64xf32>, %e: tensor<?x8x?x64xf32>) -> tensor<1x8x?x64xf32> {
  %0, %n = lattn.pad_sequences ins(%q, %cu : tensor<1x8x?x64xf32>, tensor<?xi32>) max_seqlen(%most) -> tensor<?x8x?x64xf32>, tensor<?xi64>
  %1 = lattn.attention query(%0 : tensor<?x8x?x64xf32>) key(%0 : tensor<?x8x?x64xf32>) value(%0 : tensor<?x8x?x64xf32>)
      kv_lens(%n : tensor<?xi64>) outs(%e : tensor<?x8x?x64xf32>)
  %2 = lattn.pack_sequences ins(%1, %cu : tensor<?x8x?x64xf32>, tensor<?xi32>) outs(%out : tensor<1x8x?x64xf32>)
  return %2 : tensor<1x8x?x64xf32>
}

// Branches for fewer queries than there ever are. The function says it of all its
// attention whose schedule does not.
// FEW-LABEL: func.func @least(
// FEW-NOT:     scf.if
// FEW:         lattn.attention
// FEW-NOT:     scf.if
// FEW:         lattn.attention
// FEW:         scf.if
// FEW:         lattn.attention
// CHECK-LABEL: func.func @least(
// CHECK-NOT:   scf.if
// CHECK:       lattn.attention
// CHECK-NOT:   scf.if
// CHECK:       lattn.attention
// CHECK-NOT:   scf.if
// CHECK:       lattn.attention
func.func @least(%q: !q, %k: !k, %v: !k, %o: !q) -> (!q, !q, !q) attributes {lattn.schedule = #lattn.schedule<least_queries = 5>} {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q)
  %1 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q) {schedule = #lattn.schedule<least_queries = 9>}
  %2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q) {schedule = #lattn.schedule<least_queries = 4>}
  return %0, %1, %2 : !q, !q, !q
}
