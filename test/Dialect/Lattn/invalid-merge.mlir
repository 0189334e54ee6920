// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @merge_c1_acc_rank(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<1x4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected acc to have one axis more than max, got ranks 3 and 1}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<1x4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c1_sum_rank(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4x1xf32>) {
  // expected-error @below {{expected sum of rank 1 like max, got rank 2}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4x1xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c1_type(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf64>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected max of element type 'f32', got 'f64'}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf64>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c1_narrow_type(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf16>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{operand #3 must be}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c1_extent(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<5xf32>, %o2: tensor<5xf32>) {
  // expected-error @below {{expected axis 0 of acc to be max's extent = 5, got 4}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<5xf32>, tensor<5xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c1_other_axis(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected axis 1 of acc to be max's extent = 4, got 8}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 0}
  return
}

// -----

func.func @merge_c1_value_axis(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected value_axis below 2, got 2}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 2}
  return
}

// -----

func.func @merge_c1_value_axis_huge(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected value_axis below 2, got 9223372036854775807}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 9223372036854775807}
  return
}

// -----

func.func @merge_c1_value_axis_negative(%i0: tensor<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      // expected-error @below {{attribute 'value_axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = -1}
  return
}

// -----

func.func @merge_c2_acc_rank(%i0: tensor<4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected a partial state of rank 3 (parts, the state's axes), got rank 2}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c2_rank(%i0: tensor<1x3x4x8xf32>, %i1: tensor<1x3x4xf32>, %i2: tensor<1x3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected a partial state of rank 3 (parts, the state's axes), got rank 4}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<1x3x4x8xf32>, tensor<1x3x4xf32>, tensor<1x3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c2_type(%i0: tensor<3x4x8xf64>, %i1: tensor<3x4xf64>, %i2: tensor<3x4xf64>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected a partial state of element type 'f32', got 'f64'}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf64>, tensor<3x4xf64>, tensor<3x4xf64>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c3_extent(%i0: tensor<3x4x9xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected axis 2 of a partial state to be the state's extent = 8, got 9}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x9xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c3_parts(%i0: tensor<3x4x8xf32>, %i1: tensor<2x4xf32>, %i2: tensor<2x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected axis 0 of a partial state to be the number of parts = 3, got 2}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : tensor<3x4x8xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}

// -----

func.func @merge_c4_mixed(%i0: memref<3x4x8xf32>, %i1: tensor<3x4xf32>, %i2: tensor<3x4xf32>, %o0: tensor<4x8xf32>, %o1: tensor<4xf32>, %o2: tensor<4xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  %0:3 = lattn.merge ins(%i0, %i1, %i2 : memref<3x4x8xf32>, tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%o0, %o1, %o2 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) {value_axis = 1}
  return
}
