// RUN: lattn-opt %s --lattn-branch-tensor-maps | FileCheck %s
// RUN: lattn-opt %s --lattn-raise-memrefs --lattn-choose-gpu-tiles="chip=sm_90a warps=0" | FileCheck %s --check-prefix=CHOSEN

!t = tensor<1x2x?x64xbf16>

// CHOSEN-LABEL: func.func @noted(
// CHOSEN:         fallback = <query_tile = 64, key_tile = 64>>

// CHECK-LABEL: func.func @noted(
// CHECK:         %[[FITS:.*]] = fragment.reachable
// CHECK:         %[[R:.*]] = scf.if %[[FITS]]
// CHECK:           %[[MAPS:.*]] = lattn.attention
// CHECK-SAME:        {schedule = #lattn.schedule<query_tile = 192, key_tile = 128>}
// CHECK:           scf.yield %[[MAPS]]
// CHECK:         } else {
// CHECK:           %[[NONE:.*]] = lattn.attention
// CHECK-SAME:        {schedule = #lattn.schedule<query_tile = 64, key_tile = 32>}
// CHECK:           scf.yield %[[NONE]]
// CHECK:         return %[[R]]
func.func @noted(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {schedule = #lattn.schedule<query_tile = 192, key_tile = 128, fallback = <query_tile = 64, key_tile = 32>>}
  return %0 : !t
}

// CHECK-LABEL: func.func @other(
// CHECK-NOT:     fragment.reachable
func.func @other(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {schedule = #lattn.schedule<query_tile = 64, key_tile = 64>}
  return %0 : !t
}

// Maps have no borders of packed sequences, and no pages: the fallback alone.
// CHECK-LABEL: func.func @pages(
// CHECK-NOT: scf.if
// CHECK: lattn.attention
// CHECK-SAME: schedule = #lattn.schedule<query_tile = 64, key_tile = 64>
func.func @pages(%q: tensor<2x2x?x64xbf16>, %k: tensor<?x2x64x64xbf16>, %pages: tensor<2x?xi32>) -> tensor<2x2x?x64xbf16> {
  %0 = lattn.gather_pages ins(%k, %pages : tensor<?x2x64x64xbf16>, tensor<2x?xi32>) -> tensor<2x2x?x64xbf16>
  %1 = lattn.attention query(%q : tensor<2x2x?x64xbf16>) key(%0 : tensor<2x2x?x64xbf16>) value(%0 : tensor<2x2x?x64xbf16>)
      outs(%q : tensor<2x2x?x64xbf16>)
      {schedule = #lattn.schedule<query_tile = 128, key_tile = 128, fallback = #lattn.schedule<query_tile = 64, key_tile = 64>>}
  return %1 : tensor<2x2x?x64xbf16>
}

// Gradients branch as attention does.
// CHECK-LABEL: func.func @gradients(
// CHECK:         %[[FITS:.*]] = fragment.reachable
// CHECK:         %[[R:.*]]:3 = scf.if %[[FITS]]
// CHECK:           %[[MAPS:.*]]:3 = lattn.attention_grad
// CHECK-SAME:        {schedule = #lattn.schedule<query_tile = 128, key_tile = 64>}
// CHECK:           scf.yield %[[MAPS]]#0, %[[MAPS]]#1, %[[MAPS]]#2
// CHECK:         } else {
// CHECK:           lattn.attention_grad
// CHECK-SAME:        {schedule = #lattn.schedule<query_tile = 64, key_tile = 32>}
func.func @gradients(%q: !t, %l: tensor<1x2x?xf32>) -> (!t, !t, !t) {
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : tensor<1x2x?xf32>) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
      {schedule = #lattn.schedule<query_tile = 128, key_tile = 64, fallback = <query_tile = 64, key_tile = 32>>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// CHECK-LABEL: func.func @gradients_of_sequences(
// CHECK-NOT: scf.if
// CHECK: lattn.attention_grad
// CHECK-SAME: schedule = #lattn.schedule<query_tile = 64, key_tile = 32>
func.func @gradients_of_sequences(%q: !t, %l: tensor<1x2x?xf32>, %cu: tensor<?xi32>, %most: index, %d: tensor<?x2x?x64xbf16>, %pl: tensor<?x2x?xf32>) -> tensor<?x2x?x64xbf16> {
  %p, %n = lattn.pad_sequences ins(%q, %cu : !t, tensor<?xi32>) max_seqlen(%most) -> tensor<?x2x?x64xbf16>, tensor<?xi64>
  %0:3 = lattn.attention_grad query(%p : tensor<?x2x?x64xbf16>) key(%p : tensor<?x2x?x64xbf16>) value(%p : tensor<?x2x?x64xbf16>)
      output(%p : tensor<?x2x?x64xbf16>) lse(%pl : tensor<?x2x?xf32>) d_output(%p : tensor<?x2x?x64xbf16>)
      outs(%d, %d, %d : tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16>, tensor<?x2x?x64xbf16>)
      {schedule = #lattn.schedule<query_tile = 128, key_tile = 64, fallback = <query_tile = 64, key_tile = 32>>}
  return %0#0 : tensor<?x2x?x64xbf16>
}

// The gradient of a bias has kernels of single warps alone.
// CHECK-LABEL: func.func @bias(
// CHECK: %[[B:.*]]:4 = lattn.attention_grad
// CHECK-SAME: schedule = #lattn.schedule<query_tile = 64, key_tile = 32>
// CHECK: %[[R:.*]]:3 = scf.if
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[B]]#3
func.func @bias(%q: !t, %l: tensor<1x2x?xf32>, %b: tensor<?x?xf32>) -> (!t, !t, !t, tensor<?x?xf32>) {
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : tensor<?x?xf32>)
      output(%q : !t) lse(%l : tensor<1x2x?xf32>) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t) d_bias(%b : tensor<?x?xf32>)
      {schedule = #lattn.schedule<query_tile = 128, key_tile = 64, fallback = <query_tile = 64, key_tile = 32>>}
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, tensor<?x?xf32>
}
