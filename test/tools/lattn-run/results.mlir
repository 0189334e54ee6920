// REQUIRES: python, slow
// RUN: %python %S/Inputs/make.py %t
// DEFINE: %{show} = %python -c "import sys, numpy; [print(n, a.dtype, a.shape, (a.view('u2') if a.dtype.kind == 'V' else a).ravel().tolist()) for n, a in numpy.load(sys.argv[1]).items()]"

// Scalars and several results.
// RUN: lattn-run %s --entry=mixed --input %t/mixed.npz --output %t/o.npz > /dev/null
// RUN: %{show} %t/o.npz | FileCheck %s --check-prefix=MIXED
// MIXED: out0 float32 (5,) [0.0, 1.0, 4.0, 9.0, 16.0]
// MIXED: out1 float32 () [3.0]
// MIXED: double float32 (5,) [0.0, 2.0, 4.0, 6.0, 8.0]
// MIXED: out3 int32 () [-7]
// MIXED: out4 int64 () [9]
// MIXED: out5 bool () [True]

// One scalar comes back by value.
// RUN: %python -c "import numpy; numpy.save(r'%t/s.npy', 2.5)"
// RUN: lattn-run %s --entry=scalar --input %t/s.npy --output %t/o.npz > /dev/null
// RUN: %{show} %t/o.npz | FileCheck %s --check-prefix=SCALAR
// SCALAR: out0 float64 () [5.0]

func.func @mixed(%a: tensor<?xf32>, %s: f32, %n: i32, %i: index, %b: i1)
    -> (tensor<?xf32>, f32, tensor<?xf32> {lattn.name = "double"}, i32, index,
        i1) {
  %c0 = arith.constant 0 : index
  %n0 = tensor.dim %a, %c0 : tensor<?xf32>
  %e0 = tensor.empty(%n0) : tensor<?xf32>
  %0 = linalg.mul ins(%a, %a : tensor<?xf32>, tensor<?xf32>)
         outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %1 = arith.addf %s, %s : f32
  %e2 = tensor.empty(%n0) : tensor<?xf32>
  %2 = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>)
         outs(%e2 : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1, %2, %n, %i, %b
      : tensor<?xf32>, f32, tensor<?xf32>, i32, index, i1
}
func.func @scalar(%s: f64) -> f64 {
  %0 = arith.addf %s, %s : f64
  return %0 : f64
}
