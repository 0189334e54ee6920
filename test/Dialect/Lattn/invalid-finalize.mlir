// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @finalize_c1_acc_rank(%i0: tensor<4x8xf32>, %i1: tensor<4x8xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>) {
  // expected-error @below {{expected acc to have one axis more than max, got ranks 2 and 2}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c1_sum_extent(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<5xf32>, %o0: tensor<4x8xf32>) {
  // expected-error @below {{expected axis 0 of sum to be max's extent = 4, got 5}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<5xf32>)
      outs(%o0 : tensor<4x8xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c1_value_axis(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>) {
  // expected-error @below {{expected value_axis below 2, got 4}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf32>) {value_axis = 4}
  return
}

// -----

func.func @finalize_c1_value_axis_negative(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>) {
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      // expected-error @below {{attribute 'value_axis' failed to satisfy constraint}}
      outs(%o0 : tensor<4x8xf32>) {value_axis = -3}
  return
}

// -----

func.func @finalize_c2_acc_rank(%i0: tensor<8xf32>, %i1: tensor<f32>, %i2: tensor<f32>, %o0: tensor<8xf32>) {
  // expected-error @below {{expected acc of rank 2 at least, got 1}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<8xf32>, tensor<f32>, tensor<f32>)
      outs(%o0 : tensor<8xf32>) {value_axis = 0}
  return
}

// -----

func.func @finalize_c2_output_rank(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<1x4x8xf32>) {
  // expected-error @below {{expected output of rank 2 like acc, got rank 3}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<1x4x8xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c2_output_extent(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x4xf32>) {
  // expected-error @below {{expected axis 1 of output to be acc's value extent = 8, got 4}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x4xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c2_type(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf64>) {
  // expected-error @below {{expected acc of element type 'f64', got 'f32'}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf64>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c3_outer_extent(%i0: tensor<2x4x8xf32>, %i1: tensor<2x4xf32>, %i2: tensor<2x4xf32>, %o0: tensor<3x4x8xf32>) {
  // expected-error @below {{expected axis 0 of output to be max's extent = 2, got 3}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<2x4x8xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      outs(%o0 : tensor<3x4x8xf32>) {value_axis = 2}
  return
}

// -----

func.func @finalize_c3_rows(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<5x8xf32>) {
  // expected-error @below {{expected at most 4 rows of output, as many as the state has, got 5}}
  %0 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<5x8xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c4_rank(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4x1xf32>) {
  // expected-error @below {{expected lse of rank 1 like max, got rank 2}}
  %0:2 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf32>, %o1 : tensor<4x1xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c4_type(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf64>) {
  // expected-error @below {{expected lse of element type 'f32', got 'f64'}}
  %0:2 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf32>, %o1 : tensor<4xf64>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c4_extent(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: tensor<3x8xf32>, %o1: tensor<4xf32>) {
  // expected-error @below {{expected axis 0 of lse to be output's extent = 3, got 4}}
  %0:2 = lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<3x8xf32>, %o1 : tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c4_count(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %o0: tensor<4x8xf32>) {
  // expected-error @below {{expected output, and lse or max and sum, got 4 destinations}}
  %0:4 = lattn.finalize ins(%i0, %i1, %i1 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf32>, %i1, %i1, %i1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c4_sum_extent(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %o0: tensor<4x8xf32>, %o2: tensor<3xf32>) {
  // expected-error @below {{expected axis 0 of the stored sum to be output's extent = 4, got 3}}
  %0:3 = lattn.finalize ins(%i0, %i1, %i1 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : tensor<4x8xf32>, %i1, %o2 : tensor<4xf32>, tensor<3xf32>) {value_axis = 1}
  return
}

// -----

func.func @finalize_c5_mixed(%i0: tensor<4x8xf32>, %i1: tensor<4xf32>, %i2: tensor<4xf32>, %o0: memref<4x8xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.finalize ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
      outs(%o0 : memref<4x8xf32>) {value_axis = 1}
  return
}
