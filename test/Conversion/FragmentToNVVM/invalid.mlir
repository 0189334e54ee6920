// RUN: lattn-opt %s --pass-pipeline="builtin.module(gpu.module(convert-fragment-to-nvvm))" -split-input-file -verify-diagnostics

!a = !fragment.tile<64x16xbf16, #fragment.mma<operand, warps = 4>>
!acc = !fragment.tile<64x16xf32, #fragment.mma<accumulator, warps = 4>>
gpu.module @kernels {
  gpu.func @global(%q: memref<64x16xbf16>) kernel {
    // expected-error @below {{expected a source in shared memory, where lattn-stage-shared puts it}}
    // expected-error @below {{failed to legalize}}
    %0 = fragment.load %q : memref<64x16xbf16> -> !a
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @math(%x: f64, %o: memref<f64>) kernel {
    // expected-error @below {{cannot be lowered for GPUs}}
    %0 = math.cbrt %x : f64
    memref.store %0, %o[] : memref<f64>
    gpu.return
  }
}
