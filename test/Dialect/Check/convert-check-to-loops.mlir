// RUN: lattn-opt %s -split-input-file -verify-diagnostics -convert-check-to-loops -canonicalize -cse | FileCheck %s

// CHECK: func.func private @lattn_check_report(i64, i64, i64, f64, f64)
// CHECK-NOT: private

// CHECK-LABEL: @expect_true
// CHECK-SAME: %[[CONDITION:.*]]: i1
func.func @expect_true(%condition: i1) {
  // CHECK: %[[FAILED:.*]] = arith.cmpi sgt
  // CHECK: scf.if %[[FAILED]] {
  // CHECK-NEXT: func.call @lattn_check_report
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  check.expect_true %condition
  return
}

// CHECK-LABEL: @expect_close
// CHECK-SAME: %[[A:.*]]: memref<4x8xbf16>, %[[E:.*]]: memref<4x8xf32>
func.func @expect_close(%a: memref<4x8xbf16>, %e: memref<4x8xf32>) {
  // CHECK-DAG: %[[RTOL:.*]] = arith.constant 1.0{{0*}}e-03 : f64
  // CHECK-DAG: %[[ATOL:.*]] = arith.constant 2.5{{0*}}e-01 : f64
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0x7FF0000000000000 : f64
  // CHECK: %[[ALL:.*]]:5 = scf.for %[[I:[a-z0-9]+]] =
  // CHECK: scf.for %[[J:[a-z0-9]+]] = {{.*}} iter_args(%[[COUNT:[a-z0-9]+]] =
  // CHECK-DAG: %[[LA:.*]] = memref.load %[[A]][%[[I]], %[[J]]]
  // CHECK-DAG: %[[LE:.*]] = memref.load %[[E]][%[[I]], %[[J]]]
  // CHECK-DAG: %[[XA:.*]] = arith.extf %[[LA]] : bf16 to f64
  // CHECK-DAG: %[[XE:.*]] = arith.extf %[[LE]] : f32 to f64
  // CHECK: %[[SUB:.*]] = arith.subf %[[XA]], %[[XE]] : f64
  // CHECK: %[[DIFF:.*]] = math.absf %[[SUB]]
  // CHECK: %[[ABS:.*]] = math.absf %[[XE]]
  // CHECK: %[[REL:.*]] = arith.mulf %[[ABS]], %[[RTOL]] : f64
  // CHECK: %[[TOL:.*]] = arith.addf %[[REL]], %[[ATOL]] : f64
  // CHECK: arith.cmpf ole, %[[DIFF]], %[[TOL]]
  // CHECK: arith.cmpf olt, %[[DIFF]], %[[INF]]
  // CHECK: arith.cmpf oeq, %[[XA]], %[[XE]]
  // CHECK-NOT: arith.cmpf uno
  // CHECK: %[[FAILED:.*]] = arith.cmpi sgt, %[[ALL]]#0
  // CHECK: scf.if %[[FAILED]]
  // CHECK: call @lattn_check_report(%[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2, %[[ALL]]#3, %[[ALL]]#4)
  check.expect_close %a, %e {rtol = 1.0e-3 : f64, atol = 0.25 : f64}
      : memref<4x8xbf16>, memref<4x8xf32>
  return
}

// CHECK-LABEL: @equal_nan
func.func @equal_nan(%a: memref<f64>, %e: memref<f64>) {
  // CHECK-NOT: scf.for
  // CHECK-COUNT-2: arith.cmpf uno
  // CHECK: lattn_check_report
  check.expect_close %a, %e {equal_nan} : memref<f64>, memref<f64>
  return
}

// Nothing is loaded unless the shapes agree.
// CHECK-LABEL: @dynamic_eq
// CHECK-SAME: %[[A:.*]]: memref<?x8xf16>, %[[E:.*]]: memref<4x?xf16, strided<[16, 2]>>
func.func @dynamic_eq(%a: memref<?x8xf16>,
                      %e: memref<4x?xf16, strided<[16, 2]>>) {
  // CHECK: memref.dim %[[A]]
  // CHECK: memref.dim %[[E]]
  // CHECK-NOT: memref.load
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK: %[[LA:.*]] = memref.load %[[A]]
  // CHECK: %[[LE:.*]] = memref.load %[[E]]
  // CHECK: %[[BA:.*]] = arith.bitcast %[[LA]] : f16 to i16
  // CHECK: %[[BE:.*]] = arith.bitcast %[[LE]] : f16 to i16
  // CHECK: arith.cmpi ne, %[[BA]], %[[BE]] : i16
  // CHECK: } else {
  // CHECK: scf.yield
  // CHECK: lattn_check_report
  check.expect_eq %a, %e : memref<?x8xf16>, memref<4x?xf16, strided<[16, 2]>>
  return
}

// -----

func.func @tensors(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected memrefs or scalars; bufferize tensors first}}
  check.expect_close %a, %a : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func private @lattn_check_report(i64)
func.func @taken(%condition: i1) {
  // expected-error @+1 {{expected the symbol 'lattn_check_report' to be the runtime's function}}
  check.expect_true %condition
  return
}
