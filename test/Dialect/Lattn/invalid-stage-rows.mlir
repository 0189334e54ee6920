// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @stage_rows_c1_rank(%k: tensor<4x8xf32>, %e: tensor<1x4x8xf32>) {
  // expected-error @below {{expected scratch of rank 2 as input has, got rank 3}}
  %0 = lattn.stage_rows ins(%k : tensor<4x8xf32>) scratch(%e : tensor<1x4x8xf32>)
      {position_axis = 0} -> tensor<4x8xf32>
  return
}

// -----

func.func @stage_rows_c1_type(%k: tensor<4x8xbf16>, %e: tensor<4x8xf64>) {
  // expected-error @below {{expected scratch of element type 'f32' or 'bf16', got 'f64'}}
  %0 = lattn.stage_rows ins(%k : tensor<4x8xbf16>) scratch(%e : tensor<4x8xf64>)
      {position_axis = 0} -> tensor<4x8xf64>
  return
}

// -----

func.func @stage_rows_c2(%k: tensor<4x8xf32>, %e: tensor<?x7xf32>) {
  // expected-error @below {{expected axis 1 of scratch to hold input's 8, got 7}}
  %0 = lattn.stage_rows ins(%k : tensor<4x8xf32>) scratch(%e : tensor<?x7xf32>)
      {position_axis = 0} -> tensor<4x8xf32>
  return
}

// -----

func.func @stage_rows_c3(%k: tensor<4x8xf32>) {
  // expected-error @below {{expected position_axis to be an axis before the last of 2, got 1}}
  %0 = lattn.stage_rows ins(%k : tensor<4x8xf32>) scratch(%k : tensor<4x8xf32>)
      {position_axis = 1} -> tensor<4x8xf32>
  return
}

// -----

func.func @stage_rows_c4_mixed(%k: tensor<4x8xf32>, %e: memref<4x8xf32>) {
  // expected-error @below {{expected input, scratch and result to be all tensors or all memrefs}}
  %0 = lattn.stage_rows ins(%k : tensor<4x8xf32>) scratch(%e : memref<4x8xf32>)
      {position_axis = 0} -> tensor<4x8xf32>
  return
}

// -----

func.func @stage_rows_c4_result(%k: tensor<4x8xf32>, %e: tensor<5x8xf32>) {
  // expected-error @below {{expected a result of input's shape and scratch's element type, got 'tensor<5x8xf32>'}}
  %0 = lattn.stage_rows ins(%k : tensor<4x8xf32>) scratch(%e : tensor<5x8xf32>)
      {position_axis = 0} -> tensor<5x8xf32>
  return
}
