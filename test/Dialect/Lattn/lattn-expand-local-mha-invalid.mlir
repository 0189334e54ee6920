// RUN: lattn-opt %s --lattn-expand-local-mha -verify-diagnostics

!m = memref<1x8x6xf32>
func.func @buffers(%x: !m, %qkv: memref<24x6xf32>, %w: memref<6x8xf32>) {
  // expected-error @+1 {{op cannot be lowered: is on memrefs: run lattn-raise-memrefs first}}
  lattn.local_mha input(%x : !m) w_qkv(%qkv : memref<24x6xf32>) w_out(%w : memref<6x8xf32>) outs(%x : !m) {heads = 2 : i64, window_size = 4 : i64}
  return
}
