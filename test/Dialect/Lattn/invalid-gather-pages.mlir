// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @gather_pages_c1_rank(%pool: tensor<9x16x8xf32>, %pages: tensor<2x3xi32>) {
  // expected-error @below {{expected pool of rank 4}}
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x16x8xf32>, tensor<2x3xi32>) -> tensor<2x48x8xf32>
  return
}

// -----

func.func @gather_pages_c1_size(%pool: tensor<9x2x?x8xf32>, %pages: tensor<2x3xi32>) {
  // expected-error @below {{expected pages of a known size of at least 1 key, got ?}}
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x2x?x8xf32>, tensor<2x3xi32>) -> tensor<2x2x?x8xf32>
  return
}

// -----

func.func @gather_pages_c1_empty(%pool: tensor<9x0x2x8xf32>, %pages: tensor<2x3xi32>) {
  // expected-error @below {{expected pages of a known size of at least 1 key, got 0}}
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x0x2x8xf32>, tensor<2x3xi32>) {layout = #lattn.layout<bnhd>} -> tensor<2x0x2x8xf32>
  return
}

// -----

func.func @gather_pages_c2(%pool: tensor<9x2x16x8xf32>, %pages: tensor<3xi32>) {
  // expected-error @below {{expected pages of rank 2}}
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x2x16x8xf32>, tensor<3xi32>) -> tensor<1x2x48x8xf32>
  return
}

// -----

func.func @gather_pages_c3_type(%pool: tensor<9x2x16x8xf32>, %pages: tensor<2x3xi32>) {
  // expected-error @below {{expected result of element type 'f32', got 'f64'}}
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x2x16x8xf32>, tensor<2x3xi32>) -> tensor<2x2x48x8xf64>
  return
}

// -----

func.func @gather_pages_c3_keys(%pool: tensor<9x2x16x8xf32>, %pages: tensor<2x3xi32>) {
  // expected-error @below {{expected axis 2 of result to be the extent of the shape of the gathered keys = 48, got 47}}
  %0 = lattn.gather_pages ins(%pool, %pages : tensor<9x2x16x8xf32>, tensor<2x3xi32>) -> tensor<2x2x47x8xf32>
  return
}
