// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @online_attention_c4_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected axis 0 of key to be the extent seen before = 1, got 2}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<2x2x4x8xf32>) value(%v : tensor<2x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c4_value_length(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x5x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected axis 2 of value to be the extent seen before = 4, got 5}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x5x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c4_rows(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x3xf32>, %s: tensor<1x2x3xf32>) {
  // expected-error @below {{expected axis 2 of max to be the extent seen before = 4, got 3}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>)
  return
}

// -----

func.func @online_attention_c4_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x3x4x8xf32>, %v: tensor<1x3x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected query heads to be a multiple of key heads, got 2 and 3}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x3x4x8xf32>) value(%v : tensor<1x3x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c4_head_size(%q: tensor<1x2x4x0xf32>, %k: tensor<1x2x4x0xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected a head size of at least 1, got 0}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x0xf32>) key(%k : tensor<1x2x4x0xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c5_wide_key(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf64>, %v: tensor<1x2x4x8xf64>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected query of element type f64, got 'f32'}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf64>) value(%v : tensor<1x2x4x8xf64>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c5_wide_query(%q: tensor<1x2x4x8xf64>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf64>, %m: tensor<1x2x4xf64>, %s: tensor<1x2x4xf64>) {
  // expected-error @below {{expected query of element type f16, bf16 or f32, got 'f64'}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf64>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf64>, tensor<1x2x4xf64>, tensor<1x2x4xf64>)
  return
}

// -----

func.func @online_attention_c5_value_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf64>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected value of element type f16, bf16 or f32, got 'f64'}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf64>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c5_acc_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf64>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected acc of element type 'f32', got 'f64'}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf64>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c5_narrow_acc(%q: tensor<1x2x4x8xf16>, %k: tensor<1x2x4x8xf16>, %v: tensor<1x2x4x8xf16>, %a: tensor<1x2x4x8xf16>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{must be ranked tensor of 32-bit float or 64-bit float values}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf16>) key(%k : tensor<1x2x4x8xf16>) value(%v : tensor<1x2x4x8xf16>)
      outs(%a, %m, %s : tensor<1x2x4x8xf16>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c5_sum_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf64>) {
  // expected-error @below {{expected sum of element type 'f32', got 'f64'}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf64>)
  return
}

// -----

func.func @online_attention_c6_window(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected an offset beside a window: the default of lattn.attention needs the whole key length}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {window = #lattn.window<left = 2>}
  return
}

// -----

func.func @online_attention_c6_causal(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected an offset beside a window}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {causal}
  return
}

// -----

func.func @online_attention_c7_key_mask(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>, %x: tensor<4xi1>) {
  // expected-error @below {{expected key_mask of rank 2 (batch, key), got rank 1}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      key_mask(%x : tensor<4xi1>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c7_kv_lens(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>, %x: tensor<2xi32>) {
  // expected-error @below {{expected axis 0 of kv_lens to be the extent of batch = 1, got 2}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      kv_lens(%x : tensor<2xi32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c7_offset(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>, %x: tensor<1x1xi64>) {
  // expected-error @below {{expected offset of rank 1 (batch), got rank 2}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      offset(%x : tensor<1x1xi64>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c7_bias(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>, %x: tensor<3x4xf32>) {
  // expected-error @below {{expected axis 0 of bias to be 1 or the extent of query = 4, got 3}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      bias(%x : tensor<3x4xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c7_origin(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>, %x: index) {
  // expected-error @below {{expected origin (batch, head, query, key), got 1 values}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      origin(%x)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c7_captures(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>, %x: tensor<3x4xf32>) {
  // expected-error @below {{has captures but no score region to read them}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      captures(%x : tensor<3x4xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c7_scale(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected a finite scale}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {scale = 0xFFF0000000000000 : f64}
  return
}

// -----

func.func @online_attention_c7_yield(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected the score region to yield 'f32', got 'i32'}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) score {
    ^bb0(%x: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      "lattn.yield"(%b) : (i32) -> ()
    }
  return
}

// -----

func.func @online_attention_c8_mixed(%q: tensor<1x2x4x8xf32>, %k: memref<1x2x4x8xf32>, %v: memref<1x2x4x8xf32>, %a: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %s: tensor<1x2x4xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%k : memref<1x2x4x8xf32>) value(%v : memref<1x2x4x8xf32>)
      outs(%a, %m, %s : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c9(%q: tensor<1x2x4x8xf32>, %m: tensor<1x2x4xf32>, %p: f32, %n: i64) {
  // expected-error @below {{expected dropout (p : f32, seed : i64, offset : i64, heads : i64)}}
  %0:3 = lattn.online_attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
      dropout(%p, %n, %n : f32, i64, i64)
      outs(%q, %m, %m : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @online_attention_c11(%q: memref<1x2x4x8xf32>, %m: memref<1x2x4xf32>, %rows: memref<?x?xf32>) {
  // expected-error @below {{expected ahead (queries, outputs), two matrices whose width is known, got 'memref<?x?xf32>', 'memref<?x?xf32>'}}
  lattn.online_attention query(%q : memref<1x2x4x8xf32>) key(%q : memref<1x2x4x8xf32>) value(%q : memref<1x2x4x8xf32>)
      ahead(%rows, %rows : memref<?x?xf32>, memref<?x?xf32>)
      outs(%q, %m, %m : memref<1x2x4x8xf32>, memref<1x2x4xf32>, memref<1x2x4xf32>)
  return
}
