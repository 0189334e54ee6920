// RUN: lattn-opt %s --lattn-raise-memrefs --lattn-choose-gpu-tiles -split-input-file -verify-diagnostics

!t = tensor<1x2x?x64xf32>
func.func @f32(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  // expected-error @below {{cannot become a GPU kernel: expected query, key and value of f16 or bf16, got f32}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}

// -----

!t = tensor<1x2x?x64xf16>
!v = tensor<1x2x?x64xbf16>
func.func @mixed(%q: !t, %k: !t, %v: !v, %o: !t) -> !t {
  // expected-error @below {{expected query, key and value of one element type, got f16, f16 and bf16}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !v) outs(%o : !t)
  return %0 : !t
}

// -----

!t = tensor<1x2x?x512xf16>
func.func @wide(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  // expected-error @below {{expected head sizes of 1 to 256, got 512 and 512}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}

// -----

!t = tensor<1x2x?x?xf16>
func.func @dynamic(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  // expected-error @below {{expected head sizes that are known}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}

// -----

// A copy by elements is slower, and said.
!t = memref<1x2x?x20xf16>
!s = memref<1x2x?x64xf16, strided<[?, ?, ?, 1], offset: 4>>
func.func @misaligned(%q: !t, %k: !t, %v: !s, %o: memref<1x2x?x64xf16>) {
  // expected-remark @below {{query is copied by elements, for its rows do not all begin at multiples of 16 bytes}}
  // expected-remark @below {{key is copied by elements}}
  // expected-remark @below {{value is copied by elements}}
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !s)
      outs(%o : memref<1x2x?x64xf16>)
  return
}

// -----

// What is not known is checked by the kernel.
!t = memref<1x2x?x20xf16, strided<[?, ?, ?, ?], offset: ?>>
func.func @unknown_strides(%q: !t, %k: !t, %v: !t, %o: !t) {
  lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return
}
