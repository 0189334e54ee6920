// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @pad_sequences_c1_rank(%packed: tensor<9x8xf32>, %cu: tensor<4xi32>, %most: index) {
  // expected-error @below {{expected packed of rank 4 (1, head, row, element), or 3 without elements, got rank 2}}
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<9x8xf32>, tensor<4xi32>) max_seqlen(%most) -> tensor<3x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @pad_sequences_c1_batch(%packed: tensor<2x4x9x8xf32>, %cu: tensor<4xi32>, %most: index) {
  // expected-error @below {{expected axis 0 of packed to be the one batch of packed rows = 1, got 2}}
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<2x4x9x8xf32>, tensor<4xi32>) max_seqlen(%most) -> tensor<3x4x?x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @pad_sequences_c2(%packed: tensor<1x4x9x8xf32>, %cu: tensor<0xi32>, %most: index) {
  // expected-error @below {{expected cu_seqlens of at least 1 entry, got 0}}
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x4x9x8xf32>, tensor<0xi32>) max_seqlen(%most) -> tensor<?x4x?x8xf32>, tensor<?xi64>
  return
}

// -----

func.func @pad_sequences_c3_sequences(%packed: tensor<1x4x9x8xf32>, %cu: tensor<4xi32>, %most: index) {
  // expected-error @below {{expected axis 0 of padded to be the extent of packed rows with a batch for each sequence = 3, got 4}}
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x4x9x8xf32>, tensor<4xi32>) max_seqlen(%most) -> tensor<4x4x?x8xf32>, tensor<3xi64>
  return
}

// -----

func.func @pad_sequences_c3_type(%packed: tensor<1x4x9x8xf32>, %cu: tensor<4xi32>, %most: index) {
  // expected-error @below {{expected padded of element type 'f32', got 'f64'}}
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x4x9x8xf32>, tensor<4xi32>) max_seqlen(%most) -> tensor<3x4x?x8xf64>, tensor<3xi64>
  return
}

// -----

func.func @pad_sequences_c3_lengths(%packed: tensor<1x4x9x8xf32>, %cu: tensor<4xi32>, %most: index) {
  // expected-error @below {{expected axis 0 of lengths to be the extent of the sequences = 3, got 4}}
  %0, %n = lattn.pad_sequences ins(%packed, %cu : tensor<1x4x9x8xf32>, tensor<4xi32>) max_seqlen(%most) -> tensor<3x4x?x8xf32>, tensor<4xi64>
  return
}

// -----

func.func @pack_sequences_c1(%padded: tensor<3x2x5x8xf32>, %cu: tensor<4xi32>, %out: tensor<1x4x9x8xf32>) {
  // expected-error @below {{expected axis 1 of padded to be the extent of packed rows with a batch for each sequence = 4, got 2}}
  %0 = lattn.pack_sequences ins(%padded, %cu : tensor<3x2x5x8xf32>, tensor<4xi32>) outs(%out : tensor<1x4x9x8xf32>)
  return
}

// -----

func.func @pack_sequences_c2(%padded: tensor<?x4x5x8xf32>, %cu: tensor<0xi32>, %out: tensor<1x4x9x8xf32>) {
  // expected-error @below {{expected cu_seqlens of at least 1 entry, got 0}}
  %0 = lattn.pack_sequences ins(%padded, %cu : tensor<?x4x5x8xf32>, tensor<0xi32>) outs(%out : tensor<1x4x9x8xf32>)
  return
}

// -----

func.func @pack_sequences_c3(%padded: tensor<3x4x5x8xf32>, %cu: tensor<4xi32>, %out: tensor<3x4x9x8xf32>) {
  // expected-error @below {{expected axis 0 of output to be the one batch of packed rows = 1, got 3}}
  %0 = lattn.pack_sequences ins(%padded, %cu : tensor<3x4x5x8xf32>, tensor<4xi32>) outs(%out : tensor<3x4x9x8xf32>)
  return
}
