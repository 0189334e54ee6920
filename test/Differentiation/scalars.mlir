// RUN: lattn-opt %s --lattn-differentiate="functions=product,choice,wide" \
// RUN:   --lattn-differentiate="functions=product,choice mode=forward" | FileCheck %s

// Products with what is computed are 0, not NaN, where they are 0 times an infinity, or
// a tangent or cotangent of 0 times NaN.
// CHECK-LABEL: func.func @product_jvp(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32, %[[DX:[^:]+]]: f32, %[[DY:[^:]+]]: f32) -> f32
// CHECK:       %[[E:.*]] = math.exp %[[X]]
// CHECK:       %[[P:.*]] = arith.mulf %[[DX]], %[[E]]
// CHECK:       %[[NAN:.*]] = arith.cmpf uno, %[[P]], %[[P]]
// CHECK:       %[[NONE:.*]] = arith.cmpf oeq, %[[DX]], %
// CHECK:       %[[NUMBERS:.*]] = arith.cmpf ord, %[[DX]], %[[E]]
// CHECK:       %[[OF_ZERO:.*]] = arith.ori %[[NONE]], %[[NUMBERS]]
// CHECK:       %[[BOTH:.*]] = arith.andi %[[NAN]], %[[OF_ZERO]]
// CHECK:       %[[DE:.*]] = arith.select %[[BOTH]], %{{.*}}, %[[P]]
// CHECK:       %[[A:.*]] = arith.mulf %[[DE]], %[[Y]]
// CHECK:       %[[Q:.*]] = arith.mulf %[[DY]], %[[E]]
// CHECK:       %[[B:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Q]]
// CHECK:       %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
// CHECK:       return %[[SUM]]
// CHECK-LABEL: func.func @product_grad(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32, %[[G:[^:]+]]: f32) -> (f32, f32)
// CHECK:       %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT:  %[[DE:.*]] = arith.mulf %[[G]], %[[Y]]
// CHECK-NEXT:  %[[P:.*]] = arith.mulf %[[G]], %[[E]]
// CHECK:       %[[DY:.*]] = arith.select %{{.*}}, %{{.*}}, %[[P]]
// CHECK:       %[[Q:.*]] = arith.mulf %[[DE]], %[[E]]
// CHECK:       %[[DX:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Q]]
// CHECK-NEXT:  return %[[DX]], %[[DY]]
func.func @product(%x: f32, %y: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = arith.mulf %0, %y : f32
  return %1 : f32
}

// The side that is not taken gets 0, not 0 times a derivative. Conditions and
// integers have no derivative.
// CHECK-LABEL: func.func @choice_jvp(
// CHECK:       %[[C:.*]] = arith.cmpf ogt
// CHECK:       %[[Q:.*]] = arith.divf
// CHECK:       %[[T:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Q]]
// CHECK:       arith.select %[[C]], %[[T]], %
// CHECK-LABEL: func.func @choice_grad(
// CHECK-SAME:    %[[X:[^:]+]]: f32, %[[N:[^:]+]]: i32, %[[G:[^:]+]]: f32) -> f32
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG:   %[[C:.*]] = arith.cmpf ogt, %[[X]]
// CHECK:       %[[LEFT:.*]] = arith.select %[[C]], %[[G]], %[[ZERO]]
// CHECK:       %[[RIGHT:.*]] = arith.select %[[C]], %[[ZERO]], %[[G]]
// CHECK:       arith.divf %[[LEFT]],
func.func @choice(%x: f32, %n: i32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %m = arith.sitofp %n : i32 to f32
  %positive = arith.cmpf ogt, %x, %zero : f32
  %root = math.sqrt %x : f32
  %product = arith.mulf %x, %m : f32
  %0 = arith.select %positive, %root, %product : f32
  return %0 : f32
}

// A sum of cotangents of bf16 is rounded once.
// CHECK-LABEL: func.func @wide_grad(
// CHECK-SAME:    %{{[^:]+}}: bf16, %[[G:[^:]+]]: f32) -> bf16
// CHECK-NOT:   arith.truncf
// CHECK:       %[[SUM:.*]] = arith.addf %{{.*}} : f32
// CHECK-NEXT:  %[[D:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT:  return %[[D]]
func.func @wide(%x: bf16) -> f32 {
  %0 = arith.extf %x : bf16 to f32
  %1 = arith.extf %x : bf16 to f32
  %2 = math.exp %0 : f32
  %3 = math.sin %1 : f32
  %4 = arith.mulf %2, %3 : f32
  return %4 : f32
}
