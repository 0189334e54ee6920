// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @pack_query_c1_query_rank(%i0: tensor<1x4x8xf32>, %o0: tensor<8x16xf32>) {
  // expected-error @below {{expected query of rank 2 (query, size), got rank 3}}
  %0 = lattn.pack_query ins(%i0 : tensor<1x4x8xf32>)
      outs(%o0 : tensor<8x16xf32>) {scale = 0.5 : f64}
  return
}

// -----

func.func @pack_query_c1_packed_rank(%i0: tensor<4x8xf32>, %o0: tensor<8xf32>) {
  // expected-error @below {{expected packed of rank 2 (size, query), got rank 1}}
  %0 = lattn.pack_query ins(%i0 : tensor<4x8xf32>)
      outs(%o0 : tensor<8xf32>) {scale = 0.5 : f64}
  return
}

// -----

func.func @pack_query_c1_type(%i0: tensor<4x8xbf16>, %o0: tensor<8x16xf64>) {
  // expected-error @below {{expected packed of element type 'f32' or 'bf16', got 'f64'}}
  %0 = lattn.pack_query ins(%i0 : tensor<4x8xbf16>)
      outs(%o0 : tensor<8x16xf64>) {scale = 0.5 : f64}
  return
}

// -----

func.func @pack_query_c1_narrow_type(%i0: tensor<4x8xbf16>, %o0: tensor<8x16xf16>) {
  // expected-error @below {{expected packed of element type 'f32' or 'bf16', got 'f16'}}
  %0 = lattn.pack_query ins(%i0 : tensor<4x8xbf16>)
      outs(%o0 : tensor<8x16xf16>) {scale = 0.5 : f64}
  return
}

// -----

func.func @pack_query_c1_head_size(%i0: tensor<4x8xf32>, %o0: tensor<4x16xf32>) {
  // expected-error @below {{expected axis 0 of packed to be query's head size = 8, got 4}}
  %0 = lattn.pack_query ins(%i0 : tensor<4x8xf32>)
      outs(%o0 : tensor<4x16xf32>) {scale = 0.5 : f64}
  return
}

// -----

func.func @pack_query_c2_columns(%i0: tensor<17x8xf32>, %o0: tensor<8x16xf32>) {
  // expected-error @below {{expected packed with at least 17 columns, one per query, got 16}}
  %0 = lattn.pack_query ins(%i0 : tensor<17x8xf32>)
      outs(%o0 : tensor<8x16xf32>) {scale = 0.5 : f64}
  return
}

// -----

func.func @pack_query_c3_nan(%i0: tensor<4x8xf32>, %o0: tensor<8x16xf32>) {
  // expected-error @below {{expected a finite scale, got 0x7FF8000000000000 : f64}}
  %0 = lattn.pack_query ins(%i0 : tensor<4x8xf32>)
      outs(%o0 : tensor<8x16xf32>) {scale = 0x7FF8000000000000 : f64}
  return
}

// -----

func.func @pack_query_c3_type(%i0: tensor<4x8xf32>, %o0: tensor<8x16xf32>) {
  %0 = lattn.pack_query ins(%i0 : tensor<4x8xf32>)
      // expected-error @below {{attribute 'scale' failed to satisfy constraint: 64-bit float attribute}}
      outs(%o0 : tensor<8x16xf32>) {scale = 1.0 : f32}
  return
}

// -----

func.func @pack_query_c4_mixed(%i0: tensor<4x8xf32>, %o0: memref<8x16xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.pack_query ins(%i0 : tensor<4x8xf32>)
      outs(%o0 : memref<8x16xf32>) {scale = 1.0 : f64}
  return
}
