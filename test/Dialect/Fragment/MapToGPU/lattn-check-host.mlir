// RUN: lattn-opt %s --lattn-check-host -split-input-file -verify-diagnostics

// Kernels read and write, and the host launches them.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<4xf32>, %y: f32, %i: index) kernel {
      memref.store %y, %x[%i] : memref<4xf32>
      gpu.return
    }
  }
  func.func @launch(%y: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = memref.alloc() : memref<4xf32>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<4xf32>, %y : f32, %c0 : index)
    memref.dealloc %x : memref<4xf32>
    return
  }
}

// -----

func.func @both(%x: memref<4xf32>, %i: index, %more: i1) {
  scf.if %more {
    // expected-error @below {{'memref.load' is computed on the host, which cannot read a GPU's memory: it has no kernel}}
    %0 = memref.load %x[%i] : memref<4xf32>
    // expected-error @below {{'memref.store' is computed on the host, which cannot read a GPU's memory: it has no kernel}}
    memref.store %0, %x[%i] : memref<4xf32>
  }
  return
}
