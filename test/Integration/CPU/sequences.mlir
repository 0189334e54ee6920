// RUN: lattn-run %s --entry=packed --random=1 --shape=0:1x4x41x32 --shape=1:1x2x50x32 --shape=2:1x4x41x32 --verify-loops 2>&1 | FileCheck %s --implicit-check-not=copied
// RUN: lattn-run %s --entry=packed --random=2 --shape=0:1x4x300x32 --shape=1:1x2x200x32 --shape=2:1x4x300x32 --verify-loops | FileCheck %s
// RUN: lattn-run %s --entry=borders --random=4 --shape=0:1x64x4x32 --shape=1:1x64x4x32 --verify-loops | FileCheck %s
// RUN: lattn-run %s --entry=gradients --random=5 --shape=0:1x4x41x32 --shape=1:1x4x41x32 --verify-loops | FileCheck %s
// RUN: lattn-run %s --entry=packed --random=3 --shape=0:1x4x20x32 --shape=1:1x2x30x32 --shape=2:1x4x33x32 | FileCheck %s --check-prefix=SHORT

// Tiles that read and write packed rows in place, and loops over sequences, give
// what copies to padded rows give. Borders beyond the rows read nothing there.

// CHECK: agrees with lattn-to-loops
// SHORT: entry packed

func.func @packed(%q: tensor<1x4x?x32xf32>, %k: tensor<1x2x?x32xf32>, %out: tensor<1x4x?x32xf32>) -> tensor<1x4x?x32xf32> {
  %cq = arith.constant dense<[0, 5, 5, 38, 41]> : tensor<5xi32>
  %ck = arith.constant dense<[0, 30, 33, 49, 50]> : tensor<5xi64>
  %mq = arith.constant 33 : index
  %mk = arith.constant 30 : index
  %pq, %n = lattn.pad_sequences ins(%q, %cq : tensor<1x4x?x32xf32>, tensor<5xi32>) max_seqlen(%mq) -> tensor<4x4x33x32xf32>, tensor<4xi64>
  %pk, %m = lattn.pad_sequences ins(%k, %ck : tensor<1x2x?x32xf32>, tensor<5xi64>) max_seqlen(%mk) -> tensor<4x2x30x32xf32>, tensor<4xi64>
  %from = arith.subi %m, %n : tensor<4xi64>
  %e = tensor.empty() : tensor<4x4x33x32xf32>
  %o = lattn.attention query(%pq : tensor<4x4x33x32xf32>) key(%pk : tensor<4x2x30x32xf32>) value(%pk : tensor<4x2x30x32xf32>)
      kv_lens(%m : tensor<4xi64>) offset(%from : tensor<4xi64>) outs(%e : tensor<4x4x33x32xf32>) {window = #lattn.window<left = 11, right = 3>}
  %r = lattn.pack_sequences ins(%o, %cq : tensor<4x4x33x32xf32>, tensor<5xi32>) outs(%out : tensor<1x4x?x32xf32>)
  return %r : tensor<1x4x?x32xf32>
}

// Rows before the first border and after the last one keep what they hold.
func.func @borders(%q: tensor<1x?x4x32xf32>, %out: tensor<1x?x4x32xf32>) -> tensor<1x?x4x32xf32> {
  %cq = arith.constant dense<[7, 20, 40, 60]> : tensor<4xi32>
  %most = arith.constant 20 : index
  %pq, %n = lattn.pad_sequences ins(%q, %cq : tensor<1x?x4x32xf32>, tensor<4xi32>) max_seqlen(%most) {layout = #lattn.layout<bnhd>}
      -> tensor<3x20x4x32xf32>, tensor<3xi64>
  %e = tensor.empty() : tensor<3x20x4x32xf32>
  %o = lattn.attention query(%pq : tensor<3x20x4x32xf32>) key(%pq : tensor<3x20x4x32xf32>) value(%pq : tensor<3x20x4x32xf32>)
      kv_lens(%n : tensor<3xi64>) outs(%e : tensor<3x20x4x32xf32>) {layout = #lattn.layout<bnhd>}
  %r = lattn.pack_sequences ins(%o, %cq : tensor<3x20x4x32xf32>, tensor<4xi32>) outs(%out : tensor<1x?x4x32xf32>) {layout = #lattn.layout<bnhd>}
  return %r : tensor<1x?x4x32xf32>
}

!q = tensor<1x4x?x32xf32>
!pq = tensor<3x4x30x32xf32>
!cu = tensor<4xi32>
func.func @gradients(%q: !q, %out: !q) -> (!q, !q, !q) {
  %cq = arith.constant dense<[0, 8, 38, 41]> : !cu
  %most = arith.constant 30 : index
  %pq, %n = lattn.pad_sequences ins(%q, %cq : !q, !cu) max_seqlen(%most) -> !pq, tensor<3xi64>
  %e = tensor.empty() : !pq
  %el = tensor.empty() : tensor<3x4x30xf32>
  %o, %l = lattn.attention query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<3xi64>)
      outs(%e : !pq, %el : tensor<3x4x30xf32>) {causal}
  %c2 = arith.constant 2 : index
  %t = tensor.dim %out, %c2 : !q
  %eo = tensor.empty(%t) : !q
  %eol = tensor.empty(%t) : tensor<1x4x?xf32>
  %r = lattn.pack_sequences ins(%o, %cq : !pq, !cu) outs(%eo : !q)
  %rl = lattn.pack_sequences ins(%l, %cq : tensor<3x4x30xf32>, !cu) outs(%eol : tensor<1x4x?xf32>)
  %po, %n1 = lattn.pad_sequences ins(%r, %cq : !q, !cu) max_seqlen(%most) -> !pq, tensor<3xi64>
  %pl, %n2 = lattn.pad_sequences ins(%rl, %cq : tensor<1x4x?xf32>, !cu) max_seqlen(%most) -> tensor<3x4x30xf32>, tensor<3xi64>
  %0:3 = lattn.attention_grad query(%pq : !pq) key(%pq : !pq) value(%pq : !pq) kv_lens(%n : tensor<3xi64>)
      output(%po : !pq) lse(%pl : tensor<3x4x30xf32>) d_output(%pq : !pq) d_lse(%pl : tensor<3x4x30xf32>)
      outs(%e, %e, %e : !pq, !pq, !pq) {causal}
  %e1 = tensor.empty(%t) : !q
  %e2 = tensor.empty(%t) : !q
  %1 = lattn.pack_sequences ins(%0#0, %cq : !pq, !cu) outs(%out : !q)
  %2 = lattn.pack_sequences ins(%0#1, %cq : !pq, !cu) outs(%e1 : !q)
  %3 = lattn.pack_sequences ins(%0#2, %cq : !pq, !cu) outs(%e2 : !q)
  return %1, %2, %3 : !q, !q, !q
}
