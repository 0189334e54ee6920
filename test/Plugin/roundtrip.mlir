// RUN: %mlir_opt_lattn %s | %mlir_opt_lattn | FileCheck %s
// RUN: not %mlir_opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// The stock mlir-opt parses, verifies and prints lattn through the plugin.

// WITHOUT: error: Dialect `lattn' not found for custom op

!t = tensor<1x8x?x64xf32>

// CHECK-LABEL: func.func @local
// CHECK: lattn.attention query(%{{.*}} : tensor<1x8x?x64xf32>)
// CHECK-SAME: {window = #lattn.window<left = 256, right = 0>}
func.func @local(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !t
}
