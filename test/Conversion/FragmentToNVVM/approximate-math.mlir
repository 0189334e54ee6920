// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

gpu.module @kernels {
  // The product with log2(e) is the sum of two numbers.
  // CHECK-LABEL: gpu.func @exponential(
  // CHECK-SAME:    %[[ANY:.*]]: f32,
  // CHECK-DAG:     %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
  // CHECK-DAG:     %[[REST:.*]] = arith.constant 1.92596303E-8 : f32
  // CHECK-DAG:     %[[LN2:.*]] = arith.constant 0.693147182 : f32
  // CHECK:         %[[LOWER:.*]] = llvm.call_intrinsic "llvm.maximum"(%[[ANY]],
  // CHECK:         %[[X:.*]] = llvm.call_intrinsic "llvm.minimum"(%[[LOWER]],
  // CHECK:         %[[HIGH:.*]] = arith.mulf %[[X]], %[[LOG2E]]
  // CHECK:         %[[ROUNDED:.*]] = llvm.call_intrinsic "llvm.fma"(%[[X]], %[[LOG2E]],
  // CHECK:         %[[LOW:.*]] = llvm.call_intrinsic "llvm.fma"(%[[X]], %[[REST]], %[[ROUNDED]])
  // CHECK:         %[[POWER:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[HIGH]])
  // CHECK:         %[[MORE:.*]] = arith.mulf %[[LOW]], %[[LN2]]
  // CHECK:         llvm.call_intrinsic "llvm.fma"(%[[POWER]], %[[MORE]], %[[POWER]])
  gpu.func @exponential(%x: f32, %o: memref<f32>) kernel {
    %y = math.exp %x : f32
    memref.store %y, %o[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @power_of_two(
  // CHECK-SAME:    %[[X:.*]]: f32,
  // CHECK:         %[[Y:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%[[X]])
  // CHECK-NEXT:    memref.store %[[Y]]
  gpu.func @power_of_two(%x: f32, %o: memref<f32>) kernel {
    %y = math.exp2 %x : f32
    memref.store %y, %o[] : memref<f32>
    gpu.return
  }

  // One exponential and one reciprocal, or near 0 a series.
  // CHECK-LABEL: gpu.func @tangent(
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  // CHECK:         %[[FAR:.*]] = llvm.call_intrinsic "llvm.copysign"
  // CHECK:         %[[IS_NEAR:.*]] = arith.cmpf olt
  // CHECK:         %[[NEAR:.*]] = arith.mulf
  // CHECK:         arith.select %[[IS_NEAR]], %[[NEAR]], %[[FAR]] : f32
  // CHECK-NOT:     arith.divf
  // CHECK:         gpu.return
  gpu.func @tangent(%x: f32, %o: memref<f32>) kernel {
    %y = math.tanh %x : f32
    memref.store %y, %o[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @quotient(
  // CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32,
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]], %[[Y]])
  gpu.func @quotient(%x: f32, %y: f32, %o: memref<f32>) kernel {
    %z = arith.divf %x, %y : f32
    memref.store %z, %o[] : memref<f32>
    gpu.return
  }

  // Upstream's expansions, and the natural logarithm's polynomial.
  // CHECK-LABEL: gpu.func @others(
  // CHECK-NOT:     math.
  // CHECK:         gpu.return
  gpu.func @others(%x: f32, %o: memref<f32>) kernel {
    %0 = math.tan %x : f32
    %1 = math.log10 %0 : f32
    %2 = math.round %1 : f32
    %3 = math.cosh %2 : f32
    memref.store %3, %o[] : memref<f32>
    gpu.return
  }
}
