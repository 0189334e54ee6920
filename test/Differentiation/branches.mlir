// RUN: lattn-opt %s --lattn-differentiate --split-input-file | FileCheck %s
// RUN: lattn-opt %s --lattn-differentiate=mode=forward --split-input-file | FileCheck %s --check-prefix=FORWARD

// The branch taken gives the cotangents; what it does not read gets zeros.

// CHECK-LABEL: func.func @choose_grad(
// CHECK-SAME: %[[P:[^:]*]]: i1, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32, %[[G:[^:]*]]: f32)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[D:.*]]:2 = scf.if %[[P]] -> (f32, f32) {
// CHECK: %[[A:.*]] = arith.mulf %[[G]], %[[Y]]
// CHECK: %[[B:.*]] = arith.mulf %[[G]], %[[X]]
// CHECK: scf.yield %[[A]], %[[B]]
// CHECK: } else {
// CHECK: scf.yield %[[ZERO]], %[[G]]
// CHECK: return %[[D]]#0, %[[D]]#1

// FORWARD-LABEL: func.func @choose_jvp(
// FORWARD-SAME: %[[P:[^:]*]]: i1, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: f32, %[[DX:[^:]*]]: f32, %[[DY:[^:]*]]: f32)
// FORWARD: %[[T:.*]] = scf.if %[[P]] -> (f32) {
// FORWARD-COUNT-2: arith.mulf
// FORWARD: arith.addf
// FORWARD: } else {
// FORWARD: scf.yield %[[DY]]
// FORWARD: return %[[T]]
func.func @choose(%p: i1, %x: f32, %y: f32) -> f32 {
  %0 = scf.if %p -> f32 {
    %1 = arith.mulf %x, %y : f32
    scf.yield %1 : f32
  } else {
    scf.yield %y : f32
  }
  return %0 : f32
}
