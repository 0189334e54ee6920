// RUN: lattn-opt %s --lattn-differentiate=keep=linalg.matmul | FileCheck %s

// A function on memrefs gives functions on memrefs: arrays that it writes become
// cotangents, and gradients are written to further arguments.

!m = memref<4x4xf32, strided<[?, 1], offset: ?>>
!t = tensor<4x4xf32>

// CHECK-LABEL: func.func @f_fwd(
// CHECK-SAME: %{{[^:]*}}: f32, %{{[^:]*}}: memref<4x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "x"}, %[[Y:[^:]*]]: memref<4x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "y"}, %[[K:[^:]*]]: memref<4x4xf32> {lattn.name = "kept_0"}) {
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK-DAG: materialize_in_destination %{{.*}} in restrict writable %[[Y]]
// CHECK-DAG: materialize_in_destination %[[P]] in restrict writable %[[K]]

// CHECK-LABEL: func.func @f_grad(
// CHECK-SAME: %{{[^:]*}}: f32, %[[X:[^:]*]]: memref<4x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "x"}, %[[K:[^:]*]]: memref<4x4xf32> {lattn.name = "kept_0"}, %[[G:[^:]*]]: memref<4x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "d_y"}, %[[DX:[^:]*]]: memref<4x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "d_x"}) {
// CHECK-NOT: linalg.matmul
// CHECK: math.exp
// CHECK: materialize_in_destination %{{.*}} in restrict writable %[[DX]]
func.func @f(%s: f32, %x: !m {lattn.name = "x"}, %y: !m {lattn.name = "y"}) {
  %0 = bufferization.to_tensor %x restrict : !m to !t
  %1 = bufferization.to_tensor %y restrict writable : !m to !t
  %2 = tensor.empty() : !t
  %3 = linalg.fill ins(%s : f32) outs(%2 : !t) -> !t
  %4 = linalg.matmul ins(%0, %0 : !t, !t) outs(%3 : !t) -> !t
  %5 = linalg.exp ins(%4 : !t) outs(%1 : !t) -> !t
  bufferization.materialize_in_destination %5 in restrict writable %y : (!t, !m) -> ()
  return
}
