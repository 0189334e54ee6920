// RUN: lattn-opt %s --lattn-convert-to-online | FileCheck %s --check-prefix=ONLINE
// RUN: lattn-opt %s --lattn-tile --canonicalize | FileCheck %s --check-prefix=TILE
// RUN: lattn-opt %s --lattn-tile-rows --canonicalize | FileCheck %s --check-prefix=ROWS

// Steps and tiles know the heads of the whole, which are part of a counter.

!t = tensor<1x4x?x64xf32>
// ONLINE-LABEL: @attention
// ONLINE-SAME:  %[[P:[^ ]*]]: f32, %[[SEED:[^ ]*]]: i64, %[[OFFSET:[^ ]*]]: i64
// ONLINE:       %[[H:.*]] = arith.constant 4 : i64
// ONLINE:       lattn.online_attention {{.*}} dropout(%[[P]], %[[SEED]], %[[OFFSET]], %[[H]] : f32, i64, i64, i64)
// TILE-LABEL:   @attention
// TILE-COUNT-2: lattn.online_attention {{.*}} origin({{.*}}) {{.*}} dropout(%{{.*}}, %{{.*}}, %{{.*}}, %c4_i64 :
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
