// Angles are reduced in f64; the functions themselves are computed in f32.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm,canonicalize,cse))" | FileCheck %s

gpu.module @kernels {
  // A multiple of 2 pi in two parts, so that no digit of a large angle is lost.
  // CHECK-LABEL: gpu.func @sine(
  // CHECK-SAME:    %[[X:.*]]: f64,
  // CHECK-DAG:   %[[LOW:.*]] = arith.constant -2.4492935982947064E-16 : f64
  // CHECK-DAG:   %[[HIGH:.*]] = arith.constant -6.2831853071795862 : f64
  // CHECK-DAG:   %[[INVERSE:.*]] = arith.constant 0.15915494309189535 : f64
  // CHECK:       %[[TURNS:.*]] = arith.mulf %[[X]], %[[INVERSE]] : f64
  // CHECK:       %[[WHOLE:.*]] = llvm.call_intrinsic "llvm.roundeven"(%[[TURNS]])
  // CHECK:       %[[REST:.*]] = llvm.call_intrinsic "llvm.fma"(%[[WHOLE]], %[[HIGH]], %[[X]])
  // CHECK:       %[[ANGLE:.*]] = llvm.call_intrinsic "llvm.fma"(%[[WHOLE]], %[[LOW]], %[[REST]])
  // CHECK:       %[[NARROW:.*]] = arith.truncf %[[ANGLE]] : f64 to f32
  // CHECK:       arith.mulf %[[NARROW]], %{{.*}} : f32
  // CHECK:       %[[WIDE:.*]] = arith.extf %{{.*}} : f32 to f64
  // CHECK:       memref.store %[[WIDE]]
  gpu.func @sine(%x: f64, %o: memref<f64>) kernel {
    %y = math.sin %x : f64
    memref.store %y, %o[] : memref<f64>
    gpu.return
  }

  // The exponential has no period.
  // CHECK-LABEL: gpu.func @exponential(
  // CHECK-SAME:    %[[X:.*]]: f64,
  // CHECK-NOT:   roundeven
  // CHECK:       arith.truncf %[[X]] : f64 to f32
  // CHECK-NOT:   f64
  // CHECK:       arith.extf %{{.*}} : f32 to f64
  gpu.func @exponential(%x: f64, %o: memref<f64>) kernel {
    %y = math.exp %x : f64
    memref.store %y, %o[] : memref<f64>
    gpu.return
  }
}
