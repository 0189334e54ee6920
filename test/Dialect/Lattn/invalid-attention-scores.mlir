// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_scores_c1_key_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<2x6x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected key of rank 4 (batch, head, position, size), got rank 3}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<2x6x8xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c1_scores_rank(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<2x4x6xf32>) {
  // expected-error @below {{expected scores of rank 4 (batch, head, query, key), got rank 3}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : tensor<2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c1_bnhd_rank(%q: tensor<4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected query of rank 4 (batch, position, head, size), got rank 2}}
  %0 = lattn.attention_scores query(%q : tensor<4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {layout = #lattn.layout<bnhd>, stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c2_key_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf64>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected key of element type 'f32', got 'f64'}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf64>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c2_scores_type(%q: tensor<1x2x4x8xbf16>, %k: tensor<1x2x6x8xbf16>, %o: tensor<1x2x4x6xf16>) {
  // expected-error @below {{expected scores of element type 'bf16' or 'f32', got 'f16'}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xbf16>) key(%k : tensor<1x2x6x8xbf16>)
      outs(%o : tensor<1x2x4x6xf16>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c2_narrower(%q: tensor<1x2x4x8xf64>, %k: tensor<1x2x6x8xf64>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected scores of element type 'f64', got 'f32'}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf64>) key(%k : tensor<1x2x6x8xf64>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c3_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<2x2x6x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected axis 0 of key to be query's batch = 1, got 2}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<2x2x6x8xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c4_groups(%q: tensor<1x2x4x8xf32>, %k: tensor<1x3x6x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected query heads to be a multiple of key heads, got 2 and 3}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x3x6x8xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c4_batch(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<3x2x4x6xf32>) {
  // expected-error @below {{expected axis 0 of scores to be query's batch = 1, got 3}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : tensor<3x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c4_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x1x6x8xf32>, %o: tensor<1x1x4x6xf32>) {
  // expected-error @below {{expected axis 1 of scores to be query's heads = 2, got 1}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x1x6x8xf32>)
      outs(%o : tensor<1x1x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c4_queries(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x6x4xf32>) {
  // expected-error @below {{expected axis 2 of scores to be query's length = 4, got 6}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : tensor<1x2x6x4xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c4_keys_of_bnhd(%q: tensor<1x4x2x8xf32>, %k: tensor<1x6x2x8xf32>, %o: tensor<1x2x4x2xf32>) {
  // expected-error @below {{expected axis 3 of scores to be key's length = 6, got 2}}
  %0 = lattn.attention_scores query(%q : tensor<1x4x2x8xf32>) key(%k : tensor<1x6x2x8xf32>)
      outs(%o : tensor<1x2x4x2xf32>) {layout = #lattn.layout<bnhd>, stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c5_no_head_size(%q: tensor<1x2x4x0xf32>, %k: tensor<1x2x6x0xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected a head size of at least 1, got 0}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x0xf32>) key(%k : tensor<1x2x6x0xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c5_head_size(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x7xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected axis 3 of key to be query's head size = 8, got 7}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x7xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_key_mask(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>, %m: tensor<1x4xi1>) {
  // expected-error @below {{expected axis 1 of key_mask to be the extent of key = 6, got 4}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      key_mask(%m : tensor<1x4xi1>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_bias(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>, %m: tensor<3x4x6xf32>) {
  // expected-error @below {{expected axis 0 of bias to be 1 or the extent of head = 2, got 3}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      bias(%m : tensor<3x4x6xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_sink(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{expected axis 0 of sink to be query's heads = 2, got 4}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      sink(%m : tensor<4xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_origin(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>, %m: index) {
  // expected-error @below {{expected an offset beside an origin: the default offset needs the whole lengths}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      origin(%m, %m, %m, %m)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_captures(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{has captures but no score region to read them}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      captures(%m : tensor<4xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_scale(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{expected a finite scale, got 0x7FF0000000000000}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {scale = 0x7FF0000000000000 : f64, stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c7_missing(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: tensor<1x2x4x6xf32>) {
  // expected-error @below {{'lattn.attention_scores' op requires attribute 'stage'}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : tensor<1x2x4x6xf32>) {causal}
  return
}

// -----

func.func @attention_scores_c8_mixed(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x6x8xf32>, %o: memref<1x2x4x6xf32>) {
  // expected-error @below {{expected all operands to be tensors or all to be memrefs, got both}}
  lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x6x8xf32>)
      outs(%o : memref<1x2x4x6xf32>) {stage = #lattn.stage<masked>}
  return
}

// -----

func.func @attention_scores_c6_region(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x4xf32>) {
  // expected-error @below {{expected the score region to yield 'f32', got 'i32'}}
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x4xf32>) {stage = #lattn.stage<scores>} score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    "lattn.yield"(%b) : (i32) -> ()
  }
  return
}

// -----

func.func @attention_scores_c7_unknown(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x4xf32>) {
  %0 = lattn.attention_scores query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>)
      // expected-error @+2 {{expected ::lattn::Stage to be one of: products, scores, masked, weights}}
      // expected-error @below {{failed to parse Lattn_StageAttr parameter 'value'}}
      outs(%o : tensor<1x2x4x4xf32>) {stage = #lattn.stage<probabilities>}
  return
}
