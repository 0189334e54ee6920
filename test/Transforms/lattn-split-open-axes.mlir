// RUN: lattn-opt %s --lattn-split-open-axes | FileCheck %s
// RUN: lattn-run %s --entry=numbers
// RUN: lattn-run %s --entry=numbers --target=loops

// CHECK-LABEL: @contiguous
// CHECK-SAME:    %[[X:[^:]+]]: memref<?x8xf32>, %[[A:[^:]+]]: index, %[[B:[^:]+]]: index
// CHECK:         %[[BASE:[^,]+]], {{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[STRIDE:.+]] = affine.apply {{.*}}%[[B]]
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 8], strides: [%[[STRIDE]], 8, 1]
func.func @contiguous(%x: memref<?x8xf32>, %a: index, %b: index) -> memref<?x?x8xf32> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return %0 : memref<?x?x8xf32>
}

// CHECK-LABEL: @strided
// CHECK:         %[[BASE:[^,]+]], %[[OFFSET:[^,]+]], %{{.*}}, %[[S:.+]] = memref.extract_strided_metadata
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: {{.*}}, strides: [{{.*}}, %[[S]]]
func.func @strided(%x: memref<?xf32, strided<[?], offset: ?>>, %a: index, %b: index) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%a, %b] : memref<?xf32, strided<[?], offset: ?>> into memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// Upstream lowers those with one open extent.
// CHECK-LABEL: @one
// CHECK:         memref.expand_shape
func.func @one(%x: memref<?xf32>, %a: index) -> memref<?x4xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%a, 4] : memref<?xf32> into memref<?x4xf32>
  return %0 : memref<?x4xf32>
}

func.func private @split(%x: tensor<?xf32>, %a: index, %b: index) -> tensor<?x?xf32> attributes {no_inline} {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @numbers() {
  %a = arith.constant 2 : index
  %b = arith.constant 3 : index
  %known = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %x = tensor.cast %known : tensor<6xf32> to tensor<?xf32>
  %0 = call @split(%x, %a, %b) : (tensor<?xf32>, index, index) -> tensor<?x?xf32>
  %got = tensor.cast %0 : tensor<?x?xf32> to tensor<2x3xf32>
  %want = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  check.expect_eq %got, %want : tensor<2x3xf32>, tensor<2x3xf32>
  return
}
