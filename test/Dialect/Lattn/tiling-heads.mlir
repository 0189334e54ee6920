// RUN: lattn-opt %s -transform-interpreter -canonicalize -cse | FileCheck %s

// Query heads in groups of four share a key head; a tile of them reads the key
// heads of its groups.

!q = tensor<1x16x32x8xf32>
!kv = tensor<1x4x32x8xf32>


// CHECK-LABEL: @one
// CHECK-SAME: %{{.*}}, %[[K:[^:]*]]: tensor<1x4x32x8xf32>,
// CHECK:      scf.forall (%[[H:.*]]) in (16)
// CHECK:        %[[KV:.*]] = affine.apply #{{.*}}%[[H]]
// CHECK:        tensor.extract_slice %[[K]][0, %[[KV]], 0, 0] [1, 1, 32, 8]
// CHECK:        lattn.attention {{.*}} origin(%c0, %[[H]], %c0, %c0)
func.func @one(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {test.tile = "one"}
  return %0 : !q
}

// CHECK-LABEL: @part_of_a_group
// CHECK-SAME: %{{.*}}, %[[K:[^:]*]]: tensor<1x4x32x8xf32>,
// CHECK:      scf.forall (%[[I:.*]]) in (8)
// CHECK:        tensor.extract_slice %[[K]][0, %{{.*}}, 0, 0] [1, 1, 32, 8]
// CHECK:        lattn.attention query({{.*}} : tensor<1x2x32x8xf32>)
func.func @part_of_a_group(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {test.tile = "part"}
  return %0 : !q
}

// CHECK-LABEL: @two_groups
// CHECK-SAME: %{{.*}}, %[[K:[^:]*]]: tensor<1x4x32x8xf32>,
// CHECK:      scf.forall (%[[I:.*]]) in (2)
// CHECK:        tensor.extract_slice %[[K]][0, %{{.*}}, 0, 0] [1, 2, 32, 8]
// CHECK:        lattn.attention query({{.*}} : tensor<1x8x32x8xf32>)
func.func @two_groups(%q: !q, %k: !kv, %v: !kv, %o: !q) -> !q {
  %0 = lattn.attention query(%q : !q) key(%k : !kv) value(%v : !kv) outs(%o : !q)
      {test.tile = "groups"}
  return %0 : !q
}

!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %one = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "one"} in %m : (!op) -> !op
    transform.structured.tile_using_forall %one tile_sizes [0, 1] : (!op) -> (!op, !op)
    %part = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "part"} in %m : (!op) -> !op
    transform.structured.tile_using_forall %part tile_sizes [0, 2] : (!op) -> (!op, !op)
    %groups = transform.structured.match ops{["lattn.attention"]}
        attributes {test.tile = "groups"} in %m : (!op) -> !op
    transform.structured.tile_using_forall %groups tile_sizes [0, 8] : (!op) -> (!op, !op)
    transform.yield
  }
}
