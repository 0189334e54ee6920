// RUN: lattn-opt %s --lattn-expand-local-attention -verify-diagnostics

!m = memref<1x4x8x8xf32>
func.func @buffers(%q: !m, %o: !m) {
  // expected-error @+1 {{op cannot be lowered: is on memrefs: run lattn-raise-memrefs first}}
  lattn.local_attention query(%q : !m) key(%q : !m) value(%q : !m) outs(%o : !m) {window_size = 4 : i64}
  return
}
