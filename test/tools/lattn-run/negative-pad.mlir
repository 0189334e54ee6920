// tensor.pad adds elements. A negative amount is an error of the call, and nothing
// is written.

// RUN: not lattn-run %s --cache=off --random=1 --shape=0:4x8 --output %t.npz 2>&1 \
// RUN:   | FileCheck %s
// RUN: not ls %t.npz

// CHECK: error: negative-pad.mlir:[[#@LINE+4]]:8: 'tensor.pad' op expected high of axis 0 to be at least 0, got -1; tensor.extract_slice removes elements

func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, 0] high[-1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
