// RUN: lattn-opt %s --lattn-fuse-rows -verify-diagnostics | FileCheck %s
// RUN: not lattn-opt %s --lattn-fuse-rows="rows=0" 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not lattn-opt %s --lattn-fuse-rows="rows=48 row-unit=96" 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not lattn-opt %s --lattn-fuse-rows="shares=0" 2>&1 | FileCheck %s --check-prefix=SHARES

// ROWS: error: lattn-fuse-rows: expected blocks of 1 to 65536 rows, a row-unit of 1 to rows and 1 to 65536 shares, got rows=0 row-unit=6 shares=2
// SHARES: error: lattn-fuse-rows: {{.*}} got rows=96 row-unit=6 shares=0
// UNIT: error: lattn-fuse-rows: {{.*}} got rows=48 row-unit=96

!x = tensor<200x64xf32>
!w = tensor<64x64xf32>
!s = tensor<200x200xf32>

// The rows of one product are those that the next one sums over.
// CHECK-LABEL: @all_rows
// CHECK:       linalg.matmul ins
// CHECK:       scf.forall
func.func @all_rows(%x: !x, %w: !w, %m: tensor<200x200xf32>, %y: !x) -> !x {
  // expected-remark @+1 {{linalg.matmul is not fused with the operations that read its rows: a block of rows would read all of its rows}}
  %0 = linalg.matmul ins(%x, %w : !x, !w) outs(%x : !x) -> !x
  %1 = linalg.matmul ins(%m, %0 : tensor<200x200xf32>, !x) outs(%y : !x) -> !x
  %2 = linalg.exp ins(%1 : !x) outs(%y : !x) -> !x
  return %2 : !x
}

// Weights are no rows: nothing to say.
// CHECK-LABEL: @weights
// CHECK:       linalg.exp
// CHECK:       scf.forall
func.func @weights(%x: !x, %w: !w, %y: !x) -> !x {
  %0 = linalg.exp ins(%w : !w) outs(%w : !w) -> !w
  %1 = linalg.matmul ins(%x, %0 : !x, !w) outs(%y : !x) -> !x
  %2 = linalg.exp ins(%1 : !x) outs(%y : !x) -> !x
  return %2 : !x
}

// Each row is added to the one that has its number among columns.
// CHECK-LABEL: @transposed
// CHECK:       linalg.matmul ins(%arg
// CHECK:       scf.forall
func.func @transposed(%x: !s, %w: !s, %y: !s) -> !s {
  // expected-remark @+1 {{a block of rows would read others of its rows, too}}
  %0 = linalg.matmul ins(%x, %w : !s, !s) outs(%y : !s) -> !s
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%0, %0 : !s, !s) outs(%y : !s) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> !s
  return %1 : !s
}

// An op between them reads the product.
// CHECK-LABEL: @read_before
// CHECK:       linalg.matmul ins(%arg
// CHECK:       scf.forall
func.func @read_before(%x: !x, %w: !w, %y: !x) -> (f32, !x) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{another op reads it before the last op of the chain}}
  %0 = linalg.matmul ins(%x, %w : !x, !w) outs(%y : !x) -> !x
  %v = tensor.extract %0[%c0, %c0] : !x
  %1 = linalg.exp ins(%0 : !x) outs(%y : !x) -> !x
  return %v, %1 : f32, !x
}
