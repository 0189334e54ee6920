// RUN: lattn-opt %s --convert-lattn-to-vector -split-input-file -verify-diagnostics

// What is not packed as lattn-tile packs it: a reason each.

func.func @tensors(%q: tensor<?x32xf32>, %p: tensor<32x16xf32>) -> tensor<32x16xf32> {
  // expected-error @+1 {{cannot become a vector kernel: is not on buffers}}
  %0 = lattn.pack_query ins(%q : tensor<?x32xf32>) outs(%p : tensor<32x16xf32>) {scale = 0.5}
  return %0 : tensor<32x16xf32>
}

// -----

!t = memref<1x1x8x32xf32>
!s = memref<1x1x8xf32>
func.func @not_packed(%q: !t, %k: !t, %s: !s) {
  // expected-error @+1 {{cannot become a vector kernel: is not packed by lattn-tile}}
  lattn.online_attention query(%q : !t) key(%k : !t) value(%k : !t) outs(%q, %s, %s : !t, !s, !s)
  return
}

// -----

func.func @half_a_vector(%q: memref<?x32xf32>, %p: memref<32x12xf32>) {
  // expected-error @+1 {{the query tile must be a multiple of the vector's lanes}}
  lattn.pack_query ins(%q : memref<?x32xf32>) outs(%p : memref<32x12xf32>) {scale = 0.5}
  return
}

// -----

func.func @half_a_state(%o: memref<?x32xf32>, %p: memref<32x12xf32>, %m: memref<12xf32>) {
  // expected-error @+1 {{its state is no dense (value, query) array of whole vectors}}
  lattn.finalize ins(%p, %m, %m : memref<32x12xf32>, memref<12xf32>, memref<12xf32>)
      outs(%o : memref<?x32xf32>) {value_axis = 0}
  return
}

// -----

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<16x8xf32>
!r = memref<8xf32>
func.func @keys_unbounded(%q: !q, %k: memref<?x16xf32>, %acc: !q, %r: !r) {
  // expected-error @+1 {{cannot become a vector kernel: has no bound on its keys}}
  lattn.online_attention query(%q : !q) key(%k : memref<?x16xf32>) value(%k : memref<?x16xf32>)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0}
  return
}

// -----

func.func @runs(%m: memref<?xindex>, %n: index) {
  // expected-error @+1 {{cannot become a vector kernel: its runs must be loops (lattn-decompose=ops=sweep_keys)}}
  lattn.sweep_keys (%key, %size, %edge) in (%n edge %n) by 8 {
    memref.store %size, %m[%key] : memref<?xindex>
    lattn.yield
  }
  return
}

// -----

!g = memref<16x8xf32>
!gr = memref<16xf32>
func.func @gradients_not_packed(%q: !g, %r: !gr, %p: f32, %n: i64) {
  // expected-error @+1 {{cannot become a vector kernel: its queries are not packed by lattn-tile-grad, and their number is unknown, or it has dropout, pairs or products that are not widened}}
  lattn.attention_grad_step query(%q : !g) key(%q : !g) value(%q : !g)
      dropout(%p, %n, %n, %n : f32, i64, i64, i64) lse(%r : !gr) row_sums(%r : !gr)
      d_output(%q : !g) outs(%q, %q, %q : !g, !g, !g)
  return
}

// -----

!g = memref<16x8xf32>
!gr = memref<16xf32>
func.func @gradients_unbounded(%q: !g, %p: memref<8x16xf32>, %k: memref<?x8xf32>, %r: !gr) {
  // expected-error @+1 {{cannot become a vector kernel: has no bound on its keys}}
  lattn.attention_grad_step query(%q : !g) key(%k : memref<?x8xf32>) value(%k : memref<?x8xf32>) lse(%r : !gr) row_sums(%r : !gr)
      d_output(%q : !g) packed(%p, %p : memref<8x16xf32>, memref<8x16xf32>)
      outs(%q, %k, %k : !g, memref<?x8xf32>, memref<?x8xf32>)
  return
}
