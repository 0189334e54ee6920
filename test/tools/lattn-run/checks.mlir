// Numeric tests in IR: a check that fails is reported and ends in exit code 1,
// by both pipelines.

// RUN: lattn-run %s --entry=right
// RUN: lattn-run %s --entry=right --target=loops
// RUN: not lattn-run %s --entry=wrong 2>&1 | FileCheck %s
// RUN: not lattn-run %s --entry=wrong --target=loops 2>&1 | FileCheck %s

// CHECK-DAG: check failed: 1 of 2 elements differ; first at element 1: got 17.3105{{.*}}, expected 17.5
// CHECK-DAG: 1 check failed

// Row 1 weighs 10 and 20 by exp(0) and exp(1).
func.func private @causal() -> tensor<1x1x2x1xf32> {
  %q = arith.constant dense<[[[[1.0, 0.0], [0.0, 1.0]]]]> : tensor<1x1x2x2xf32>
  %v = arith.constant dense<[[[[10.0], [20.0]]]]> : tensor<1x1x2x1xf32>
  %e = tensor.empty() : tensor<1x1x2x1xf32>
  %r = lattn.attention query(%q : tensor<1x1x2x2xf32>)
    key(%q : tensor<1x1x2x2xf32>) value(%v : tensor<1x1x2x1xf32>)
    outs(%e : tensor<1x1x2x1xf32>) {causal, scale = 1.0}
  return %r : tensor<1x1x2x1xf32>
}

func.func @right() {
  %r = call @causal() : () -> tensor<1x1x2x1xf32>
  %x = arith.constant dense<[[[[10.0], [17.3105858]]]]> : tensor<1x1x2x1xf32>
  check.expect_close %r, %x {rtol = 1.0e-6 : f64, atol = 0.0 : f64}
    : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
  return
}

func.func @wrong() {
  %r = call @causal() : () -> tensor<1x1x2x1xf32>
  %x = arith.constant dense<[[[[10.0], [17.5]]]]> : tensor<1x1x2x1xf32>
  check.expect_close %r, %x {rtol = 1.0e-6 : f64, atol = 0.0 : f64}
    : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
  return
}
