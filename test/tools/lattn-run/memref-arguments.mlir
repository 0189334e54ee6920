// A memref argument that the function writes to is a result too, under the
// argument's name: compared and written to the output file.

// REQUIRES: python, slow
// RUN: lattn-run %s --random=3 --verify-loops --output %t.npz | FileCheck %s
// RUN: %python -c "import sys, numpy; print(*numpy.load(sys.argv[1]))" %t.npz | FileCheck %s --check-prefix=NAMES

// CHECK: results {{ *}}out 1x2x5x8xf32
// CHECK: out agrees with lattn-to-loops: 0 of 80 elements differ
// NAMES: out
// NAMES-NOT: arg

func.func @f(%q: memref<1x2x5x8xf32>, %k: memref<1x2x7x8xf32>,
             %out: memref<1x2x5x8xf32> {lattn.name = "out"}) {
  %view = memref.cast %out : memref<1x2x5x8xf32> to memref<1x2x?x8xf32>
  lattn.attention query(%q : memref<1x2x5x8xf32>) key(%k : memref<1x2x7x8xf32>)
    value(%k : memref<1x2x7x8xf32>) outs(%view : memref<1x2x?x8xf32>)
    {window = #lattn.window<left = 2, right = 1>}
  return
}
