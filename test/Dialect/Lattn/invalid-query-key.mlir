// RUN: lattn-opt %s --split-input-file --verify-diagnostics

func.func @rotary_c1_rank(%x: tensor<8xf32>, %o: tensor<8xf32>) {
  // expected-error @below {{expected input of rank 2 at least, got rank 1}}
  %0 = lattn.rotary ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) {dim = 8 : i64}
  return
}

// -----

func.func @rotary_c1_shape(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x5x8xf32>) {
  // expected-error @below {{expected axis 2 of output to be input's extent = 4, got 5}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x5x8xf32>) {dim = 8 : i64}
  return
}

// -----

func.func @rotary_c1_type(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf64>) {
  // expected-error @below {{expected output of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf64>) {dim = 8 : i64}
  return
}

// -----

func.func @rotary_c2_mixed(%x: tensor<1x2x4x8xf32>, %o: memref<1x2x4x8xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : memref<1x2x4x8xf32>) {dim = 8 : i64}
  return
}

// -----

func.func @rotary_c3_odd(%x: tensor<1x2x4x7xf32>, %o: tensor<1x2x4x7xf32>) {
  // expected-error @below {{expected rows of a known, even number of elements, got 7}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x7xf32>) outs(%o : tensor<1x2x4x7xf32>) {dim = 7 : i64}
  return
}

// -----

func.func @rotary_c3_dynamic(%x: tensor<1x2x4x?xf32>, %o: tensor<1x2x4x?xf32>) {
  // expected-error @below {{expected rows of a known, even number of elements, got ?}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x?xf32>) outs(%o : tensor<1x2x4x?xf32>) {dim = 8 : i64}
  return
}

// -----

func.func @rotary_c3_dim(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected dim to be the row's size = 8 or one less, got 6}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {dim = 6 : i64}
  return
}

// -----

func.func @rotary_c4(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected theta to be positive and finite}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {dim = 8 : i64, theta = 0.0 : f64}
  return
}

// -----

func.func @rotary_c5_base(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected a finite xpos_scale_base}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {dim = 8 : i64, xpos_scale_base = 0x7FF0000000000000 : f64}
  return
}

// -----

func.func @rotary_c5_downscale(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{has downscale or a center but no xpos_scale_base}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {dim = 8 : i64, downscale}
  return
}

// -----

func.func @rotary_c6(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected position_axis in [0, 3), got 3}}
  %0 = lattn.rotary ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {dim = 8 : i64, position_axis = 3 : i64}
  return
}

// -----

func.func @rotate_pairs_c1(%x: tensor<1x2x4x8xf32>, %t: tensor<4x2x4xf32>, %s: index, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected axis 3 of output to be input's extent = 8, got 6}}
  %0 = lattn.rotate_pairs ins(%x, %t : tensor<1x2x4x8xf32>, tensor<4x2x4xf32>) start(%s) outs(%o : tensor<1x2x4x6xf32>) {position_axis = 2 : i64}
  return
}

// -----

func.func @rotate_pairs_c2_rank(%x: tensor<1x2x4x8xf32>, %t: tensor<4x8xf32>, %s: index, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected table of rank 3 (row, cosine or sine, pair), got rank 2}}
  %0 = lattn.rotate_pairs ins(%x, %t : tensor<1x2x4x8xf32>, tensor<4x8xf32>) start(%s) outs(%o : tensor<1x2x4x8xf32>) {position_axis = 2 : i64}
  return
}

// -----

func.func @rotate_pairs_c2_type(%x: tensor<1x2x4x8xf32>, %t: tensor<4x2x4xf64>, %s: index, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected table of element type 'f32', got 'f64'}}
  %0 = lattn.rotate_pairs ins(%x, %t : tensor<1x2x4x8xf32>, tensor<4x2x4xf64>) start(%s) outs(%o : tensor<1x2x4x8xf32>) {position_axis = 2 : i64}
  return
}

// -----

func.func @rotate_pairs_c2_pairs(%x: tensor<1x2x4x8xf32>, %t: tensor<4x2x8xf32>, %s: index, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected axis 2 of table to be the pairs of a row = 4, got 8}}
  %0 = lattn.rotate_pairs ins(%x, %t : tensor<1x2x4x8xf32>, tensor<4x2x8xf32>) start(%s) outs(%o : tensor<1x2x4x8xf32>) {position_axis = 2 : i64}
  return
}

// -----

func.func @rotate_pairs_c3(%x: tensor<1x2x4x8xf32>, %t: tensor<4x2x4xf32>, %s: index, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected position_axis in [0, 3), got 3}}
  %0 = lattn.rotate_pairs ins(%x, %t : tensor<1x2x4x8xf32>, tensor<4x2x4xf32>) start(%s) outs(%o : tensor<1x2x4x8xf32>) {position_axis = 3 : i64}
  return
}

// -----

func.func @l2_normalize_c1_shape(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected axis 3 of output to be input's extent = 8, got 6}}
  %0 = lattn.l2_normalize ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x6xf32>)
  return
}

// -----

func.func @l2_normalize_c1_rank(%x: tensor<8xf32>, %o: tensor<8xf32>) {
  // expected-error @below {{expected input of rank 2 at least, got rank 1}}
  %0 = lattn.l2_normalize ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>)
  return
}

// -----

func.func @l2_normalize_c2(%x: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected eps of at least 0 and finite}}
  %0 = lattn.l2_normalize ins(%x : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>) {eps = -1.0 : f64}
  return
}
