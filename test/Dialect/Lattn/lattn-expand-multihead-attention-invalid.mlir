// RUN: lattn-opt %s --lattn-expand-multihead-attention -verify-diagnostics

!m = memref<1x8x6xf32>
!w = memref<6x6xf32>
func.func @buffers(%x: !m, %w: !w) {
  // expected-error @+1 {{op cannot be lowered: is on memrefs: run lattn-raise-memrefs first}}
  lattn.multihead_attention query(%x : !m) key(%x : !m) value(%x : !m) w_q(%w : !w) w_k(%w : !w) w_v(%w : !w) w_out(%w : !w) outs(%x : !m) {heads = 2 : i64}
  return
}
