// Optimised LLVM IR, which has what objects bring, weak, and only C's functions.

// RUN: lattn-compile %s --emit=llvm-ir --mcpu=x86-64-v3 -o - | FileCheck %s
// REQUIRES: host-x86

// CHECK: target triple = "x86_64
// CHECK-NOT: define {{.*}}@sums(
// CHECK: define {{.*}}void @_mlir_ciface_sums(
// CHECK-NOT: define {{.*}}@sums(
// A C bool.
// CHECK: define {{.*}}zeroext i1 @_mlir_ciface_odd(i32
// CHECK-DAG: define weak {{.*}}@_mlir_memref_to_llvm_alloc(
// CHECK-DAG: declare {{.*}}@aligned_alloc(

func.func @sums(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>)
      outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @odd(%n: i32) -> i1 {
  %0 = arith.trunci %n : i32 to i1
  return %0 : i1
}
