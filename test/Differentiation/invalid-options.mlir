// RUN: not lattn-opt %s --lattn-differentiate=mode=backward 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not lattn-opt %s --lattn-differentiate=functions=g 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not lattn-opt %s --lattn-differentiate=functions=h 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not lattn-opt %s --lattn-differentiate=arguments=2 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not lattn-opt %s --lattn-differentiate=arguments=0,1 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not lattn-opt %s --lattn-differentiate=arguments=0,0 2>&1 | FileCheck %s --check-prefix=REPEATED

// MODE: lattn-differentiate: expected mode reverse or forward, got 'backward'
// FUNCTION: lattn-differentiate: there is no function @g
// BODY: 'func.func' op has no body to differentiate
// NUMBER: 'func.func' op has 2 arguments; there is no argument 2 to differentiate by
// TYPE: 'func.func' op expected an argument 1 of floats to differentiate by, got 'i32'
// REPEATED: 'func.func' op expected each argument once, got argument 0 again
func.func @f(%x: f32, %n: i32) -> f32 {
  return %x : f32
}
func.func private @h(f32) -> f32
