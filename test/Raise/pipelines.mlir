// RUN: lattn-opt %s --lattn-to-loops=raise | FileCheck %s --check-prefix=NONE
// RUN: lattn-opt %s --lattn-to-llvm=raise --mlir-print-ir-after=lattn-raise -o /dev/null 2>&1 | FileCheck %s

// With the option, the pipelines raise first.
// CHECK: lattn.attention
// NONE-NOT: lattn.attention

!t = tensor<8x16x4xf32>
!s = tensor<8x16x16xf32>
func.func @attend(%q: !t, %k: tensor<8x4x16xf32>, %v: !t) -> !t {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %s = linalg.batch_matmul ins(%q, %k : !t, tensor<8x4x16xf32>)
      outs(%f : !s) -> !s
  %w = linalg.softmax dimension(2) ins(%s : !s) outs(%e : !s) -> !s
  %oe = tensor.empty() : !t
  %of = linalg.fill ins(%zero : f32) outs(%oe : !t) -> !t
  %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%of : !t) -> !t
  return %r : !t
}
