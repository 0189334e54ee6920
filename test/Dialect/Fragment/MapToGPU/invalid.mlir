// RUN: lattn-opt %s --lattn-map-to-gpu -split-input-file -verify-diagnostics

func.func @tensors(%a: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  // expected-error @below {{expected a loop on buffers to map to a grid}}
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %a) -> tensor<8xf32> {
    scf.forall.in_parallel {
    }
  } {mapping = [#gpu.block<x>]}
  return %0 : tensor<8xf32>
}

// -----

func.func @nothing(%n: index) {
  // expected-error @below {{expected fragments in a loop that is mapped to blocks}}
  scf.forall (%i) in (%n) {
  } {mapping = [#gpu.block<x>]}
  return
}
