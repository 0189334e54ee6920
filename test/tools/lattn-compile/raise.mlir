// --raise: linalg that says attention is compiled as lattn.attention.

// RUN: rm -rf %t && mkdir %t
// RUN: lattn-compile %s --raise --emit=llvm-ir -o %t/raised.ll
// RUN: lattn-compile %s --emit=llvm-ir -o %t/written.ll
// RUN: FileCheck %s < %t/raised.ll
// RUN: FileCheck %s --check-prefix=WRITTEN < %t/written.ll
// CHECK: define {{.*}}@lattn_online_attention(
// CHECK-NOT: @lattn_matmul
// WRITTEN-NOT: @lattn_online_attention(
// WRITTEN: define {{.*}}@lattn_matmul_f16_f16_f16(

// On a GPU it is one kernel behind K's transpose, whose options come beside.
// DEFINE: %{ptx} = lattn-compile %s --emit=ptx -o -
// RUN: %{ptx} --raise | FileCheck %s --check-prefix=PTX
// RUN: %{ptx} --raise --gpu-options=query-tile=128 | FileCheck %s --check-prefix=TILE
// PTX: // attend_transpose:
// PTX-NEXT: // attend_kernel: blocks of {{[0-9]+}} threads, {{[0-9]+}} bytes of dynamic shared memory, tiles of 64 queries of a head
// PTX-NEXT: {{^}}//{{$}}
// TILE: // attend_kernel: {{.*}} tiles of 128 queries of a head

!t = tensor<8x16x4xf16>
!s = tensor<8x16x16xf16>
func.func @attend(%q: !t, %k: tensor<8x4x16xf16>, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f16) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, tensor<8x4x16xf16>)
      outs(%f : !s) -> !s
  %w = linalg.softmax dimension(2) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f16) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
