// RUN: lattn-opt %s --lattn-differentiate=mode=forward --split-input-file --verify-diagnostics

// Tangents go through the score region op by op.

!q = tensor<1x1x8x4xf32>

func.func @region(%q: !q, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) outs(%e : !q) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    // expected-error@+1 {{'arith.bitcast' op has no derivative}}
    %0 = arith.bitcast %s : f32 to i32
    %1 = arith.bitcast %0 : i32 to f32
    lattn.yield %1 : f32
  }
  return %0 : !q
}

// -----

!q = tensor<1x1x8x4xf32>
!r = tensor<1x1x8xf32>

func.func @grad_region(%q: !q, %o: !q, %l: !r, %do: !q, %e: !q) -> !q {
  %0:3 = lattn.attention_grad query(%q : !q) key(%q : !q) value(%q : !q) output(%o : !q)
      lse(%l : !r) d_output(%do : !q) outs(%e, %e, %e : !q, !q, !q) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    // expected-error@+1 {{'arith.bitcast' op has no derivative}}
    %0 = arith.bitcast %s : f32 to i32
    %1 = arith.bitcast %0 : i32 to f32
    lattn.yield %1 : f32
  }
  return %0#0 : !q
}

// -----

// The score depends on nothing that has a tangent.

!q = tensor<1x1x8x4xf32>

func.func @constant_score(%q: !q, %e: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) outs(%e : !q) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %0 = arith.bitcast %j : i32 to f32
    lattn.yield %0 : f32
  }
  return %0 : !q
}
