// RUN: lattn-opt %s --lattn-branch-few-queries=few=8 --lattn-fuse-query-key="stage keep-bf16" | FileCheck %s
// RUN: lattn-opt %s --lattn-to-llvm="mtriple=x86_64-linux-gnu mcpu=sapphirerapids" | FileCheck %s --check-prefix=LLVM

// Keys that are normalised go into blocks of queries. For few queries, with
// features on the lanes, products stay widened there.
// CHECK-LABEL: func.func @shared
// CHECK:       scf.if
// CHECK:         lattn.attention {{.*}}products = dot_values
// CHECK:       } else {
// CHECK:         lattn.attention {{.*}}schedule = #lattn.schedule<query_tile = 8, lanes = features>
// LLVM:        llvm.func @shared
!t = tensor<1x2x?x32xbf16>
func.func @shared(%q: !t, %k: !t, %v: !t, %e: !t, %o: !t) -> !t {
  %n = lattn.l2_normalize ins(%k : !t) outs(%e : !t)
  %0 = lattn.attention query(%q : !t) key(%n : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 20, right = 0>}
  return %0 : !t
}
