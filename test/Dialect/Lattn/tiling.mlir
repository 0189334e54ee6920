// RUN: lattn-opt %s -transform-interpreter -canonicalize -cse | FileCheck %s

// Upstream's transform tiles lattn.attention along batch, heads and queries;
// the tiles carry their origin and an explicit offset.

!q = tensor<2x8x?x64xf32>
!kv = tensor<2x2x?x64xf32>

// CHECK-LABEL: @batch
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x8x?x64xf32>, %[[K:[^:]+]]: tensor<2x2x?x64xf32>,
// CHECK-DAG:  %[[N:.*]] = tensor.dim %[[Q]], %c2
// CHECK-DAG:  %[[M:.*]] = tensor.dim %[[K]], %c2
// CHECK:      scf.forall (%[[B:.*]]) in (2)
// CHECK:        %[[N64:.*]] = arith.index_cast %[[N]]
// CHECK:        %[[M64:.*]] = arith.index_cast %[[M]]
// CHECK:        %[[OFFSET:.*]] = arith.subi %[[M64]], %[[N64]]
// CHECK:        tensor.extract_slice %[[Q]][%[[B]], 0, 0, 0] [1, 8, %[[N]], 64]
// CHECK:        tensor.extract_slice %[[K]][%[[B]], 0, 0, 0] [1, 2, %[[M]], 64]
// CHECK:        lattn.attention {{.*}} offset(%[[OFFSET]] : i64)
// CHECK-SAME:     origin(%[[B]], %c0, %c0, %c0)
// CHECK:        tensor.parallel_insert_slice
// CHECK-SAME:     [%[[B]], 0, 0, 0] [1, 8, %[[N]], 64]
func.func @batch(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {test.tile = "batch"}
  return %0 : !q
}

// A tile of queries reads the keys that its window touches.
// CHECK-LABEL: @query
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<1x1x100x64xf32>, %[[K:[^:]+]]: tensor<1x1x100x64xf32>,
// CHECK:      scf.forall (%[[I:.*]]) in (4)
// CHECK:        %[[FIRST:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK:        %[[SIZE:.*]] = affine.min #{{.*}}(%[[I]])
// CHECK:        %[[END:.*]] = arith.addi %[[FIRST]], %[[SIZE]]
// CHECK:        %[[LOW:.*]] = arith.addi %[[FIRST]], %c-16
// CHECK:        %[[LOW0:.*]] = arith.maxsi %[[LOW]], %c0
// CHECK:        %[[BEGIN:.*]] = arith.minsi %[[LOW0]], %c100
// CHECK:        %[[KEYS:.*]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK:        tensor.extract_slice %[[Q]][0, 0, %[[FIRST]], 0] [1, 1, %[[SIZE]], 64]
// CHECK:        tensor.extract_slice %[[K]][0, 0, %[[BEGIN]], 0] [1, 1, %[[KEYS]], 64]
// CHECK:        lattn.attention {{.*}} offset(%c0_i64 : i64)
// CHECK-SAME:     origin(%c0, %c0, %[[FIRST]], %[[BEGIN]])
// CHECK-SAME:     window = #lattn.window<left = 16, right = 0>
!s = tensor<1x1x100x64xf32>
func.func @query(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s) outs(%o : !s)
      {test.tile = "query", window = #lattn.window<left = 16, right = 0>}
  return %0 : !s
}

// The second tiling adds to the first one's origin.
// CHECK-LABEL: @twice
// CHECK:      scf.forall (%[[I:.*]]) in (4)
// CHECK:        %[[OUTER:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK:        scf.forall (%[[J:.*]]) in
// CHECK:          %[[INNER:.*]] = affine.apply #{{.*}}(%[[J]])
// CHECK:          %[[BOTH:.*]] = affine.apply #{{.*}}(%[[I]], %[[J]])
// CHECK:          lattn.attention {{.*}} offset(%c0_i64 : i64)
// CHECK-SAME:       origin(%c0, %c0, %[[BOTH]], %c0)
// CHECK:          tensor.parallel_insert_slice {{.*}}[0, 0, %[[INNER]], 0]
// CHECK:        tensor.parallel_insert_slice {{.*}}[0, 0, %[[OUTER]], 0]
func.func @twice(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s) outs(%o : !s)
      {test.tile = "twice"}
  return %0 : !s
}

// CHECK-LABEL: @bnhd_memref_lse
// CHECK-SAME: (%[[Q:[^:]+]]: memref<2x64x4x16xbf16>, %[[K:[^:]+]]: memref<2x64x4x16xbf16>,
// CHECK-SAME:  %{{[^:]+}}: memref<2x64x4x16xbf16>, %[[O:[^:]+]]: memref<2x64x4x16xbf16>, %[[L:[^:]+]]: memref<2x4x64xf32>
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 4, 4)
// CHECK:        %[[FIRST:.*]] = affine.apply
// CHECK:        memref.subview %[[Q]][%[[B]], %[[FIRST]], %[[H]], 0] [1, 16, 1, 16]
// CHECK:        memref.subview %[[K]][%[[B]], 0, %[[H]], 0] [1, 64, 1, 16]
// CHECK:        memref.subview %[[O]][%[[B]], %[[FIRST]], %[[H]], 0] [1, 16, 1, 16]
// CHECK:        memref.subview %[[L]][%[[B]], %[[H]], %[[FIRST]]] [1, 1, 16]
// CHECK:        lattn.attention {{.*}} origin(%[[B]], %[[H]], %[[FIRST]], %c0)
!m = memref<2x64x4x16xbf16>
func.func @bnhd_memref_lse(%q: !m, %k: !m, %v: !m, %o: !m, %l: memref<2x4x64xf32>) {
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m)
      outs(%o : !m, %l : memref<2x4x64xf32>)
      {test.tile = "all", layout = #lattn.layout<bnhd>}
  return
}

!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %batch = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "batch"} in %m : (!op) -> !op
    transform.structured.tile_using_forall %batch tile_sizes [1] : (!op) -> (!op, !op)

    %query = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "query"} in %m : (!op) -> !op
    transform.structured.tile_using_forall %query tile_sizes [0, 0, 32] : (!op) -> (!op, !op)

    %twice = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "twice"} in %m : (!op) -> !op
    %tile, %loop = transform.structured.tile_using_forall %twice
        tile_sizes [0, 0, 32] : (!op) -> (!op, !op)
    transform.structured.tile_using_forall %tile tile_sizes [0, 0, 8] : (!op) -> (!op, !op)

    %all = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "all"} in %m : (!op) -> !op
    transform.structured.tile_using_forall %all tile_sizes [1, 1, 16] : (!op) -> (!op, !op)
    transform.yield
  }
}
