// REQUIRES: slow
// RUN: lattn-run %s --random=1 --verify-loops
// RUN: lattn-opt %s --lattn-to-llvm | FileCheck %s

// Whole powers in a region: of exponents that are constant, each key's and each
// query's. No library is asked for them.

// CHECK-NOT: llvm.intr.powi

!q = tensor<1x2x9x8xf32>
!k = tensor<1x2x11x8xf32>

func.func @main(%q: !q, %k: !k) -> !q {
  %o = tensor.empty() : !q
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%k : !k) outs(%o : !q) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %t = math.tanh %s : f32
      %x = math.fpowi %t, %three : f32, i32
      %n = arith.remui %j, %three : i32
      %y = math.fpowi %t, %n : f32, i32
      %m = arith.remui %i, %three : i32
      %z = math.fpowi %t, %m : f32, i32
      %c = math.ipowi %m, %two : i32
      %w = arith.sitofp %c : i32 to f32
      %xy = arith.addf %x, %y : f32
      %zw = arith.mulf %z, %w : f32
      %r = arith.addf %xy, %zw : f32
      lattn.yield %r : f32
  }
  return %0 : !q
}
