// RUN: lattn-opt %s -one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// Reads do not copy, and a check sees what was there before a later write.

// CHECK-LABEL: @reads
// CHECK-SAME: %[[A:.*]]: memref<4xf32, {{.*}}>, %[[E:.*]]: memref<?xbf16, {{.*}}>
func.func @reads(%a: tensor<4xf32>, %e: tensor<?xbf16>) {
  // CHECK-NEXT: check.expect_close %[[A]], %[[E]] {equal_nan} : memref<4xf32, {{.*}}>, memref<?xbf16, {{.*}}>
  check.expect_close %a, %e {equal_nan} : tensor<4xf32>, tensor<?xbf16>
  // CHECK-NEXT: check.expect_eq %[[A]], %[[A]]
  check.expect_eq %a, %a : tensor<4xf32>, tensor<4xf32>
  // CHECK-NEXT: return
  return
}

// CHECK-LABEL: @read_after_write
// CHECK-SAME: %[[A:.*]]: memref<4xf32
func.func @read_after_write(%a: tensor<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[COPY:.*]] = memref.alloc
  // CHECK: memref.copy %[[A]], %[[COPY]]
  // CHECK: memref.store %{{.*}}, %[[COPY]]
  %b = tensor.insert %x into %a[%c0] : tensor<4xf32>
  // CHECK: check.expect_eq %[[A]], %[[COPY]]
  check.expect_eq %a, %b : tensor<4xf32>, tensor<4xf32>
  return
}
