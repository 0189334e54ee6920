// RUN: lattn-opt %s -transform-interpreter -canonicalize -cse | FileCheck %s

// lattn.online_attention tiles along keys, as a loop that carries its state or
// as parallel parts that lattn.merge joins.

!q = tensor<1x1x16x64xf32>
!kv = tensor<1x1x100x64xf32>
!s = tensor<1x1x16xf32>

// CHECK-LABEL: @loop
// CHECK-SAME: %[[Q:[^:]+]]: tensor<1x1x16x64xf32>, %[[K:[^:]+]]: tensor<1x1x100x64xf32>,
// CHECK-SAME: %[[ACC:[^:]+]]: tensor<1x1x16x64xf32>, %[[MAX:[^:]+]]: tensor<1x1x16xf32>, %[[SUM:[^:]+]]: tensor<1x1x16xf32>)
// CHECK:      scf.for %[[J:.*]] = %c0 to %c100 step %c32
// CHECK-SAME:     iter_args(%[[A:.*]] = %[[ACC]], %[[M:.*]] = %[[MAX]], %[[S:.*]] = %[[SUM]])
// CHECK:        %[[SIZE:.*]] = affine.min #{{.*}}(%[[J]])
// CHECK:        %[[TILE:.*]] = tensor.extract_slice %[[K]][0, 0, %[[J]], 0] [1, 1, %[[SIZE]], 64]
// CHECK:        %[[R:.*]]:3 = lattn.online_attention query(%[[Q]] : {{.*}}) key(%[[TILE]] :
// CHECK-SAME:     origin(%c0, %c0, %c0, %[[J]]) outs(%[[A]], %[[M]], %[[S]] :
// CHECK:        scf.yield %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @loop(%q: !q, %k: !kv, %v: !kv, %acc: !q, %max: !s, %sum: !s) -> (!q, !s, !s) {
  %r:3 = lattn.online_attention query(%q : !q) key(%k : !kv) value(%v : !kv)
      outs(%acc, %max, %sum : !q, !s, !s) {test.tile = "loop"}
  return %r#0, %r#1, %r#2 : !q, !s, !s
}

// CHECK-LABEL: @parts
// CHECK-SAME: %{{[^:]+}}: tensor<1x1x16x64xf32>, %[[K:[^:]+]]: tensor<1x1x100x64xf32>,
// CHECK-SAME: %[[ACC:[^:]+]]: tensor<1x1x16x64xf32>, %[[MAX:[^:]+]]: tensor<1x1x16xf32>, %[[SUM:[^:]+]]: tensor<1x1x16xf32>)
// CHECK-DAG:  %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:  %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:      %[[ACCS:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<4x1x1x16x64xf32>
// CHECK:      %[[MAXS:.*]] = linalg.fill ins(%[[LOW]] : f32) {{.*}} -> tensor<4x1x1x16xf32>
// CHECK:      %[[SUMS:.*]] = linalg.fill ins(%[[ZERO]] : f32) {{.*}} -> tensor<4x1x1x16xf32>
// CHECK:      %[[STATES:.*]]:3 = scf.forall (%[[P:.*]]) in (4)
// CHECK-SAME:     shared_outs(%[[A:.*]] = %[[ACCS]], %[[M:.*]] = %[[MAXS]], %[[S:.*]] = %[[SUMS]])
// CHECK:        %[[J:.*]] = affine.apply #{{.*}}(%[[P]])
// CHECK:        %[[PART:.*]] = tensor.extract_slice %[[A]][%[[P]], 0, 0, 0, 0] [1, 1, 1, 16, 64]
// CHECK-SAME:     to tensor<1x1x16x64xf32>
// CHECK:        tensor.extract_slice %[[K]][0, 0, %[[J]], 0] [1, 1, 25, 64]
// CHECK:        %[[R:.*]]:3 = lattn.online_attention {{.*}} origin(%c0, %c0, %c0, %[[J]]) outs(%[[PART]],
// CHECK:        tensor.parallel_insert_slice %[[R]]#0 into %[[A]][%[[P]], 0, 0, 0, 0]
// CHECK:        tensor.parallel_insert_slice %[[R]]#1 into %[[M]][%[[P]], 0, 0, 0]
// CHECK:      lattn.merge ins(%[[STATES]]#0, %[[STATES]]#1, %[[STATES]]#2 :
// CHECK-SAME:     outs(%[[ACC]], %[[MAX]], %[[SUM]] : {{.*}} {value_axis = 3 : i64}
func.func @parts(%q: !q, %k: !kv, %v: !kv, %acc: !q, %max: !s, %sum: !s) -> (!q, !s, !s) {
  %r:3 = lattn.online_attention query(%q : !q) key(%k : !kv) value(%v : !kv)
      outs(%acc, %max, %sum : !q, !s, !s) {test.tile = "parts"}
  return %r#0, %r#1, %r#2 : !q, !s, !s
}

// acc lies with the value axis first, as on vector lanes.
!qt = tensor<16x64xf32>
!kt = tensor<96x64xf32>
!at = tensor<64x16xf32>
!st = tensor<16xf32>
// CHECK-LABEL: @transposed
// CHECK-SAME: %[[Q:[^:]+]]: tensor<16x64xf32>, %[[K:[^:]+]]: tensor<96x64xf32>,
// CHECK:      scf.for %[[I:.*]] = %c0 to %c16 step %c8
// CHECK:        scf.for %[[J:.*]] = %c0 to %c96 step %c32 iter_args(%[[A:[^ ]+]] =
// CHECK:          tensor.extract_slice %[[A]][0, %[[I]]] [64, 8]
// CHECK:          tensor.extract_slice %[[Q]][%[[I]], 0] [8, 64]
// CHECK:          tensor.extract_slice %[[K]][%[[J]], 0] [32, 64]
// CHECK:          lattn.online_attention {{.*}} origin(%c0, %c0, %[[I]], %[[J]])
// CHECK:          tensor.insert_slice %{{.*}} into %[[A]][0, %[[I]]] [64, 8]
func.func @transposed(%q: !qt, %k: !kt, %v: !kt, %acc: !at, %max: !st, %sum: !st)
    -> (!at, !st, !st) {
  %r:3 = lattn.online_attention query(%q : !qt) key(%k : !kt) value(%v : !kt)
      outs(%acc, %max, %sum : !at, !st, !st)
      {test.tile = "transposed", indexing_maps = [
        affine_map<(b, h, q, k, d, v) -> (q, d)>,
        affine_map<(b, h, q, k, d, v) -> (k, d)>,
        affine_map<(b, h, q, k, d, v) -> (k, v)>,
        affine_map<(b, h, q, k, d, v) -> (v, q)>,
        affine_map<(b, h, q, k, d, v) -> (q)>,
        affine_map<(b, h, q, k, d, v) -> (q)>]}
  return %r#0, %r#1, %r#2 : !at, !st, !st
}

// Keys in pages: a tile takes the same pool and table, and other keys.
// CHECK-LABEL: @pages
// CHECK-SAME: %{{[^:]+}}: tensor<4x64xf32>, %[[POOL:[^:]+]]: tensor<?x16x64xf32>, %[[TABLE:[^:]+]]: tensor<?xi32>, %[[FIRST:[^:]+]]: index, %[[COUNT:[^:]+]]: index
// CHECK:      scf.for %[[J:.*]] = %c0 to %[[COUNT]] step %c32
// CHECK-DAG:    %[[SIZE:.*]] = affine.min #{{.*}}(%[[J]])[%[[COUNT]]]
// CHECK-DAG:    %[[KEY:.*]] = affine.apply #{{.*}}()[%[[FIRST]], %[[J]]]
// CHECK:        lattn.online_attention {{.*}} key(%[[POOL]] : {{.*}} origin(%c0, %c0, %c0, %[[J]]) pages(%[[TABLE]][%[[KEY]], %[[SIZE]]] :
!pool = tensor<?x16x64xf32>
!qp = tensor<4x64xf32>
!sp = tensor<4xf32>
func.func @pages(%q: !qp, %k: !pool, %pages: tensor<?xi32>, %first: index, %count: index, %acc: !qp, %max: !sp, %sum: !sp)
    -> (!qp, !sp, !sp) {
  %r:3 = lattn.online_attention query(%q : !qp) key(%k : !pool) value(%k : !pool)
      pages(%pages[%first, %count] : tensor<?xi32>) outs(%acc, %max, %sum : !qp, !sp, !sp)
      {test.tile = "pages", indexing_maps = [
        affine_map<(b, h, q, k, d, v) -> (q, d)>,
        affine_map<(b, h, q, k, d, v) -> (k, d)>,
        affine_map<(b, h, q, k, d, v) -> (k, v)>,
        affine_map<(b, h, q, k, d, v) -> (q, v)>,
        affine_map<(b, h, q, k, d, v) -> (q)>,
        affine_map<(b, h, q, k, d, v) -> (q)>]}
  return %r#0, %r#1, %r#2 : !qp, !sp, !sp
}

!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op) {
    %loop = transform.structured.match ops{["lattn.online_attention"]}
        attributes {test.tile = "loop"} in %m : (!op) -> !op
    transform.structured.tile_using_for %loop tile_sizes [0, 0, 0, 32] : (!op) -> (!op, !op)
    %parts = transform.structured.match ops{["lattn.online_attention"]}
        attributes {test.tile = "parts"} in %m : (!op) -> !op
    transform.structured.tile_reduction_using_forall %parts by num_threads = [0, 0, 0, 4] tile_sizes = []
        : (!op) -> (!op, !op, !op, !op, !op, !op)
    %transposed = transform.structured.match ops{["lattn.online_attention"]}
        attributes {test.tile = "transposed"} in %m : (!op) -> !op
    transform.structured.tile_using_for %transposed tile_sizes [8, 32] : (!op) -> (!op, !op, !op)
    %pages = transform.structured.match ops{["lattn.online_attention"]}
        attributes {test.tile = "pages"} in %m : (!op) -> !op
    transform.structured.tile_using_for %pages tile_sizes [0, 32] : (!op) -> (!op, !op)
    transform.yield
  }
}
