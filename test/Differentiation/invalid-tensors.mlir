// RUN: lattn-opt %s --lattn-differentiate --split-input-file --verify-diagnostics
// RUN: lattn-opt %s --lattn-differentiate=mode=forward --split-input-file --verify-diagnostics

!x = tensor<?x?xf32>
!y = tensor<?xf32>

func.func @products(%x: !x, %y: !y) -> !y {
  // expected-error@+1 {{'linalg.reduce' op has no derivative: expected result 0 to be a sum, a maximum or a minimum over its reduction loops}}
  %0 = linalg.reduce {arith.mulf} ins(%x : !x) outs(%y : !y) dimensions = [1]
  return %0 : !y
}

// -----

func.func @body(%x: tensor<?xf32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%y : tensor<?xi32>) {
  ^bb0(%a: f32, %o: i32):
    %1 = arith.fptosi %a : f32 to i32
    linalg.yield %1 : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

func.func @clamp(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32):
    // expected-error@+1 {{'math.clampf' op has no derivative}}
    %1 = math.clampf %a to [%a, %a] : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @loop(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.for' op has no derivative: expected a nest of loops that adds to elements or slices of tensors and reads them for nothing else}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (f32) {
    %1 = arith.mulf %y, %y : f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// -----

func.func @effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  %out = memref.alloc() : memref<4xf32>
  %0 = math.exp %x : tensor<4xf32>
  // expected-error@+1 {{'bufferization.materialize_in_destination' op has no derivative: it has side effects}}
  bufferization.materialize_in_destination %0 in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return %x : tensor<4xf32>
}
