// REQUIRES: slow
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{run} = lattn-run %s --entry=attention --random=1

// The first run compiles, the second loads, both compute the same bits.
// RUN: %{run} --cache=%t/c --output=%t/cold.npz | FileCheck %s --check-prefix=COMPILED
// RUN: %{run} --cache=%t/c --output=%t/warm.npz | FileCheck %s --check-prefix=LOADED
// RUN: cmp %t/cold.npz %t/warm.npz
// COMPILED: compile time {{[0-9.]+ [mu]?s$}}
// LOADED: compile time {{[0-9.]+ [mu]?s}}, loaded from the cache
// LOADED: rate

// So do comparisons and explanations.
// RUN: %{run} --cache=%t/c --verify-loops --explain | FileCheck %s --check-prefix=BOTH
// RUN: %{run} --cache=%t/c --verify-loops --explain | FileCheck %s --check-prefix=BOTH
// BOTH: loaded from the cache
// BOTH: output agrees with lattn-to-loops
// BOTH: attention 0

// Other code for another function, target or tile.
// RUN: lattn-run %s --entry=other --random=1 --cache=%t/c | FileCheck %s --check-prefix=COMPILED
// RUN: %{run} --cache=%t/c --target=loops --mattr=-fma | FileCheck %s --check-prefix=COMPILED
// RUN: %{run} --cache=%t/c --query-tile=8 | FileCheck %s --check-prefix=COMPILED

// Where the folder's name comes from.
// RUN: env LATTN_CACHE_DIR=%t/c lattn-run %s --entry=attention --random=1 | FileCheck %s --check-prefix=LOADED
// RUN: env LATTN_CACHE_DIR=%t/c lattn-run %s --entry=attention --random=1 --cache=off | FileCheck %s --check-prefix=COMPILED
// RUN: %{run} | FileCheck %s --check-prefix=COMPILED

// Passes print as they run.
// RUN: %{run} --cache=%t/c --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=PRINTED
// PRINTED: IR Dump After
// PRINTED: compile time {{[0-9.]+ [mu]?s$}}

// What the compiler warned of is said again.
// RUN: lattn-run %s --entry=slow --random=1 --shape=0:1x1x4x8 --cache=%t/c 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: lattn-run %s --entry=slow --random=1 --shape=0:1x1x4x8 --cache=%t/c 2>&1 | FileCheck %s --check-prefix=AGAIN
// WARNED: cache.mlir:[[#@LINE+13]]:{{[0-9]+}}: warning: {{.*}}the head size is not known
// AGAIN: cache.mlir:[[#@LINE+12]]:{{[0-9]+}}: warning: {{.*}}the head size is not known
// AGAIN: loaded from the cache

func.func @attention(%q: tensor<1x2x40x16xf32>, %k: tensor<1x2x40x16xf32>)
    -> (tensor<1x2x40x16xf32> {lattn.name = "output"}) {
  %e = tensor.empty() : tensor<1x2x40x16xf32>
  %0 = lattn.attention query(%q : tensor<1x2x40x16xf32>)
      key(%k : tensor<1x2x40x16xf32>) value(%k : tensor<1x2x40x16xf32>)
      outs(%e : tensor<1x2x40x16xf32>) {window = #lattn.window<left = 8>}
  return %0 : tensor<1x2x40x16xf32>
}
func.func @slow(%q: tensor<1x1x4x?xf32>) -> tensor<1x1x4x?xf32> {
  %0 = lattn.attention query(%q : tensor<1x1x4x?xf32>)
      key(%q : tensor<1x1x4x?xf32>) value(%q : tensor<1x1x4x?xf32>)
      outs(%q : tensor<1x1x4x?xf32>)
  return %0 : tensor<1x1x4x?xf32>
}
func.func @other(%x: f32) -> f32 {
  return %x : f32
}
