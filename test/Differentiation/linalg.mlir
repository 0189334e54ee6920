// RUN: lattn-opt %s --lattn-differentiate | FileCheck %s

!x = tensor<?x?xf32>

// The derivatives of a product are products: neither reads what it does not need.
// CHECK-DAG: #[[AB:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[AC:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[CB:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: func.func @product_grad(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<?x?xf32>, %[[W:[^:]+]]: tensor<?x?xf32>, %[[Y:[^:]+]]: tensor<?x?xf32>, %[[G:[^:]+]]: tensor<?x?xf32>)
// CHECK-NOT:   linalg.matmul
// CHECK:       %[[DX:.*]] = linalg.generic {indexing_maps = [#[[CB]], #[[AB]], #[[AC]]], iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK-SAME:    ins(%[[W]], %[[G]] :
// CHECK:       %[[DW:.*]] = linalg.generic {indexing_maps = [#[[AC]], #[[AB]], #[[CB]]], iterator_types = ["reduction", "parallel", "parallel"]}
// CHECK-SAME:    ins(%[[X]], %[[G]] :
// CHECK:       return %[[DX]], %[[DW]], %[[G]]
func.func @product(%x: !x, %w: !x, %y: !x) -> !x {
  %0 = linalg.matmul ins(%x, %w : !x, !x) outs(%y : !x) -> !x
  return %0 : !x
}

// Sums of bf16 are made in f32 and rounded once.
// CHECK-LABEL: func.func @bias_grad(
// CHECK:       linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK-SAME:    outs(%{{.*}} : tensor<?xf32>)
// CHECK:       arith.truncf
func.func @bias(%x: tensor<?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = linalg.broadcast ins(%x : tensor<?xbf16>) outs(%y : tensor<?x?xbf16>) dimensions = [0]
  return %0 : tensor<?x?xbf16>
}

// Rows of a table: their cotangents are added in the order of the tokens.
// CHECK-LABEL: func.func @rows_grad(
// CHECK-SAME:    %{{[^:]+}}: tensor<?x?xf32>, %[[T:[^:]+]]: tensor<?xi32>, %{{[^:]+}}: tensor<?x?xf32>, %[[G:[^:]+]]: tensor<?x?xf32>)
// CHECK:       scf.for %[[I:.*]] = {{.*}} iter_args(
// CHECK:         scf.for %[[J:.*]] = {{.*}} iter_args(%[[SUM:.*]] =
// CHECK-DAG:       %[[TOKEN:.*]] = tensor.extract %[[T]][%[[I]]]
// CHECK-DAG:       %[[MORE:.*]] = tensor.extract %[[G]][%[[I]], %[[J]]]
// CHECK-DAG:       %[[ROW:.*]] = arith.index_cast %[[TOKEN]]
// CHECK:           %[[OLD:.*]] = tensor.extract %[[SUM]][%[[ROW]], %[[J]]]
// CHECK:           %[[NEW:.*]] = arith.addf %[[OLD]], %[[MORE]]
// CHECK:           tensor.insert %[[NEW]] into %[[SUM]][%[[ROW]], %[[J]]]
func.func @rows(%table: !x, %tokens: tensor<?xi32>, %y: !x) -> !x {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%tokens : tensor<?xi32>) outs(%y : !x) {
  ^bb0(%token: i32, %o: f32):
    %row = arith.index_cast %token : i32 to index
    %column = linalg.index 1 : index
    %1 = tensor.extract %table[%row, %column] : !x
    linalg.yield %1 : f32
  } -> !x
  return %0 : !x
}

// A reduction without a term gives its start on. An input that the body does not
// use still tells the extent of a loop in derivatives.
// CHECK-LABEL: func.func @no_terms_grad(
// CHECK-SAME:    %{{[^:]+}}: tensor<?x?xf32>, %{{[^:]+}}: tensor<?xf32>, %[[G:[^:]+]]: tensor<?xf32>)
// CHECK:       return %{{.*}}, %[[G]]
func.func @no_terms(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %out : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
