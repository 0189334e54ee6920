// RUN: lattn-opt %s --lattn-to-llvm -split-input-file -verify-diagnostics -allow-unregistered-dialect
// RUN: lattn-opt %s --lattn-to-loops -split-input-file -verify-diagnostics -allow-unregistered-dialect
// RUN: lattn-opt %s --lattn-to-nvvm -split-input-file -verify-diagnostics -allow-unregistered-dialect

// What no pass lowers is an error that names it, at its place.

func.func @unregistered(%x: f32) -> f32 {
  // expected-error @+1 {{'foo.bar' is left: no pass of this pipeline lowers it}}
  %0 = "foo.bar"(%x) : (f32) -> f32
  return %0 : f32
}

// -----

func.func @unregistered_on_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'foo.bar' is left: no pass of this pipeline lowers it}}
  %0 = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Each name once a function.
func.func @tosa(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.tanh' is left: no pass of this pipeline lowers it}}
  %0 = tosa.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.tanh %0 : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{'tosa.sigmoid' is left: no pass of this pipeline lowers it}}
  %2 = tosa.sigmoid %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Of a dialect that is lowered, but never bufferized.
func.func @gather(%x: tensor<?x4xf32>, %i: tensor<?x1xindex>) -> tensor<?x1x4xf32> {
  // expected-error @+1 {{'tensor.gather' is left: no pass of this pipeline lowers it}}
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x1x4xf32>
  return %0 : tensor<?x1x4xf32>
}

// -----

#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @sparse(%x: tensor<4x4xf32>) -> tensor<4x4xf32, #csr> {
  // expected-error @+1 {{'sparse_tensor.convert' is left: no pass of this pipeline lowers it}}
  %0 = sparse_tensor.convert %x : tensor<4x4xf32> to tensor<4x4xf32, #csr>
  return %0 : tensor<4x4xf32, #csr>
}

// -----

func.func @async(%m: memref<4xf32>) {
  // expected-error @+1 {{'async.execute' is left: no pass of this pipeline lowers it}}
  %t = async.execute {
    // expected-error @+1 {{'async.yield' is left}}
    async.yield
  }
  // expected-error @+1 {{'async.await' is left}}
  async.await %t : !async.token
  return
}

// -----

func.func @openmp(%m: memref<f32>, %x: f32) {
  // expected-error @+1 {{'omp.parallel' is left: no pass of this pipeline lowers it}}
  omp.parallel {
    memref.store %x, %m[] : memref<f32>
    // expected-error @+1 {{'omp.terminator' is left}}
    omp.terminator
  }
  return
}

// -----

func.func @emitc(%x: f32) -> f32 {
  // expected-error @+1 {{'emitc.add' is left: no pass of this pipeline lowers it}}
  %0 = emitc.add %x, %x : (f32, f32) -> f32
  return %0 : f32
}

// -----

module {
  // expected-error @+1 {{a module inside another module: expected functions with tensors or parallel loops in the outer module}}
  module @inner {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
  }
}
