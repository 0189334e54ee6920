// RUN: lattn-opt %s --lattn-differentiate="mode=forward functions=f" | FileCheck %s
// RUN: lattn-opt %s --lattn-differentiate="mode=forward functions=f results" | FileCheck %s --check-prefix=RESULTS
// RUN: lattn-opt %s --lattn-differentiate=functions=f | lattn-opt --lattn-differentiate="functions=f_grad arguments=1" | FileCheck %s --check-prefix=TWICE

// A tangent function on memrefs writes tangents to further arguments. It takes the
// arrays that the function writes only if it writes them, too.

!m = memref<?x4xf32, strided<[?, 1], offset: ?>>
!t = tensor<?x4xf32>

// CHECK-LABEL: func.func @f_jvp(
// CHECK-SAME: %{{[^:]*}}: f32, %[[X:[^:]*]]: memref<?x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "x"}, %[[DX:[^:]*]]: memref<?x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "d_x"}, %[[DY:[^:]*]]: memref<?x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "d_y"}) {
// CHECK: bufferization.to_tensor %[[DX]] restrict
// CHECK: math.exp
// CHECK: materialize_in_destination %{{.*}} in restrict writable %[[DY]]
// CHECK-NOT: materialize_in_destination

// RESULTS-LABEL: func.func @f_jvp(
// RESULTS-SAME: {lattn.name = "x"}, %[[Y:[^:]*]]: memref<?x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "y"}, {{.*}} {lattn.name = "d_x"}, %[[DY:[^:]*]]: memref<?x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "d_y"}) {
// RESULTS-DAG: materialize_in_destination %{{.*}} in restrict writable %[[Y]]
// RESULTS-DAG: materialize_in_destination %{{.*}} in restrict writable %[[DY]]

// The gradient function reads a size of an array.
// TWICE-LABEL: func.func @f_grad_grad(
// TWICE-SAME: {lattn.name = "x"}, {{.*}} {lattn.name = "d_y"}, {{.*}} {lattn.name = "d_d_x"}, %[[DX:[^:]*]]: memref<?x4xf32, strided<[?, 1], offset: ?>> {lattn.name = "d_x"}) {
// TWICE: materialize_in_destination %{{.*}} in restrict writable %[[DX]]
func.func @f(%s: f32, %x: !m {lattn.name = "x"}, %y: !m {lattn.name = "y"}) {
  %0 = bufferization.to_tensor %x restrict : !m to !t
  %1 = bufferization.to_tensor %y restrict writable : !m to !t
  %5 = linalg.exp ins(%0 : !t) outs(%1 : !t) -> !t
  bufferization.materialize_in_destination %5 in restrict writable %y : (!t, !m) -> ()
  return
}
