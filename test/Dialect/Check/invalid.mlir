// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @mixed(%a: tensor<4xf32>, %e: memref<4xf32>) {
  // expected-error @+1 {{expected both values to be tensors, both memrefs or both scalars, got 'tensor<4xf32>' and 'memref<4xf32>'}}
  check.expect_close %a, %e : tensor<4xf32>, memref<4xf32>
  return
}

// -----

func.func @array_and_scalar(%a: tensor<4xi32>, %e: i32) {
  // expected-error @+1 {{expected both values to be tensors, both memrefs or both scalars, got 'tensor<4xi32>' and 'i32'}}
  check.expect_eq %a, %e : tensor<4xi32>, i32
  return
}

// -----

func.func @shapes(%a: tensor<4x?xf32>, %e: tensor<5x?xf32>) {
  // expected-error @+1 {{expected values of one shape, got 'tensor<4x?xf32>' and 'tensor<5x?xf32>'}}
  check.expect_close %a, %e : tensor<4x?xf32>, tensor<5x?xf32>
  return
}

// -----

func.func @ranks(%a: memref<4xi32>, %e: memref<4x1xi32>) {
  // expected-error @+1 {{expected values of one shape, got 'memref<4xi32>' and 'memref<4x1xi32>'}}
  check.expect_eq %a, %e : memref<4xi32>, memref<4x1xi32>
  return
}

// -----

func.func @element_types(%a: tensor<4xi32>, %e: tensor<4xi64>) {
  // expected-error @+1 {{expected values of one element type, got 'i32' and 'i64'}}
  check.expect_eq %a, %e : tensor<4xi32>, tensor<4xi64>
  return
}

// -----

func.func @negative_rtol(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected rtol to be finite and not negative, got -1}}
  check.expect_close %a, %a {rtol = -1.0 : f64} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @infinite_atol(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected atol to be finite and not negative, got +Inf}}
  check.expect_close %a, %a {atol = 0x7FF0000000000000 : f64}
      : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @close_integers(%a: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be}}
  check.expect_close %a, %a : tensor<4xi32>, tensor<4xi32>
  return
}
