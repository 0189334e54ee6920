// Angles are reduced in f64, and frequencies computed in f64; sine and cosine are
// computed in f32.
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

  // The exponential is computed in f64: a series, and a power of 2 by its bits.
  // CHECK-LABEL: gpu.func @exponential(
  // CHECK-SAME:    %[[X:.*]]: f64,
  // CHECK-NOT:   f32
  // CHECK:       llvm.call_intrinsic "llvm.maximum"(%[[X]],
  // CHECK:       %[[N:.*]] = llvm.call_intrinsic "llvm.roundeven"
  // CHECK-COUNT-15: llvm.call_intrinsic "llvm.fma"
  // CHECK-NOT:   llvm.fma
  // CHECK:       %[[I:.*]] = arith.fptosi %[[N]] : f64 to i64
  // CHECK:       %[[BITS:.*]] = arith.shli
  // CHECK:       %[[POWER:.*]] = arith.bitcast %[[BITS]] : i64 to f64
  // CHECK:       arith.mulf %{{.*}}, %[[POWER]] : f64
  gpu.func @exponential(%x: f64, %o: memref<f64>) kernel {
    %y = math.exp %x : f64
    memref.store %y, %o[] : memref<f64>
    gpu.return
  }
}
