// REQUIRES: python, slow
// RUN: %python %S/Inputs/make.py %t
// DEFINE: %{show} = %python -c "import sys, numpy; [print(n, a.dtype, a.shape, (a.view('u2') if a.dtype.kind == 'V' else a).ravel().tolist()) for n, a in numpy.load(sys.argv[1]).items()]"

// Results that are the argument, or a view of it, strided. bf16 comes as
// two-byte voids.
// RUN: lattn-run %s --entry=views --input %t/bf16.npz --output %t/o.npz > /dev/null
// RUN: %{show} %t/o.npz | FileCheck %s
// CHECK: out0 |V2 (3, 4) [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// CHECK: out1 |V2 (2, 2) [5, 6, 9, 10]

// A constant's memory is not the compiled code's to free.
// RUN: lattn-run %s --entry=constant --output %t/o.npz --benchmark=2 > /dev/null
// RUN: %{show} %t/o.npz | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: out0 int32 (3,) [1, 2, 3]

func.func @views(%a: tensor<?x4xbf16>) -> (tensor<?x4xbf16>, tensor<2x2xbf16>) {
  %0 = tensor.extract_slice %a[1, 1] [2, 2] [1, 1]
      : tensor<?x4xbf16> to tensor<2x2xbf16>
  return %a, %0 : tensor<?x4xbf16>, tensor<2x2xbf16>
}
func.func @constant() -> tensor<3xi32> {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  return %0 : tensor<3xi32>
}
