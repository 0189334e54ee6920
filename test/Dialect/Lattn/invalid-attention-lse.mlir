// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_c8_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<2x4xf32>) {
  // expected-error @below {{expected lse of rank 3 (batch, head, query), got rank 2}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : tensor<2x4xf32>)
  return
}

// -----

func.func @attention_c8_narrow_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf16>) {
  // expected-error @below {{must be ranked tensor of 32-bit float or 64-bit float values}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : tensor<1x2x4xf16>)
  return
}

// -----

func.func @attention_c8_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf64>) {
  // expected-error @below {{expected lse of element type 'f32', got 'f64'}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : tensor<1x2x4xf64>)
  return
}

// -----

func.func @attention_c8_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<2x2x4xf32>) {
  // expected-error @below {{expected axis 0 of lse to be query's batch = 1, got 2}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : tensor<2x2x4xf32>)
  return
}

// -----

func.func @attention_c8_heads_bnhd(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error @below {{expected axis 1 of lse to be query's heads = 4, got 2}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : tensor<1x2x4xf32>) {layout = #lattn.layout<bnhd>}
  return
}

// -----

func.func @attention_c8_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<1x2x5xf32>) {
  // expected-error @below {{expected axis 2 of lse to be query's length = 4, got 5}}
  %0:2 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : tensor<1x2x5xf32>)
  return
}

// -----

func.func @attention_c20_mixed_destinations(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: memref<1x2x4xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>, %l : memref<1x2x4xf32>)
  return
}

// -----

func.func @attention_c20_memref_mask(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %m: memref<1x4xi1>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      key_mask(%m : memref<1x4xi1>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c20_result_type(%q: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected type of operand #3 ('tensor<1x2x4x8xf32>') to match type of corresponding result ('tensor<1x2x4x9xf32>')}}
  %0 = "lattn.attention"(%q, %q, %q, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0>}> ({
  }) : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x9xf32>
  return
}
