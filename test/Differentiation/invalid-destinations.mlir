// RUN: lattn-opt %s --split-input-file --lattn-differentiate=functions=f --verify-diagnostics
// RUN: not lattn-opt %s --split-input-file --lattn-differentiate="functions=written arguments=1" 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not lattn-opt %s --split-input-file --lattn-differentiate="functions=written results" 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not lattn-opt %s --split-input-file --lattn-differentiate="functions=written keep=linalg.exp" 2>&1 | FileCheck %s --check-prefix=EXISTS

func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{has no derivative on memrefs: expected argument 0 to be read by bufferization.to_tensor and written by bufferization.materialize_in_destination only}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error @below {{has no derivative: expected a function that takes memrefs to return nothing}}
func.func @f(%x: memref<4xf32>) -> f32 {
  %c = arith.constant 0.0 : f32
  return %c : f32
}

// -----

func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  // expected-error @below {{has no derivative: it writes argument 1 again}}
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// WRITTEN: 'func.func' op cannot be differentiated by argument 1, because it writes to it
// RESULTS: 'func.func' op writes to memrefs: expected mode forward or no results
// EXISTS: 'func.func' op cannot be differentiated: @written_fwd exists
func.func @f(%x: f32) -> f32 {
  return %x : f32
}
func.func @written(%x: memref<4xf32>, %y: memref<4xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @written_fwd()
