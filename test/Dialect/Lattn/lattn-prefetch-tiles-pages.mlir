// RUN: lattn-opt %s --lattn-prefetch-tiles | FileCheck %s

// A step of few queries is told the page of the next keys. The last step, which has
// no next one, reads no other entry of the table.
// CHECK-LABEL: func.func @pages(
// CHECK-SAME:      %[[K:.*]]: memref<8x2x64x64xf32>, %[[V:.*]]: memref<8x2x64x64xf32>, %[[TABLE:.*]]: memref<4xi32>
// CHECK:       lattn.sweep_keys (%[[KEY:.*]], %[[SIZE:.*]], %{{.*}}) in (%{{.*}} interior %[[END:.*]]) by 64 {
// CHECK:         %[[AFTER:.*]] = arith.addi %[[KEY]], %[[SIZE]]
// CHECK:         %[[IS_KEY:.*]] = arith.cmpi slt, %[[AFTER]], %[[END]]
// CHECK:         %[[NEXT:.*]] = arith.select %[[IS_KEY]], %[[AFTER]], %[[KEY]]
// CHECK:         %[[AT:.*]] = affine.apply #{{.*}}()[%[[NEXT]]]
// CHECK:         %[[ENTRY:.*]] = memref.load %[[TABLE]][%[[AT]]]
// CHECK:         %[[PAGE:.*]] = arith.index_cast %[[ENTRY]]
// CHECK:         %[[KEYS:.*]] = memref.subview %[[K]][%[[PAGE]],
// CHECK:         %[[VALUES:.*]] = memref.subview %[[V]][%[[PAGE]],
// CHECK:         lattn.online_attention
// CHECK-SAME:        ahead(%[[KEYS]], %[[VALUES]] :

// Keys in one array, or a kernel of many queries, which asks for none:
// CHECK-LABEL: func.func @array(
// CHECK-NOT:     ahead(
// CHECK-LABEL: func.func @many_queries(
// CHECK-NOT:     ahead(
!rows = memref<?x64xf32, strided<[64, 1], offset: ?>>
#page = affine_map<()[s0] -> (s0 floordiv 64)>
#maps = [affine_map<(b, h, q, k, d, v) -> (q, d)>, affine_map<(b, h, q, k, d, v) -> (k, d)>,
         affine_map<(b, h, q, k, d, v) -> (k, v)>, affine_map<(b, h, q, k, d, v) -> (q, v)>,
         affine_map<(b, h, q, k, d, v) -> (q)>, affine_map<(b, h, q, k, d, v) -> (q)>]
func.func @pages(%k: memref<8x2x64x64xf32>, %v: memref<8x2x64x64xf32>, %table: memref<4xi32>, %begin: index, %end: index,
                 %q: memref<4x64xf32>, %acc: memref<4x64xf32>, %max: memref<4xf32>, %sum: memref<4xf32>) {
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 64 {
    %at = affine.apply #page()[%key]
    %entry = memref.load %table[%at] : memref<4xi32>
    %page = arith.index_cast %entry : i32 to index
    %keys = memref.subview %k[%page, 0, 0, 0] [1, 1, %size, 64] [1, 1, 1, 1] : memref<8x2x64x64xf32> to !rows
    %values = memref.subview %v[%page, 0, 0, 0] [1, 1, %size, 64] [1, 1, 1, 1] : memref<8x2x64x64xf32> to !rows
    lattn.online_attention query(%q : memref<4x64xf32>) key(%keys : !rows) value(%values : !rows)
        outs(%acc, %max, %sum : memref<4x64xf32>, memref<4xf32>, memref<4xf32>)
        {indexing_maps = #maps, scale = 1.0 : f64, schedule = #lattn.schedule<query_tile = 4, key_tile = 64, lanes = features>}
    lattn.yield
  }
  return
}

func.func @array(%k: memref<?x64xf32>, %v: memref<?x64xf32>, %begin: index, %end: index,
                 %q: memref<4x64xf32>, %acc: memref<4x64xf32>, %max: memref<4xf32>, %sum: memref<4xf32>) {
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 64 {
    %keys = memref.subview %k[%key, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !rows
    %values = memref.subview %v[%key, 0] [%size, 64] [1, 1] : memref<?x64xf32> to !rows
    lattn.online_attention query(%q : memref<4x64xf32>) key(%keys : !rows) value(%values : !rows)
        outs(%acc, %max, %sum : memref<4x64xf32>, memref<4xf32>, memref<4xf32>)
        {indexing_maps = #maps, scale = 1.0 : f64, schedule = #lattn.schedule<query_tile = 4, key_tile = 64, lanes = features>}
    lattn.yield
  }
  return
}

func.func @many_queries(%k: memref<8x64x64xf32>, %v: memref<8x64x64xf32>, %table: memref<4xi32>, %begin: index, %end: index,
                        %q: memref<4x64xf32>, %acc: memref<4x64xf32>, %max: memref<4xf32>, %sum: memref<4xf32>) {
  lattn.sweep_keys (%key, %size, %edge) in (%begin interior %end) by 64 {
    %at = affine.apply #page()[%key]
    %entry = memref.load %table[%at] : memref<4xi32>
    %page = arith.index_cast %entry : i32 to index
    %keys = memref.subview %k[%page, 0, 0] [1, %size, 64] [1, 1, 1] : memref<8x64x64xf32> to !rows
    %values = memref.subview %v[%page, 0, 0] [1, %size, 64] [1, 1, 1] : memref<8x64x64xf32> to !rows
    lattn.online_attention query(%q : memref<4x64xf32>) key(%keys : !rows) value(%values : !rows)
        outs(%acc, %max, %sum : memref<4x64xf32>, memref<4xf32>, memref<4xf32>)
        {indexing_maps = #maps, scale = 1.0 : f64, schedule = #lattn.schedule<query_tile = 4, key_tile = 64>}
    lattn.yield
  }
  return
}
