// RUN: lattn-opt %s -split-input-file -verify-diagnostics

func.func @attention_c14_no_region(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %c: tensor<?xf32>) {
  // expected-error @below {{has captures but no score region to read them}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      captures(%c : tensor<?xf32>)
      outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @attention_c14_capture_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %c: f32) {
  // expected-error @below {{must be variadic of ranked tensor of any type values or strided memref of any type values}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      captures(%c : f32)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %c0: f32):
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c14_no_arguments(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected score region arguments (score, batch, head, query, key, captures...) of types 'f32', 'i32', 'i32', 'i32', 'i32'; got }}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
      %s = arith.constant 1.0 : f32
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c14_score_type(%q: tensor<1x2x4x8xbf16>, %k: tensor<1x2x4x8xbf16>, %v: tensor<1x2x4x8xbf16>, %o: tensor<1x2x4x8xbf16>) {
  // expected-error @below {{expected score region arguments (score, batch, head, query, key, captures...) of types 'f32', 'i32', 'i32', 'i32', 'i32'; got 'bf16', 'i32', 'i32', 'i32', 'i32'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xbf16>) key(%k : tensor<1x2x4x8xbf16>) value(%v : tensor<1x2x4x8xbf16>)
      outs(%o : tensor<1x2x4x8xbf16>) score {
    ^bb0(%s: bf16, %b: i32, %h: i32, %i: i32, %j: i32):
      lattn.yield %s : bf16
    }
  return
}

// -----

func.func @attention_c14_coordinate_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{; got 'f32', 'i64', 'i32', 'i32', 'i32'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i64, %h: i32, %i: i32, %j: i32):
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c14_capture_missing(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %c: tensor<?xf32>) {
  // expected-error @below {{expected score region arguments (score, batch, head, query, key, captures...) of types 'f32', 'i32', 'i32', 'i32', 'i32', 'tensor<?xf32>'; got 'f32', 'i32', 'i32', 'i32', 'i32'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      captures(%c : tensor<?xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c14_two_blocks(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected the score region to have one block}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      cf.br ^bb1
    ^bb1:
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c15_side_effect(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{score region may hold arith and math ops on scalars and reads of captured arrays only, got 'vector.print'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      // expected-note @below {{see this operation}}
      vector.print %s : f32
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c15_control_flow(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{score region may hold arith and math ops on scalars and reads of captured arrays only, got 'scf.if'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %t = arith.constant true
      // expected-note @below {{see this operation}}
      scf.if %t {
      }
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c15_call(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{score region may hold arith and math ops on scalars and reads of captured arrays only, got 'func.call'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      // expected-note @below {{see this operation}}
      %r = func.call @f(%s) : (f32) -> f32
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c15_store(%q: memref<1x2x4x8xf32>, %k: memref<1x2x4x8xf32>, %v: memref<1x2x4x8xf32>, %o: memref<1x2x4x8xf32>, %c: memref<1xf32>) {
  // expected-error @below {{score region may hold arith and math ops on scalars and reads of captured arrays only, got 'memref.store'}}
  lattn.attention query(%q : memref<1x2x4x8xf32>) key(%k : memref<1x2x4x8xf32>) value(%v : memref<1x2x4x8xf32>)
      captures(%c : memref<1xf32>)
      outs(%o : memref<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %c0: memref<1xf32>):
      %z = arith.constant 0 : index
      // expected-note @below {{see this operation}}
      memref.store %s, %c0[%z] : memref<1xf32>
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c15_array_constant(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{score region may hold arith and math ops on scalars and reads of captured arrays only, got 'arith.constant'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      // expected-note @below {{see this operation}}
      %t = arith.constant dense<1.0> : tensor<4xf32>
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c15_array_arithmetic(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>, %c: tensor<?xf32>) {
  // expected-error @below {{score region may hold arith and math ops on scalars and reads of captured arrays only, got 'arith.addf'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      captures(%c : tensor<?xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %c0: tensor<?xf32>):
      // expected-note @below {{see this operation}}
      %t = arith.addf %c0, %c0 : tensor<?xf32>
      lattn.yield %s : f32
    }
  return
}

// -----

func.func @attention_c16_yield_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected the score region to yield 'f32', got 'f16'}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %r = arith.truncf %s : f32 to f16
      lattn.yield %r : f16
    }
  return
}

// -----

func.func @attention_c16_yield_nothing(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected the score region to yield 'f32', got }}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      "lattn.yield"() : () -> ()
    }
  return
}

// -----

func.func @attention_c16_no_yield(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected the score region to end in lattn.yield}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %r = arith.addf %s, %s : f32
    }
  return
}

// -----

func.func @attention_c16_empty_block(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error @below {{expected the score region to end in lattn.yield}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>)
      outs(%o : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    }
  return
}

// -----

func.func @attention_c16_yield_outside(%s: f32) {
  // expected-error @below {{expects parent op to be one of 'lattn.attention, lattn.attention_grad, lattn.attention_grad_step, lattn.attention_jvp, lattn.attention_jvp_step, lattn.attention_scores, lattn.online_attention, lattn.sweep_keys'}}
  lattn.yield %s : f32
}

// -----

func.func @captures_only(%q: tensor<1x2x4x8xf32>, %x: f32) {
  // expected-note @below {{required by region isolation constraints}}
  %0 = lattn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
      outs(%q : tensor<1x2x4x8xf32>) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      // expected-error @below {{using value defined outside the region}}
      %r = arith.addf %s, %x : f32
      lattn.yield %r : f32
    }
  return
}
