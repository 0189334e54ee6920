// REQUIRES: slow
// Parallel loops from anywhere by any step, against numbers.
// RUN: lattn-run %s
// RUN: lattn-run %s --target=loops

func.func private @store(%a: memref<8xf32>, %l: index, %u: index, %s: index) {
  %x = arith.constant 1.0 : f32
  scf.forall (%i, %j) = (%l, %l) to (%u, %u) step (%s, 1) {
    memref.store %x, %a[%i] : memref<8xf32>
  }
  return
}

func.func @main() {
  %a = memref.alloc() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  call @store(%a, %c1, %c8, %c3) : (memref<8xf32>, index, index, index) -> ()
  // No iteration on either axis.
  call @store(%a, %c3, %c0, %c1) : (memref<8xf32>, index, index, index) -> ()
  %t = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  %e = arith.constant dense<[0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]> : tensor<8xf32>
  check.expect_close %t, %e {rtol = 0.0 : f64, atol = 0.0 : f64} : tensor<8xf32>, tensor<8xf32>
  return
}
