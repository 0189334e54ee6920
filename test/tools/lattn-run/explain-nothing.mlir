// Without attention --explain says so, and what there is.
// RUN: lattn-run %s --entry=main --random=1 --cache=off --explain | FileCheck %s
// CHECK: entry
// CHECK: no attention to explain in 'main'; its ops: func.call, tensor.empty, linalg.exp (2)
// RUN: lattn-run %s --entry=same --random=1 --cache=off --explain | FileCheck %s --check-prefix=SAME
// SAME: no attention to explain in 'same'; its ops: none

!t = tensor<4xf32>
func.func @main(%x: !t) -> !t {
  %0 = func.call @helper(%x) : (!t) -> !t
  return %0 : !t
}
func.func private @helper(%x: !t) -> !t {
  %e = tensor.empty() : !t
  %0 = linalg.exp ins(%x : !t) outs(%e : !t) -> !t
  %1 = linalg.exp ins(%0 : !t) outs(%e : !t) -> !t
  return %1 : !t
}
func.func @same(%x: !t) -> !t {
  return %x : !t
}
