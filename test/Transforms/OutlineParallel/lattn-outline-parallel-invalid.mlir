// RUN: lattn-opt %s --lattn-outline-parallel -split-input-file -verify-diagnostics

func.func @tensors(%a: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  // expected-error @+1 {{still has tensor results; bufferize first}}
  %0 = scf.forall (%i) in (4) shared_outs(%o = %a) -> tensor<4xf32> {
    %1 = tensor.from_elements %x : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @captured_type(%a: tensor<4xf32>, %m: memref<4xf32>) {
  // expected-error @+1 {{cannot run in parallel: its body uses a value of type 'tensor<4xf32>' from outside}}
  scf.forall (%i) in (4) {
    %0 = tensor.extract %a[%i] : tensor<4xf32>
    memref.store %0, %m[%i] : memref<4xf32>
  }
  return
}
