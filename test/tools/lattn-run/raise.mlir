// --raise: linalg that says attention runs as lattn.attention.

// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{run} = lattn-run attend.mlir --random=1 --cache=c
// DEFINE: %{none} = lattn-run none.mlir --random=1 --cache=c
// DEFINE: %{check} = FileCheck %s --check-prefix

// What was found is explained, and has the result of the program as written.
// RUN: %{run} --raise --explain --verify-loops --output=raised.npz | FileCheck %s
// CHECK: compile time {{[0-9.]+ [mu]?s$}}
// CHECK: out0 agrees with lattn-to-loops
// CHECK: shape                B 1, H 8 over 8, N 16, M 16, D 4
// CHECK: kernel               vector<

// Raised and not are two programs in the cache.
// RUN: %{run} --raise | %{check}=LOADED
// RUN: %{run} --explain --expect=raised.npz | %{check}=WRITTEN
// LOADED: loaded from the cache
// WRITTEN: compile time {{[0-9.]+ [mu]?s$}}
// WRITTEN: out0 agrees with
// WRITTEN: no attention to explain in 'attend'

// The naive loops take it too, and a GPU.
// RUN: %{run} --raise --target=loops --expect=raised.npz --mlir-print-ir-after-all 2>&1 | %{check}=LOOPS
// LOOPS: IR Dump After LattnRaisePass
// LOOPS: lattn.attention
// LOOPS: out0 agrees with
// RUN: sed s/f32/f16/g attend.mlir > half.mlir
// RUN: env LATTN_PTXAS=nothing LATTN_LIBCUDA=%fake_cuda FAKECUDA_LOG=log \
// RUN:   lattn-run half.mlir --raise --random=1 --target=cuda | %{check}=CUDA
// RUN: %{check}=LAUNCH < log
// CUDA: results                out0 8x16x4xf16
// LAUNCH: cuLaunchKernel attend_transpose
// LAUNCH: cuLaunchKernel attend_kernel
// LAUNCH-NOT: cuLaunchKernel

// That nothing is raised is said, and again for a program from the cache.
// Attention as written needs no raising.
// RUN: %{none} --raise --verify-loops 2>&1 | %{check}=NONE
// RUN: %{none} --raise 2>&1 | %{check}=NONE
// RUN: %{none} 2>&1 | %{check}=QUIET
// RUN: lattn-run attention.mlir --raise --random=1 2>&1 | %{check}=QUIET
// NONE: none.mlir: warning: lattn-raise found no attention that it can prove, so the program does not change
// NONE: entry
// QUIET-NOT: warning
// QUIET: entry

//--- attend.mlir
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
//--- none.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
      -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- attention.mlir
!t = tensor<1x1x4x8xf32>
func.func @main(%x: !t) -> !t {
  %0 = lattn.attention query(%x : !t) key(%x : !t) value(%x : !t)
      outs(%x : !t)
  return %0 : !t
}
