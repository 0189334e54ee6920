// RUN: lattn-opt %s --convert-lattn-to-vector --canonicalize --cse -split-input-file | FileCheck %s

// Scores are modified on vectors of queries. What depends on the key alone is
// one scalar; what depends on the query is one load a lane.

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<16x8xf32>
!k = memref<24x16xf32>
!r = memref<8xf32>

// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK-SAME:  %[[B:[^:]+]]: index, %[[H:[^:]+]]: index, %[[I:[^:]+]]: index, %[[J:[^:]+]]: index, %[[SLOPES:[^:]+]]: memref<4xf32>, %[[IDS:[^:]+]]: memref<?xi32>
// CHECK-DAG:   %[[LANES:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xindex>
// CHECK:       arith.minsi %{{.*}}, %[[LANES]] : vector<8xindex>
// CHECK:       %[[S:.*]] = vector.load %{{.*}} : memref<{{[0-9]+}}x8xf32>, vector<8xf32>
// CHECK-DAG:   %[[SLOPE:.*]] = memref.load %[[SLOPES]][
// CHECK-DAG:   %[[ID:.*]] = memref.load %[[IDS]][
// CHECK-COUNT-8: memref.load %[[IDS]][
// CHECK-NOT:   memref.load %[[IDS]]
// CHECK:       arith.cmpi eq, %{{.*}} : vector<8xi32>
// CHECK:       arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
func.func @alibi_same_document(%q: !q, %k: !k, %acc: !q, %r: !r, %b: index, %h: index, %i: index,
    %j: index, %rows: index, %slopes: memref<4xf32>, %ids: memref<?xi32>) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%k : !k) origin(%b, %h, %i, %j)
      query_rows(%rows) captures(%slopes, %ids : memref<4xf32>, memref<?xi32>)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0} score {
  ^bb0(%s: f32, %bi: i32, %hi: i32, %qi: i32, %ki: i32, %t: memref<4xf32>, %doc: memref<?xi32>):
    %none = arith.constant 0xFF800000 : f32
    %hx = arith.index_cast %hi : i32 to index
    %qx = arith.index_cast %qi : i32 to index
    %kx = arith.index_cast %ki : i32 to index
    %slope = memref.load %t[%hx] : memref<4xf32>
    %doc_k = memref.load %doc[%kx] : memref<?xi32>
    %doc_q = memref.load %doc[%qx] : memref<?xi32>
    %same = arith.cmpi eq, %doc_q, %doc_k : i32
    %y = arith.mulf %s, %slope : f32
    %z = arith.select %same, %y, %none : f32
    lattn.yield %z : f32
  }
  return
}

// -----

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<16x8xf32>
!k = memref<24x16xf32>
!r = memref<8xf32>

// A bias by distance is a load a lane, clipped to the rows that exist, before
// all scores; masks come last, and hidden scores are -inf whatever was computed
// for them.
// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK-SAME:  %[[BIAS:[^:]+]]: memref<64xf32>, %[[MASK:[^:]+]]: memref<2x?xi1>
// CHECK-DAG:   %[[NONE:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
// CHECK-COUNT-8: memref.load %[[BIAS]][
// CHECK-NOT:   memref.load %[[BIAS]]
// CHECK:       vector.store %{{.*}}, %[[TILE:.*]][%{{.*}}, %c0{{.*}}] : memref<24x8xf32>
// CHECK:       %[[B:.*]] = vector.load %[[TILE]]
// CHECK:       %[[S:.*]] = arith.addf %{{.*}}, %[[B]] : vector<8xf32>
// CHECK:       %[[LOW:.*]] = arith.cmpi s{{[lg]e}}, {{.*}} : vector<8xi32>
// CHECK:       %[[HIGH:.*]] = arith.cmpi s{{[lg]t}}, {{.*}} : vector<8xi32>
// CHECK:       %[[SEEN:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK:       %[[S1:.*]] = arith.select %[[SEEN]], %[[S]], %[[NONE]]
// CHECK:       %[[KEEP:.*]] = memref.load %[[MASK]]
// CHECK:       arith.select %[[KEEP]], %[[S1]], %[[NONE]]
func.func @bias_window_mask(%q: !q, %k: !k, %acc: !q, %r: !r, %o: index, %at: i64,
    %bias: memref<64xf32>, %mask: memref<2x?xi1>) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%k : !k) bias(%bias : memref<64xf32>)
      key_mask(%mask : memref<2x?xi1>) offset(%at : i64) origin(%o, %o, %o, %o) query_rows(%o)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0,
       bias_map = affine_map<(b, h, i, j) -> ((i - j) mod 64)>,
       window = #lattn.window<left = 5, right = 0>}
  return
}

// Rows of a bias whose keys lie side by side, which the program asks, are
// transposed in squares; others are a load a lane.
// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK-SAME:  %[[BIAS:[^:]+]]: memref<1x2x?x?xf16, strided<[?, ?, ?, ?]>>
// CHECK:       %[[STRIDE:.*]] = arith.cmpi eq
// CHECK:       scf.if %[[STRIDE]]
// CHECK:         %[[UNIT:.*]] = memref.reinterpret_cast {{.*}} memref<1x2x?x?xf16, strided<[?, ?, ?, 1]
// CHECK:         scf.for {{.*}} step %c8
// CHECK-COUNT-8:   vector.load %[[UNIT]]{{.*}} vector<8xf16>
// CHECK:           vector.shuffle
// CHECK:           vector.store {{.*}} : memref<24x8xf32>
// CHECK:         scf.for
// CHECK-COUNT-8:   memref.load %[[BIAS]]
func.func @bias_per_pair(%q: !q, %k: !k, %acc: !q, %r: !r, %o: index,
    %bias: memref<1x2x?x?xf16, strided<[?, ?, ?, ?]>>) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%k : !k)
      bias(%bias : memref<1x2x?x?xf16, strided<[?, ?, ?, ?]>>) origin(%o, %o, %o, %o) query_rows(%o)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0}
  return
}

// -----

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<16x8xf32>
!k = memref<28x16xf32>
!r = memref<8xf32>

// A window alone: only blocks of keys that the last query no longer sees, or the
// first not yet, are masked. Of 14 keys and 8 queries the others go on as they are.
// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK:       %[[LOWER:.*]] = arith.index_cast %{{.*}} : vector<8xindex> to vector<8xi32>
// CHECK:       %[[UPPER:.*]] = arith.index_cast %{{.*}} : vector<8xindex> to vector<8xi32>
// CHECK:       scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %c14
// CHECK:         %[[SUMS:.*]]:14 = scf.for
// CHECK-DAG:     %[[KEY:.*]] = arith.index_cast %[[FIRST]] : index to i32
// CHECK-DAG:     %[[LAST_FROM:.*]] = vector.extract %[[LOWER]][7]
// CHECK-DAG:     %[[BEFORE:.*]] = arith.cmpi slt, %[[KEY]], %[[LAST_FROM]] : i32
// CHECK-DAG:     %[[FIRST_TO:.*]] = vector.extract %[[UPPER]][0]
// CHECK-DAG:     %[[BEYOND:.*]] = arith.cmpi sgt, %{{.*}}, %[[FIRST_TO]] : i32
// CHECK:         %[[HIDES:.*]] = arith.ori %[[BEFORE]], %[[BEYOND]] : i1
// CHECK:         scf.if %[[HIDES]]
// CHECK-COUNT-14:  arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK-NOT:       arith.select
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[SUMS]]#0, %[[SUMS]]#1,
// Of 16 values, a block of 14 would leave 2 sums that wait for each other.
// CHECK-COUNT-2: %{{.*}}:8 = scf.for
func.func @window(%q: !q, %k: !k, %acc: !q, %r: !r, %o: index, %at: i64) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%k : !k)
      offset(%at : i64) origin(%o, %o, %o, %o)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0,
       window = #lattn.window<left = 5, right = 0>}
  return
}

// -----

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<16x8xf32>
!k = memref<24x16xf32>
!r = memref<8xf32>
!m = memref<1x?x?xi8, strided<[?, ?, ?], offset: ?>>

// So are arrays that the region reads at its query and, last, its key. Of what it
// reads otherwise a lane is loaded at a time.
// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK-DAG:   memref.alloca() {{.*}} : memref<24x8xi8>
// CHECK:       scf.for {{.*}} step %c8
// CHECK-COUNT-8: vector.load {{.*}} vector<8xi8>
// CHECK:         vector.shuffle {{.*}} : vector<8xi8>, vector<8xi8>
// CHECK:         vector.store {{.*}} : memref<24x8xi8>
// CHECK:       %[[M:.*]] = vector.load {{.*}} : memref<24x8xi8>, vector<8xi8>
// CHECK:       arith.cmpi ne, %[[M]], {{.*}} : vector<8xi8>
// CHECK-COUNT-8: memref.load {{.*}} : memref<?x?xf32>
func.func @region_reads_pairs(%q: !q, %k: !k, %acc: !q, %r: !r, %o: index, %mask: !m, %t: memref<?x?xf32>) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%k : !k)
      origin(%o, %o, %o, %o) query_rows(%o) captures(%mask, %t : !m, memref<?x?xf32>)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0} score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %m: !m, %u: memref<?x?xf32>):
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i8
    %low = arith.constant 0xFF800000 : f32
    %hi = arith.index_cast %h : i32 to index
    %ii = arith.index_cast %i : i32 to index
    %ji = arith.index_cast %j : i32 to index
    %x = memref.load %m[%c0, %ii, %ji] : !m
    %is = arith.cmpi ne, %x, %zero : i8
    %y = memref.load %u[%ji, %ii] : memref<?x?xf32>
    %z = arith.addf %s, %y : f32
    %w = arith.select %is, %z, %low : f32
    lattn.yield %w : f32
  }
  return
}

// -----

#q = affine_map<(b, h, q, k, d, v) -> (d, q)>
#k = affine_map<(b, h, q, k, d, v) -> (k, d)>
#v = affine_map<(b, h, q, k, d, v) -> (k, v)>
#acc = affine_map<(b, h, q, k, d, v) -> (v, q)>
#row = affine_map<(b, h, q, k, d, v) -> (q)>
!q = memref<16x8xf32>
!k = memref<24x16xf32>
!r = memref<8xf32>

// A bias may be one number.
// CHECK-LABEL: func.func private @lattn_online_attention
// CHECK-SAME:  %[[BIAS:[^:]+]]: memref<f32>
// CHECK:       memref.load %[[BIAS]][]
func.func @bias_of_all(%q: !q, %k: !k, %acc: !q, %r: !r, %bias: memref<f32>) {
  lattn.online_attention query(%q : !q) key(%k : !k) value(%k : !k) bias(%bias : memref<f32>)
      outs(%acc, %r, %r : !q, !r, !r)
      {indexing_maps = [#q, #k, #v, #acc, #row, #row], scale = 1.0,
       bias_map = affine_map<(b, h, i, j) -> ()>}
  return
}
