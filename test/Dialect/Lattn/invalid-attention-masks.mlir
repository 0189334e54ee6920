// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_c9_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %m: tensor<4xi1>) {
  // expected-error @below {{expected key_mask of rank 2 (batch, key), got rank 1}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      key_mask(%m : tensor<4xi1>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c9_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %m: tensor<1x4xi8>) {
  // expected-error @below {{must be ranked tensor of 1-bit signless integer values}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      key_mask(%m : tensor<1x4xi8>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c9_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %m: tensor<2x4xi1>) {
  // expected-error @below {{expected axis 0 of key_mask to be the extent of batch = 1, got 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      key_mask(%m : tensor<2x4xi1>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c9_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %v: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x8xf32>, %m: tensor<1x4xi1>) {
  // expected-error @below {{expected axis 1 of key_mask to be the extent of key = 6, got 4}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%v : tensor<1x2x6x8xf32>)
      key_mask(%m : tensor<1x4xi1>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c10_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<1x1xi32>) {
  // expected-error @below {{expected kv_lens of rank 1 (batch), got rank 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      kv_lens(%l : tensor<1x1xi32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c10_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<1xindex>) {
  // expected-error @below {{must be ranked tensor of 32-bit signless integer or 64-bit signless integer values}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      kv_lens(%l : tensor<1xindex>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c10_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %l: tensor<2xi64>) {
  // expected-error @below {{expected axis 0 of kv_lens to be the extent of batch = 1, got 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      kv_lens(%l : tensor<2xi64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c11_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: tensor<i64>) {
  // expected-error @below {{expected offset of rank 1 (batch), got rank 0}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      offset(%p : tensor<i64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c11_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: i32) {
  // expected-error @below {{must be 64-bit signless integer or ranked tensor of 64-bit signless integer values}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      offset(%p : i32)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c11_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %p: tensor<3xi64>) {
  // expected-error @below {{expected axis 0 of offset to be the extent of batch = 1, got 3}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      offset(%p : tensor<3xi64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c12_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %s: tensor<1x2xf32>) {
  // expected-error @below {{expected sink of rank 1 (head), got rank 2}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      sink(%s : tensor<1x2xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c12_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %s: tensor<1xf32>) {
  // expected-error @below {{expected axis 0 of sink to be query's heads = 2, got 1}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      sink(%s : tensor<1xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c12_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %s: tensor<2xf64>) {
  // expected-error @below {{expected sink of element type f16, bf16 or f32, got 'f64'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      sink(%s : tensor<2xf64>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}
