// RUN: lattn-opt %s --lattn-convert-to-online | FileCheck %s --check-prefix=ONLINE
// RUN: lattn-opt %s --lattn-tile --canonicalize | FileCheck %s --check-prefix=TILE
// RUN: lattn-opt %s --lattn-tile-rows --canonicalize | FileCheck %s --check-prefix=ROWS
// RUN: lattn-opt %s --transform-interpreter --canonicalize | FileCheck %s --check-prefix=UPSTREAM

// Steps and tiles know the heads of the whole, which are part of a counter.

!t = tensor<1x4x?x64xf32>
// ONLINE-LABEL: @attention
// ONLINE-SAME:  %[[P:[^ ]*]]: f32, %[[SEED:[^ ]*]]: i64, %[[OFFSET:[^ ]*]]: i64
// ONLINE:       %[[H:.*]] = arith.constant 4 : i64
// ONLINE:       lattn.online_attention {{.*}} dropout(%[[P]], %[[SEED]], %[[OFFSET]], %[[H]] : f32, i64, i64, i64)
// TILE-LABEL:   @attention
// TILE:         lattn.online_attention {{.*}} origin({{.*}}) {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c4_i64 :
// ROWS-LABEL:   @attention
// ROWS:         lattn.attention {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c4_i64 : f32, i64, i64, i64) origin(
func.func @attention(%q: !t, %p: f32, %seed: i64, %offset: i64) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      dropout(%p, %seed, %offset : f32, i64, i64) outs(%q : !t)
  return %0 : !t
}

// A tile of twelve heads.
// ONLINE-LABEL: @tile
// ONLINE:       %[[H:.*]] = arith.constant 12 : i64
// ONLINE:       lattn.online_attention {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %[[H]] :
// TILE-LABEL:   @tile
// TILE:         lattn.online_attention {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c12_i64 :
// ROWS-LABEL:   @tile
// ROWS:         lattn.attention {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c12_i64 :
func.func @tile(%q: !t, %p: f32, %seed: i64, %i: index) -> !t {
  %h = arith.constant 12 : i64
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t)
      offset(%seed : i64) dropout(%p, %seed, %seed, %h : f32, i64, i64, i64)
      origin(%i, %i, %i, %i) outs(%q : !t)
  return %0 : !t
}

// UPSTREAM-LABEL: @attention
// UPSTREAM:       scf.forall (%[[I:.*]]) in (2)
// UPSTREAM:         lattn.attention query({{.*}} : tensor<1x2x?x64xf32>) {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c4_i64 : f32, i64, i64, i64) origin(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %function = transform.structured.match ops{["func.func"]} attributes {sym_name = "attention"} in %module : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["lattn.attention"]} in %function : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
