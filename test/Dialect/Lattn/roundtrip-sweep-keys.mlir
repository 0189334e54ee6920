// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// CHECK-LABEL: func.func @three_runs(
// CHECK-SAME:    %[[B0:[a-z0-9]*]]: index, %[[B1:[a-z0-9]*]]: index, %[[B2:[a-z0-9]*]]: index, %[[B3:[a-z0-9]*]]: index, %[[INIT:[a-z0-9]*]]: tensor<4xf32>
// CHECK:       %{{.*}}:2 = lattn.sweep_keys (%[[KEY:.*]], %[[SIZE:.*]], %[[EDGE:.*]]) in (%[[B0]] edge %[[B1]] interior %[[B2]] edge %[[B3]]) by 64
// CHECK-SAME:    iter_args(%[[T:.*]] = %[[INIT]], %[[N:.*]] = %[[B0]]) -> (tensor<4xf32>, index) {
// CHECK:         %[[NEXT:.*]] = arith.addi %[[KEY]], %[[SIZE]]
// CHECK:         lattn.yield %[[T]], %[[NEXT]] : tensor<4xf32>, index
func.func @three_runs(%b0: index, %b1: index, %b2: index, %b3: index,
                      %init: tensor<4xf32>) -> (tensor<4xf32>, index) {
  %0:2 = lattn.sweep_keys (%key, %size, %edge)
      in (%b0 edge %b1 interior %b2 edge %b3) by 64
      iter_args(%t = %init, %n = %b0) -> (tensor<4xf32>, index) {
    %next = arith.addi %key, %size : index
    lattn.yield %t, %next : tensor<4xf32>, index
  }
  return %0#0, %0#1 : tensor<4xf32>, index
}

// On buffers the state need not be carried.
// CHECK-LABEL: func.func @no_state(
// CHECK:       lattn.sweep_keys (%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} interior %{{.*}}) by 1 attributes {foo.bar} {
// CHECK:         memref.store
// CHECK-NEXT:    lattn.yield{{$}}
func.func @no_state(%b0: index, %b1: index, %m: memref<?xindex>) {
  lattn.sweep_keys (%key, %size, %edge) in (%b0 interior %b1) by 1
      attributes {foo.bar} {
    memref.store %size, %m[%key] : memref<?xindex>
    lattn.yield
  }
  return
}
