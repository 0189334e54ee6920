// RUN: lattn-opt %s --lattn-choose-gpu-tiles=chip=sm_80 -split-input-file -verify-diagnostics

!t = tensor<1x2x?x64xf32>
!l = tensor<1x2x?xf32>
func.func @f32(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{cannot become GPU kernels: expected query of f16 or bf16, got f32}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x320xbf16>
!l = tensor<1x2x?xf32>
func.func @wide(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{cannot become GPU kernels: expected head sizes of 1 to 256, got 320 of query}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x?xbf16>
!l = tensor<1x2x?xf32>
func.func @head_size(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{cannot become GPU kernels: expected a head size of query that is known}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t)
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
func.func @shared(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{cannot become GPU kernels: tiles of 64 queries and 4096 keys in 2 stages take 2179072 bytes of shared memory; a block has at most 166912}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t) {schedule = #lattn.schedule<query_tile = 64, key_tile = 4096>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
func.func @rows(%q: !t, %l: !l) -> (!t, !t, !t) {
  // expected-error @below {{cannot become GPU kernels: expected a multiple of 64 queries a tile for 4 warps, got 32}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t) {schedule = #lattn.schedule<query_tile = 32>}
  return %0#0, %0#1, %0#2 : !t, !t, !t
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
!b = tensor<1x16xf32>
func.func @bias(%q: !t, %l: !l, %b: !b) -> (!t, !t, !t, !b) {
  // expected-error @below {{cannot become GPU kernels: the gradient of a bias has no GPU kernel for its map (d0, d1, d2, d3) -> (0, d3): expected an axis of queries, then one of keys, and others of batches, of heads or of one element}}
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : !b)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t) d_bias(%b : !b)
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, !b
}

// -----

!t = tensor<1x2x?x64xbf16>
!h = tensor<1x2x?x64xf16>
!l = tensor<1x2x?xf32>
func.func @mixed(%q: !t, %v: !h, %l: !l) -> (!t, !t, !h) {
  // expected-error @below {{cannot become GPU kernels: expected query and value of one element type, got bf16 and f16}}
  %0:3 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%v : !h)
      output(%v : !h) lse(%l : !l) d_output(%v : !h) outs(%q, %q, %v : !t, !t, !h)
  return %0#0, %0#1, %0#2 : !t, !t, !h
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
!b = tensor<16x16xf32>
func.func @origin(%q: !t, %l: !l, %b: !b, %at: index, %offset: i64) -> (!t, !t, !t, !b) {
  // expected-error @below {{cannot become GPU kernels: the gradient of a bias has no GPU kernel with an origin yet}}
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) bias(%b : !b) offset(%offset : i64)
      origin(%at, %at, %at, %at) output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t) d_bias(%b : !b)
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, !b
}

// -----

!t = tensor<1x2x?x64xbf16>
!l = tensor<1x2x?xf32>
!c = tensor<2xf32>
func.func @captures(%q: !t, %l: !l, %c: !c) -> (!t, !t, !t, !c) {
  // expected-error @below {{cannot become GPU kernels: gradients of captured arrays have no GPU kernel yet}}
  %0:4 = lattn.attention_grad query(%q : !t) key(%q : !t) value(%q : !t) captures(%c : !c)
      output(%q : !t) lse(%l : !l) d_output(%q : !t) outs(%q, %q, %q : !t, !t, !t) d_captures(%c : !c) score {
    ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %a: !c):
      %head = arith.index_cast %h : i32 to index
      %x = tensor.extract %a[%head] : !c
      %y = arith.addf %s, %x : f32
      lattn.yield %y : f32
    }
  return %0#0, %0#1, %0#2, %0#3 : !t, !t, !t, !c
}
