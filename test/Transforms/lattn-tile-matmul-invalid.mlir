// RUN: lattn-opt %s --lattn-tile-matmul -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-tile-matmul="row-tile=0" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not lattn-opt %s --lattn-tile-matmul="column-tile=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=COLUMNS

// ROWS: error: lattn-tile-matmul: expected tiles of 1 to 65536 rows and columns, got row-tile=0 column-tile=256
// COLUMNS: error: lattn-tile-matmul: {{.*}} got row-tile=96 column-tile=9223372036854775807

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
