// RUN: lattn-opt %s --lattn-tile="query-tile=4 key-tile=8" --canonicalize --cse | FileCheck %s

// One query a head: a tile holds the heads that share keys. All stand at one
// position, so that no step masks what the window hides.

!q = tensor<2x12x1x8xf32>
!k = tensor<2x2x?x8xf32>

// CHECK-DAG:   #[[TILE:.*]] = affine_map<()[s0] -> (s0 * 4)>
// CHECK-DAG:   #[[ROWS:.*]] = affine_map<()[s0] -> (s0 * -4 + 6, 4)>
// CHECK-LABEL: @groups
// CHECK:       scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 2, 2)
// CHECK-DAG:     %[[FIRST:.*]] = affine.apply #[[TILE]]()[%[[I]]]
// CHECK-DAG:     %[[ROWS_HERE:.*]] = affine.min #[[ROWS]]()[%[[I]]]
// CHECK-DAG:     %[[BASE:.*]] = arith.muli %[[H]], %c6
// CHECK:         %[[HEAD:.*]] = arith.addi %[[FIRST]], %[[BASE]]
// CHECK:         tensor.extract_slice %arg0[%[[B]], %[[HEAD]], 0, 0] [1, %[[ROWS_HERE]], 1, 8] {{.*}} to tensor<?x8xf32>
// CHECK:         tensor.extract_slice %arg1[%[[B]], %[[H]], 0, 0]
// CHECK:         lattn.sweep_keys
// CHECK:           lattn.online_attention
// CHECK-NOT:       window
// CHECK:         lattn.finalize
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[B]], %[[HEAD]], 0, 0] [1, %[[ROWS_HERE]], 1, 8]
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[B]], %[[HEAD]], 0] [1, %[[ROWS_HERE]], 1]
func.func @groups(%q: !q, %k: !k, %v: !k, %o: !q, %l: tensor<2x12x1xf32>) -> (!q, tensor<2x12x1xf32>) {
  %0:2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k)
      outs(%o : !q, %l : tensor<2x12x1xf32>) {window = #lattn.window<left = 20, right = 0>}
  return %0#0, %0#1 : !q, tensor<2x12x1xf32>
}

// A key mask hides keys from all of them alike.
// CHECK-LABEL: @masked
// CHECK:         lattn.online_attention {{.*}} key_mask(
func.func @masked(%q: !q, %k: !k, %v: !k, %m: tensor<2x?xi1>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) key_mask(%m : tensor<2x?xi1>)
      outs(%o : !q) {window = #lattn.window<left = 20, right = 0>}
  return %0 : !q
}

// Each row starts with the sink of its head; rows beyond the last repeat it.
// CHECK-LABEL: @sinks
// CHECK-SAME:  %[[SINK:[^:]*]]: tensor<12xf32>
// CHECK:       scf.forall (%{{.*}}, %[[H:.*]], %{{.*}}) in (2, 2, 2)
// CHECK:         %[[BASE:.*]] = arith.muli %[[H]], %c6
// CHECK:         %[[FIRST:.*]] = arith.addi %{{.*}}, %[[BASE]]
// CHECK:         %[[STATE:.*]]:2 = linalg.generic
// CHECK:           %[[ROW:.*]] = linalg.index 0
// CHECK:           %[[HEAD:.*]] = arith.addi %[[FIRST]], %[[ROW]]
// CHECK:           %[[AT:.*]] = arith.minui %[[HEAD]], %c11
// CHECK:           tensor.extract %[[SINK]][%[[AT]]]
// CHECK:         lattn.sweep_keys {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[STATE]]#0, %{{.*}} = %[[STATE]]#1)
func.func @sinks(%q: !q, %k: !k, %v: !k, %s: tensor<12xf32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k)
      sink(%s : tensor<12xf32>) outs(%o : !q)
  return %0 : !q
}

// A bias and a score region that are the same for all heads.
// CHECK-LABEL: @for_all
// CHECK:       scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (2, 2, 2)
func.func @for_all(%q: !q, %k: !k, %v: !k, %bias: tensor<2x1x1x?xf32>, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) bias(%bias : tensor<2x1x1x?xf32>)
      outs(%o : !q) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %x = math.tanh %s : f32
    lattn.yield %x : f32
  }
  return %0 : !q
}

// Scores that know their head or query keep a tile for each head.
// CHECK-LABEL: @by_head
// CHECK-COUNT-3: scf.forall (%{{.*}}, %{{.*}}) in (2, 12)
func.func @by_head(%q: !q, %k: !k, %v: !k, %bias: tensor<12x1x?xf32>, %o: !q) -> (!q, !q, !q) {
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) bias(%bias : tensor<12x1x?xf32>)
      outs(%o : !q)
  %1 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %x = arith.sitofp %h : i32 to f32
    %y = arith.addf %s, %x : f32
    lattn.yield %y : f32
  }
  %2 = lattn.attention query(%q : !q) key(%k : !k) value(%v : !k) outs(%o : !q) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %x = arith.sitofp %i : i32 to f32
    %y = arith.addf %s, %x : f32
    lattn.yield %y : f32
  }
  return %0, %1, %2 : !q, !q, !q
}
