// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s
// RUN: lattn-opt %s --mlir-print-op-generic | lattn-opt | FileCheck %s

// CHECK-LABEL: func.func @merge(
// CHECK: lattn.merge ins(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?x16x64xf32>, tensor<?x16xf32>, tensor<?x16xf32>)
// CHECK-SAME: outs(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>) {value_axis = 1 : i64}
func.func @merge(%accs: tensor<?x16x64xf32>, %rows: tensor<?x16xf32>,
    %acc: tensor<16x64xf32>, %row: tensor<16xf32>) -> tensor<16xf32> {
  %0:3 = lattn.merge
      ins(%accs, %rows, %rows : tensor<?x16x64xf32>, tensor<?x16xf32>, tensor<?x16xf32>)
      outs(%acc, %row, %row : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
      {value_axis = 1}
  return %0#2 : tensor<16xf32>
}

// CHECK-LABEL: func.func @merge_memref(
// CHECK: lattn.merge ins({{.*}}memref<3x8x?xf64>{{.*}}) outs({{.*}}memref<8x?xf64>{{.*}}) {value_axis = 0 : i64}
func.func @merge_memref(%accs: memref<3x8x?xf64>, %rows: memref<3x?xf64>,
    %acc: memref<8x?xf64>, %row: memref<?xf64>) {
  lattn.merge ins(%accs, %rows, %rows : memref<3x8x?xf64>, memref<3x?xf64>, memref<3x?xf64>)
      outs(%acc, %row, %row : memref<8x?xf64>, memref<?xf64>, memref<?xf64>)
      {value_axis = 0}
  return
}

// The state is padded to 16 rows; output has any number of them.
// CHECK-LABEL: func.func @finalize(
// CHECK: lattn.finalize ins(%{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>) outs(%{{[^ ,)]+}} : tensor<?x64xbf16>) {value_axis = 0 : i64}
// CHECK: lattn.finalize ins({{.*}}) outs(%{{[^ ,)]+}} : tensor<?x64xbf16>, %{{[^ ,)]+}} : tensor<?xf32>) {value_axis = 0 : i64}
func.func @finalize(%acc: tensor<64x16xf32>, %row: tensor<16xf32>,
    %out: tensor<?x64xbf16>, %lse: tensor<?xf32>) -> (tensor<?x64xbf16>, tensor<?xf32>) {
  %0 = lattn.finalize ins(%acc, %row, %row : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%out : tensor<?x64xbf16>) {value_axis = 0}
  %1:2 = lattn.finalize ins(%acc, %row, %row : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%0 : tensor<?x64xbf16>, %lse : tensor<?xf32>) {value_axis = 0}
  return %1#0, %1#1 : tensor<?x64xbf16>, tensor<?xf32>
}

// CHECK-LABEL: func.func @store_state(
// CHECK: lattn.finalize ins({{.*}}) outs(%{{[^ ,)]+}} : tensor<?x64xf32>, %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?xf32>, tensor<?xf32>) {value_axis = 0 : i64}
func.func @store_state(%acc: tensor<64x16xf32>, %row: tensor<16xf32>, %out: tensor<?x64xf32>,
    %rows: tensor<?xf32>) -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0:3 = lattn.finalize ins(%acc, %row, %row : tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%out : tensor<?x64xf32>, %rows, %rows : tensor<?xf32>, tensor<?xf32>) {value_axis = 0}
  return %0#0, %0#1, %0#2 : tensor<?x64xf32>, tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @finalize_memref(
// CHECK: lattn.finalize ins({{.*}}) outs(%{{[^ ,)]+}} : memref<1x2x16x8xf64>) {value_axis = 3 : i64}
func.func @finalize_memref(%acc: memref<1x2x16x8xf64>, %row: memref<1x2x16xf64>) {
  lattn.finalize ins(%acc, %row, %row : memref<1x2x16x8xf64>, memref<1x2x16xf64>, memref<1x2x16xf64>)
      outs(%acc : memref<1x2x16x8xf64>) {value_axis = 3}
  return
}

// CHECK-LABEL: func.func @pack_query(
// CHECK: lattn.pack_query ins(%{{[^ ,)]+}} : tensor<?x64xbf16>) outs(%{{[^ ,)]+}} : tensor<64x16xf32>) {scale = 1.250000e-01 : f64}
func.func @pack_query(%q: tensor<?x64xbf16>, %e: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = lattn.pack_query ins(%q : tensor<?x64xbf16>) outs(%e : tensor<64x16xf32>)
      {scale = 0.125 : f64}
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: func.func @pack_query_memref(
// CHECK: lattn.pack_query ins(%{{[^ ,)]+}} : memref<16x64xf64>) outs(%{{[^ ,)]+}} : memref<64x16xf64>) {scale = 1.000000e+00 : f64}
func.func @pack_query_memref(%q: memref<16x64xf64>, %e: memref<64x16xf64>) {
  lattn.pack_query ins(%q : memref<16x64xf64>) outs(%e : memref<64x16xf64>)
      {scale = 1.0 : f64}
  return
}

// CHECK-LABEL: func.func @stage_rows(
// CHECK: lattn.stage_rows ins(%{{[^ ,)]+}} : tensor<1x?x1x64xbf16>) scratch(%{{[^ ,)]+}} : tensor<1x512x1x64xf32>) {position_axis = 1 : i64} -> tensor<1x?x1x64xf32>
func.func @stage_rows(%k: tensor<1x?x1x64xbf16>, %e: tensor<1x512x1x64xf32>) -> tensor<1x?x1x64xf32> {
  %0 = lattn.stage_rows ins(%k : tensor<1x?x1x64xbf16>) scratch(%e : tensor<1x512x1x64xf32>)
      {position_axis = 1} -> tensor<1x?x1x64xf32>
  return %0 : tensor<1x?x1x64xf32>
}

// CHECK-LABEL: func.func @stage_rows_memref(
// CHECK: lattn.stage_rows ins(%{{[^ ,)]+}} : memref<?x64xf64>) scratch(%{{[^ ,)]+}} : memref<8x64xf64>) {position_axis = 0 : i64} -> memref<?x64xf64, strided<[?, ?], offset: ?>>
func.func @stage_rows_memref(%k: memref<?x64xf64>, %e: memref<8x64xf64>) {
  %0 = lattn.stage_rows ins(%k : memref<?x64xf64>) scratch(%e : memref<8x64xf64>)
      {position_axis = 0} -> memref<?x64xf64, strided<[?, ?], offset: ?>>
  return
}
