// A header for C and C++ that declares what the object file has.

// RUN: lattn-compile %s --emit=header -o - | FileCheck %s
// RUN: lattn-compile %s --emit=header -o %t.h
// RUN: %cc -std=c99 -Wall -Wextra -Werror -fsyntax-only -x c \
// RUN:   -include %t.h -include %t.h /dev/null
// RUN: %cxx -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ \
// RUN:   -include %t.h -include %t.h /dev/null

// CHECK:      typedef struct lattn_2d_f64 {
// CHECK-NEXT:   double *allocated;
// CHECK-NEXT:   double *aligned;
// CHECK-NEXT:   int64_t offset;
// CHECK-NEXT:   int64_t sizes[2];
// CHECK-NEXT:   int64_t strides[2];
// CHECK-NEXT: } lattn_2d_f64;
// CHECK:      typedef struct lattn_0d_f32 {
// CHECK-NEXT:   float *allocated;
// CHECK-NEXT:   float *aligned;
// CHECK-NEXT:   int64_t offset;
// CHECK-NEXT: } lattn_0d_f32;
// CHECK:      typedef struct lattn_1d_bf16 {
// CHECK-NEXT:   uint16_t *allocated;

// CHECK:      typedef struct mixed_results {
// CHECK-NEXT:   lattn_2d_f64 result0;
// CHECK-NEXT:   float result1;
// CHECK-NEXT:   bool result2;
// CHECK-NEXT: } mixed_results;
// CHECK:      /* mixed
// CHECK-NEXT:  *
// CHECK-NEXT:  * argument 'query * / \0A': tensor<?x4xf64>
// CHECK-NEXT:  * argument 'b': tensor<f32>
// CHECK-NEXT:  * argument 'int': i32
// CHECK-NEXT:  * argument 'arg3': index
// CHECK-NEXT:  * argument 'result': i1
// CHECK-NEXT:  * argument 'lattn_1d_bf16': tensor<?xbf16>
// CHECK-NEXT:  * result 'output': tensor<?x4xf64>
// CHECK-NEXT:  * result 'out1': f32
// CHECK-NEXT:  * result 'out2': i1
// CHECK-NEXT:  */
// CHECK-NEXT: void _mlir_ciface_mixed(
// CHECK-NEXT:     mixed_results *result,
// CHECK-NEXT:     const lattn_2d_f64 *arg0,
// CHECK-NEXT:     const lattn_0d_f32 *b,
// CHECK-NEXT:     int32_t int_,
// CHECK-NEXT:     int64_t arg3,
// CHECK-NEXT:     bool result_,
// CHECK-NEXT:     const lattn_1d_bf16 *arg5);
// CHECK-NEXT: const char *lattn_check_sizes_mixed(
// CHECK-NEXT:     const lattn_2d_f64 *arg0,
// CHECK-NEXT:     const lattn_0d_f32 *b,
// CHECK-NEXT:     int32_t int_,
// CHECK-NEXT:     int64_t arg3,
// CHECK-NEXT:     bool result_,
// CHECK-NEXT:     const lattn_1d_bf16 *arg5);
func.func @mixed(%a: tensor<?x4xf64> {lattn.name = "query */ \0A"},
                 %b: tensor<f32>, %int: i32, %3: index, %result: i1,
                 %lattn_1d_bf16: tensor<?xbf16>)
    -> (tensor<?x4xf64> {lattn.name = "output"}, f32, i1) {
  %s = tensor.extract %b[] : tensor<f32>
  return %a, %s, %result : tensor<?x4xf64>, f32, i1
}

// CHECK:      float _mlir_ciface_scalar(
// CHECK-NEXT:     float s);
func.func @scalar(%s: f32) -> f32 {
  return %s : f32
}

// CHECK:      void _mlir_ciface_nothing(
// CHECK-NEXT:     void);
func.func @nothing() {
  return
}

// CHECK-NOT: hidden
func.func private @hidden() {
  return
}
