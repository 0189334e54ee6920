// RUN: %mlir_opt_lattn %s -transform-interpreter -canonicalize -cse | FileCheck %s

// Upstream's transforms tile attention's consumer along batch, heads and
// queries and pull attention and its producer into the loop.

!t = tensor<2x8x128x64xf32>
#id = affine_map<(b, h, q, d) -> (b, h, q, d)>

// CHECK-LABEL: @scaled_query_and_residual
// CHECK-SAME: (%[[Q:[^:]+]]: tensor<2x8x128x64xf32>, %[[K:[^:]+]]: tensor<2x8x128x64xf32>,
// CHECK:      scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) in (2, 8, 4)
// CHECK-DAG:    %[[FIRST:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-DAG:    %[[ROWS:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[FIRST]], 0] [1, 1, 32, 64]
// CHECK:        %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] :
// CHECK:        tensor.extract_slice %[[K]][%[[B]], %[[H]], %[[BEGIN:.*]], 0] [1, 1, %{{.*}}, 64]
// CHECK:        %[[TILE:.*]] = lattn.attention query(%[[SCALED]] : tensor<1x1x32x64xf32>)
// CHECK-SAME:     origin(%[[B]], %[[H]], %[[FIRST]], %[[BEGIN]])
// CHECK:        %[[SUM:.*]] = linalg.add ins(%[[TILE]], %{{.*}} :
// CHECK:        tensor.parallel_insert_slice %[[SUM]]
// CHECK-NOT:  lattn.attention query
func.func @scaled_query_and_residual(%q: !t, %k: !t, %v: !t, %r: !t) -> !t {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : !t
  %scaled = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : !t) outs(%e : !t) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %two : f32
    linalg.yield %0 : f32
  } -> !t
  %a = lattn.attention query(%scaled : !t) key(%k : !t) value(%v : !t) outs(%e : !t)
      {window = #lattn.window<left = 16, right = 0>}
  %s = linalg.add ins(%a, %r : !t, !t) outs(%e : !t) -> !t
  return %s : !t
}

!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!op) -> !op
    %attention = transform.structured.match ops{["lattn.attention"]} in %m : (!op) -> !op
    %scale = transform.structured.match ops{["linalg.generic"]} in %m : (!op) -> !op
    %tiled, %loop = transform.structured.tile_using_forall %add tile_sizes [1, 1, 32]
        : (!op) -> (!op, !op)
    %a, %loop1 = transform.structured.fuse_into_containing_op %attention into %loop
        : (!op, !op) -> (!op, !op)
    transform.structured.fuse_into_containing_op %scale into %loop1
        : (!op, !op) -> (!op, !op)
    transform.yield
  }
}
