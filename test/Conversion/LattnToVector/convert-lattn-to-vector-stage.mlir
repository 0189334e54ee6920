// RUN: lattn-opt %s --convert-lattn-to-vector --canonicalize --cse -split-input-file | FileCheck %s

// Rows stay where they lie if they are dense and their distance is no multiple of
// 1024 elements of f32.
// CHECK-LABEL: func.func @same_type
// CHECK-SAME:  (%[[K:[^:]+]]: {{.*}}, %[[E:[^:]+]]: memref<1x512x1x64xf32>)
// CHECK-DAG:   %[[ALIAS:.*]] = arith.constant 1024 : index
// CHECK:       %{{.*}}, %{{.*}}, %{{.*}}:4, %[[STRIDES:.*]]:4 = memref.extract_strided_metadata %[[K]]
// CHECK:       %[[UNIT:.*]] = arith.cmpi eq, %[[STRIDES]]#3, %c1
// CHECK:       %[[REST:.*]] = arith.remui %[[STRIDES]]#1, %[[ALIAS]]
// CHECK:       %[[APART:.*]] = arith.cmpi ne, %[[REST]], %c0
// CHECK:       %[[IN_PLACE:.*]] = arith.andi %[[UNIT]], %[[APART]]
// CHECK:       scf.if %[[IN_PLACE]]
// CHECK-NEXT:    scf.yield %[[K]]
// CHECK:       } else {
// CHECK:         %[[FRONT:.*]] = memref.subview %[[E]]
// CHECK:         func.call @lattn_copy_rows_f32_f32_64
// CHECK:         %[[AS:.*]] = memref.cast %[[FRONT]]
// CHECK-NEXT:    scf.yield %[[AS]]
func.func @same_type(%k: memref<1x?x1x64xf32, strided<[?, ?, ?, ?], offset: ?>>, %e: memref<1x512x1x64xf32>)
    -> memref<1x?x1x64xf32, strided<[?, ?, ?, ?], offset: ?>> {
  %0 = lattn.stage_rows ins(%k : memref<1x?x1x64xf32, strided<[?, ?, ?, ?], offset: ?>>)
      scratch(%e : memref<1x512x1x64xf32>) {position_axis = 1}
      -> memref<1x?x1x64xf32, strided<[?, ?, ?, ?], offset: ?>>
  return %0 : memref<1x?x1x64xf32, strided<[?, ?, ?, ?], offset: ?>>
}

// -----

// Widened rows are copied, whatever their strides; each matrix of several on its own.
// CHECK-LABEL: func.func @widened
// CHECK-NOT:   scf.if
// CHECK:       scf.for %{{.*}} = %c0 to %c3
// CHECK:         func.call @lattn_copy_rows_bf16_f32_20
// CHECK:       return
// CHECK:       func.func private @lattn_copy_rows_bf16_f32_20
func.func @widened(%k: memref<3x?x20xbf16>, %e: memref<3x8x20xf32>) -> memref<3x?x20xf32, strided<[?, ?, ?], offset: ?>> {
  %0 = lattn.stage_rows ins(%k : memref<3x?x20xbf16>) scratch(%e : memref<3x8x20xf32>)
      {position_axis = 1} -> memref<3x?x20xf32, strided<[?, ?, ?], offset: ?>>
  return %0 : memref<3x?x20xf32, strided<[?, ?, ?], offset: ?>>
}
