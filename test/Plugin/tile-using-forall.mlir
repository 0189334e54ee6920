// RUN: %mlir_opt_lattn %s -transform-interpreter -canonicalize -cse | FileCheck %s

// Upstream's tiling of lattn.attention in the stock mlir-opt: grouped heads and
// a ragged last tile.

!q = tensor<2x8x100x64xf32>
!kv = tensor<2x2x100x64xf32>

// CHECK-DAG:   #[[GROUP:.*]] = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-LABEL: @grouped
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x8x100x64xf32>, %[[K:[^:]+]]: tensor<2x2x100x64xf32>,
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 8, 4)
// CHECK:        %[[SIZE:.*]] = affine.min #{{.*}}(%[[I]])
// CHECK:        %[[KV:.*]] = affine.apply #[[GROUP]]()[%[[H]]]
// CHECK:        tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[FIRST:.*]], 0] [1, 1, %[[SIZE]], 64]
// CHECK:        tensor.extract_slice %[[K]][%[[B]], %[[KV]], %[[BEGIN:.*]], 0]
// CHECK:        %[[TILE:.*]] = lattn.attention {{.*}} origin(%[[B]], %[[H]], %[[FIRST]], %[[BEGIN]])
// CHECK:        tensor.parallel_insert_slice %[[TILE]]
func.func @grouped(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {window = #lattn.window<left = 16, right = 0>}
  return %0 : !q
}

!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %attention = transform.structured.match ops{["lattn.attention"]} in %m : (!op) -> !op
    transform.structured.tile_using_forall %attention
        tile_sizes [1, 1, 32] : (!op) -> (!op, !op)
    transform.yield
  }
}
