// RUN: lattn-opt %s --lattn-tile-matmul -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-tile-matmul="row-tile=0" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not lattn-opt %s --lattn-tile-matmul="column-tile=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not lattn-opt %s --lattn-tile-matmul="row-unit=6 column-unit=0" 2>&1 | FileCheck %s --check-prefix=UNIT

// ROWS: error: lattn-tile-matmul: expected 1 to 65536 rows, columns and shares, got row-tile=0 column-tile=256 shares=16 row-unit=1 column-unit=1
// COLUMNS: error: lattn-tile-matmul: {{.*}} got row-tile=4096 column-tile=9223372036854775807
// UNIT: error: lattn-tile-matmul: {{.*}} got row-tile=4096 column-tile=256 shares=16 row-unit=6 column-unit=0

// CHECK-LABEL: @integers
// CHECK-NOT:   scf.forall
func.func @integers(%x: tensor<4x4xi32>, %y: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-remark @+1 {{a matrix product stays untiled and will run as slow loops: it computes on 'i32'}}
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xi32>, tensor<4x4xi32>)
      outs(%y : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// CHECK-LABEL: @narrowed
// CHECK-NOT:   scf.forall
func.func @narrowed(%x: tensor<4x4xf64>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @+1 {{an input of 'f64' would be narrowed}}
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf64>, tensor<4x4xf64>)
      outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
