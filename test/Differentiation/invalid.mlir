// RUN: lattn-opt %s --lattn-differentiate --split-input-file --verify-diagnostics
// RUN: lattn-opt %s --lattn-differentiate=mode=forward --split-input-file --verify-diagnostics

func.func @bits(%x: f32) -> f32 {
  // expected-error@+1 {{'arith.bitcast' op has no derivative}}
  %0 = arith.bitcast %x : f32 to i32
  %1 = arith.bitcast %0 : i32 to f32
  return %1 : f32
}

// -----

// What the result does not need, or no argument reaches, needs no derivative.
func.func @unneeded(%x: f32, %n: i32) -> f32 {
  %0 = arith.bitcast %x : f32 to i32
  %1 = arith.bitcast %n : i32 to f32
  %2 = arith.addf %x, %1 : f32
  return %2 : f32
}

// -----

// expected-error@+1 {{'func.func' op has no argument of floats to differentiate by}}
func.func @integers(%n: i32) -> i32 {
  return %n : i32
}

// -----

// expected-error@+1 {{'func.func' op has branches: only straight-line code can be differentiated}}
func.func @branches(%x: f32, %c: i1) -> f32 {
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return %x : f32
}

// -----

// expected-error@+1 {{cannot be differentiated: @twice_}}
func.func @twice(%x: f32) -> f32 {
  return %x : f32
}
func.func private @twice_grad()
func.func private @twice_jvp()
