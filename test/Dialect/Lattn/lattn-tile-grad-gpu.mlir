// RUN: lattn-opt %s --lattn-tile-grad=gpu --canonicalize --cse -split-input-file | FileCheck %s

// A grid over tiles of queries sweeps keys; a grid over tiles of keys sweeps the queries
// of all heads of a group. No grid adds to what another block writes.

!t = tensor<2x4x?x64xbf16>
!k = tensor<2x2x?x64xbf16>
!l = tensor<2x4x?xf32>

// CHECK-LABEL: func.func @grouped_heads(
// CHECK-SAME: %[[Q:.*]]: tensor<2x4x?x64xbf16>, %[[K:.*]]: tensor<2x2x?x64xbf16>, %[[V:.*]]: tensor<2x2x?x64xbf16>, %[[O:.*]]: tensor<2x4x?x64xbf16>, %[[L:.*]]: tensor<2x4x?xf32>, %[[DO:[^:]*]]: tensor<2x4x?x64xbf16>)
// CHECK:      %[[N:.*]] = tensor.dim %[[Q]], %c2
// CHECK:      %[[R:.*]] = linalg.generic {{.*}} ins(%[[O]], %[[DO]] :

// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %{{.*}}) in (2, 4, %{{.*}}) shared_outs(%[[DQ:.*]] = %[[Q]])
// CHECK:        %[[ROWS:.*]] = affine.min
// CHECK:        %[[QUERY:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[Q0:.*]], 0] [1, 1, %[[ROWS]], 64]
// CHECK:        %[[GIVEN:.*]] = tensor.extract_slice %[[DO]][%[[B]], %[[H]], %[[Q0]], 0]
// CHECK:        %[[LSE:.*]] = tensor.extract_slice %[[L]][%[[B]], %[[H]], %[[Q0]]]
// CHECK:        %[[SUMS:.*]] = tensor.extract_slice %[[R]][%[[B]], %[[H]], %[[Q0]]]
// CHECK:        %[[SHARED:.*]] = arith.divsi %[[H]], %c2
// CHECK:        %[[SUM:.*]] = lattn.sweep_keys (%[[KEY:.*]], %[[SIZE:.*]], %{{.*}}) in (%{{.*}} edge %{{.*}} interior %{{.*}} edge %{{.*}}) by 32 iter_args(%[[STATE:.*]] = %{{.*}})
// CHECK:          %[[KEYS:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[SHARED]], %[[KEY]], 0] [1, 1, %[[SIZE]], 64]
// CHECK:          %[[VALUES:.*]] = tensor.extract_slice %[[V]][%[[B]], %[[SHARED]], %[[KEY]], 0] [1, 1, %[[SIZE]], 64]
// CHECK:          %[[STEP:.*]]:3 = lattn.attention_grad_step query(%[[QUERY]] : {{.*}} key(%[[KEYS]] : {{.*}} value(%[[VALUES]] :
// CHECK-SAME:       lse(%[[LSE]] : {{.*}} row_sums(%[[SUMS]] : {{.*}} d_output(%[[GIVEN]] :
// CHECK-SAME:       outs(%[[STATE]],
// CHECK:          lattn.yield %[[STEP]]#0
// CHECK:        linalg.copy ins(%[[SUM]] : tensor<?x64xf32>) outs(%{{.*}} : tensor<?x64xbf16>)
// CHECK:          tensor.parallel_insert_slice %{{.*}} into %[[DQ]][%[[B]], %[[H]], %[[Q0]], 0]
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "query">, mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}

// Keys from t on are seen by queries from position t to t + 256.
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %{{.*}}) in (2, 2, %{{.*}}) shared_outs(%[[DK:.*]] = %[[K]], %[[DV:.*]] = %[[V]])
// CHECK:        %[[KEYS:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[K0:.*]], 0]
// CHECK:        %[[VALUES:.*]] = tensor.extract_slice %[[V]][%[[B]], %[[H]], %[[K0]], 0]
// CHECK:        arith.minsi %{{.*}}, %[[N]]
// CHECK:        arith.addi %{{.*}}, %c256
// CHECK:        %[[STEPS:.*]] = arith.ceildivsi
// CHECK:        %[[END:.*]] = arith.muli
// CHECK:        %[[SUM:.*]]:2 = lattn.sweep_keys (%[[AT:.*]], %{{.*}}, %{{.*}}) in (%c0 edge %{{.*}}) by 32
// CHECK:          arith.divui %[[AT]], %c32
// CHECK:          arith.divui %{{.*}} : i32
// CHECK:          arith.remui %{{.*}} : i32
// CHECK:          %[[EDGE:.*]] = arith.ori
// CHECK:          tensor.extract_slice %[[Q]]
// CHECK:          %[[STEP:.*]]:3 = lattn.attention_grad_step query({{.*}} key(%[[KEYS]] : {{.*}} value(%[[VALUES]] :
// CHECK-SAME:       edge(%[[EDGE]]) outs(
// CHECK:          lattn.yield %[[STEP]]#1, %[[STEP]]#2
// CHECK-DAG:    linalg.copy ins(%[[SUM]]#0
// CHECK-DAG:    linalg.copy ins(%[[SUM]]#1
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "key_value">
func.func @grouped_heads(%q: !t, %k: !k, %v: !k, %o: !t, %l: !l, %do: !t) -> (!t, !k, !k) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%k : !k) value(%v : !k)
      output(%o : !t) lse(%l : !l) d_output(%do : !t) outs(%q, %k, %v : !t, !k, !k)
      {window = #lattn.window<left = 256, right = 0>, schedule = #lattn.schedule<query_tile = 64, key_tile = 32>}
  return %0#0, %0#1, %0#2 : !t, !k, !k
}

// -----

!t = tensor<1x?x2x256xf16>
!l = tensor<1x2x?xf32>

// Wide heads: d_key and d_value by grids of their own. One head of queries for each of
// keys needs no division.
// CHECK-LABEL: func.func @wide(
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "query">
// CHECK-NOT:      arith.divui
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "key">
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "value">
func.func @wide(%q: !t, %k: !t, %v: !t, %o: !t, %l: !l, %do: !t) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t)
      output(%o : !t) lse(%l : !l) d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t)
      {layout = #lattn.layout<bnhd>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x64xf16>
!l = tensor<1x2x?xf32>

// The gradient of log-sum-exps goes into the row sums, lengths into the steps over
// queries, and sinks are summed in the order of their rows.
// CHECK-LABEL: func.func @options(
// CHECK-SAME: %[[LENS:[^:]*]]: tensor<1xi32>, %[[SINK:[^:]*]]: tensor<2xf32>, %[[DL:[^:]*]]: tensor<1x2x?xf32>)
// CHECK:      linalg.generic {{.*}} ins(%[[DL]] :
// CHECK:        arith.negf
// CHECK:      %[[R:.*]] = linalg.generic
// CHECK:      lattn.attention_grad_step
// CHECK-NOT:    kv_lens
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "query">
// CHECK:      lattn.attention_grad_step {{.*}} kv_lens(%[[LENS]] :
// CHECK:      } {lattn.grid = #lattn.grid<kernel = "key_value">
// CHECK:      linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}}, %[[R]] :
// CHECK:      linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
func.func @options(%q: !t, %l: !l, %lens: tensor<1xi32>, %sink: tensor<2xf32>, %dl: !l) -> (!t, !t, !t, tensor<2xf32>) {
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) kv_lens(%lens : tensor<1xi32>)
      sink(%sink : tensor<2xf32>) output(%q : !t) lse(%l : !l) d_output(%q : !t) d_lse(%dl : !l)
      outs(%q, %q, %q : !t, !t, !t, %sink : tensor<2xf32>)
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, tensor<2xf32>
}
