// RUN: lattn-opt %s | lattn-opt | FileCheck %s
// RUN: lattn-opt %s -mlir-print-op-generic | lattn-opt | FileCheck %s
// RUN: lattn-opt %s -canonicalize -cse -loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: @expect_true
func.func @expect_true(%condition: i1) {
  // CHECK-COUNT-2: check.expect_true %{{.*}}{{$}}
  check.expect_true %condition
  check.expect_true %condition
  return
}

// CHECK-LABEL: @expect_close
func.func @expect_close(%a: tensor<4x?xbf16>, %e: tensor<4x8xf32>,
                        %b: memref<?xf64, strided<[2], offset: ?>>,
                        %f: memref<?xf64>) {
  // CHECK: check.expect_close %{{.*}}, %{{.*}} : tensor<4x?xbf16>, tensor<4x8xf32>
  check.expect_close %a, %e {rtol = 1.0e-5 : f64, atol = 1.0e-6 : f64}
      : tensor<4x?xbf16>, tensor<4x8xf32>
  // CHECK: check.expect_close %{{.*}}, %{{.*}} {atol = 0.000000e+00 : f64, equal_nan, rtol = 1.000000e-03 : f64}
  // CHECK-SAME: : memref<?xf64, strided<[2], offset: ?>>, memref<?xf64>
  check.expect_close %b, %f {rtol = 1.0e-3 : f64, atol = 0.0 : f64, equal_nan}
      : memref<?xf64, strided<[2], offset: ?>>, memref<?xf64>
  return
}

// CHECK-LABEL: @expect_eq
func.func @expect_eq(%a: tensor<4xi1>, %e: tensor<?xi1>, %b: memref<f16>,
                     %i: index) {
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<?xi1>
  check.expect_eq %a, %e : tensor<4xi1>, tensor<?xi1>
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : memref<f16>, memref<f16>
  check.expect_eq %b, %b : memref<f16>, memref<f16>
  // CHECK: check.expect_eq %{{.*}}, %{{.*}} : index, index
  check.expect_eq %i, %i : index, index
  return
}

// Nothing but the check is loop-invariant here, and it stays.
// CHECK-LABEL: @in_loop
func.func @in_loop(%a: tensor<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  // CHECK-NEXT: check.expect_eq
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 {
    check.expect_eq %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  return
}
