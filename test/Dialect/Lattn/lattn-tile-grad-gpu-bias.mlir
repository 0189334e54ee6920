// RUN: lattn-opt %s --lattn-tile-grad=gpu --canonicalize --cse -split-input-file | FileCheck %s
// RUN: lattn-opt %s --lattn-tile-grad=gpu --convert-lattn-to-fragment --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=FRAGMENT

!t = tensor<2x4x?x64xbf16>
!l = tensor<2x4x?xf32>
!b = tensor<4x?x?xf32>
#tiles = #lattn.schedule<query_tile = 64, key_tile = 32>

// A tile of the bias is summed by one block, over the batches that read it. What nobody
// uses has no grid.
// CHECK-LABEL: func.func @batches(
// CHECK:       %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<4x?x?xf32>)
// CHECK:       scf.forall (%[[I:.*]], %{{.*}}, %{{.*}}) in (4, %{{.*}}, %{{.*}}) shared_outs(%[[D:.*]] = %[[ZEROS]])
// CHECK:         %[[H:.*]] = arith.remui %[[I]], %c4
// CHECK:         %[[SUM:.*]] = lattn.sweep_keys (%[[KEY:.*]], %{{.*}}, %{{.*}}) in (%c0 edge %{{.*}}) by 32 iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK:           %[[B:.*]] = arith.divui %[[KEY]], %c32
// CHECK:           tensor.extract_slice %{{.*}}[%[[B]], %[[H]], %{{.*}}, 0]
// CHECK:           %[[STEP:.*]]:5 = lattn.attention_grad_step
// CHECK:           %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[STEP]]#4 : tensor<?x?xf32>) outs(%[[OLD]] : tensor<?x?xf32>)
// CHECK:             arith.addf
// CHECK:           lattn.yield %[[NEXT]]
// CHECK:         linalg.copy ins(%[[SUM]]
// CHECK:         tensor.parallel_insert_slice %{{.*}} into %[[D]][%[[H]], %{{.*}}, %{{.*}}]
// CHECK:       {lattn.grid = #lattn.grid<kernel = "bias">
// CHECK-NOT:   scf.forall

// Its rows are queries, which come anew with each step, and nothing is computed twice.
// FRAGMENT-LABEL: func.func @batches(
// FRAGMENT:       lattn.sweep_keys {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (!fragment.tile<64x32xf32, #fragment.mma<accumulator, warps = 4>>)
// FRAGMENT-COUNT-2: fragment.load %{{.*}} : tensor<?x64xbf16> -> <64x64xbf16, #fragment.mma<operand
// FRAGMENT-COUNT-2: fragment.multiply
// FRAGMENT:         %[[DS:.*]] = scf.if
// FRAGMENT:         %[[DS:.*]] = scf.if
// FRAGMENT:         %[[NEXT:.*]] = fragment.map ins(%[[OLD]], %[[DS]] :
// FRAGMENT:           arith.addf
// FRAGMENT:         lattn.yield %[[NEXT]]
// FRAGMENT-NOT:   fragment.repeat_if_nan
// FRAGMENT:       fragment.store
func.func @batches(%q: !t, %k: !t, %v: !t, %o: !t, %do: !t, %l: !l, %b: !b) -> !b {
  %0:4 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) bias(%b : !b)
      output(%o : !t) lse(%l : !l) d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t) d_bias(%b : !b)
      {causal, schedule = #tiles}
  return %0#3 : !b
}

// -----

!t = tensor<2x4x?x64xbf16>
!l = tensor<2x4x?xf32>
!b = tensor<2x1x?x?xf32>
#tiles = #lattn.schedule<query_tile = 64, key_tile = 32>

// Here heads share it.
// CHECK-LABEL: func.func @heads(
// CHECK:       scf.forall (%[[B:.*]], %{{.*}}, %{{.*}}) in (2, %{{.*}}, %{{.*}})
// CHECK:         lattn.sweep_keys (%[[KEY:.*]], %{{.*}}, %{{.*}}) in (%c0 edge %{{.*}}) by 32
// CHECK:           %[[STEP:.*]] = arith.divui %[[KEY]], %c32
// CHECK:           %[[H:.*]] = arith.remui %[[STEP]], %c4
// CHECK:           tensor.extract_slice %{{.*}}[%[[B]], %[[H]], %{{.*}}, 0]
func.func @heads(%q: !t, %k: !t, %v: !t, %o: !t, %do: !t, %l: !l, %b: !b) -> !b {
  %0:4 = lattn.attention_grad query(%q : !t) key(%k : !t) value(%v : !t) bias(%b : !b)
      output(%o : !t) lse(%l : !l) d_output(%do : !t) outs(%q, %k, %v : !t, !t, !t) d_bias(%b : !b)
      {schedule = #tiles}
  return %0#3 : !b
}
