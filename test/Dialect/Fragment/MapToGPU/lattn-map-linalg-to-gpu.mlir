// RUN: lattn-opt %s --lattn-map-linalg-to-gpu | FileCheck %s

#columns = affine_map<(r, c) -> (c)>
#all = affine_map<(r, c) -> (r, c)>

// Parallel loops become the grid, also where a reduction is written before them.
// CHECK-LABEL: func.func @sum_of_columns(
// CHECK-SAME:      %[[X:.*]]: memref<7x5xf32>, %[[SUMS:.*]]: memref<5xf32>
// CHECK:         scf.forall (%[[C:.*]]) in (5) {
// CHECK-NEXT:      scf.for %[[R:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-DAG:         %[[ROW:.*]] = affine.apply #{{.*}}(%[[R]])
// CHECK-DAG:         %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[C]])
// CHECK:             memref.load %[[X]][%[[ROW]], %[[COLUMN]]]
// CHECK:             memref.store %{{.*}}, %[[SUMS]]
// CHECK:         } {lattn.grid = #lattn.grid<kernel = "generic">, mapping = [#gpu.thread<linear_dim_0>]}
func.func @sum_of_columns(%x: memref<7x5xf32>, %sums: memref<5xf32>) {
  linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<7x5xf32>) outs(%sums : memref<5xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  }
  return
}

// A warp sums a row: its lanes read neighbours, and shuffles add what they have.
// CHECK-LABEL: func.func @sum_of_rows(
// CHECK-SAME:      %[[X:.*]]: memref<7x?xf32>, %[[SUMS:.*]]: memref<7xf32>
// CHECK:         scf.forall (%[[R:.*]], %[[LANE:.*]]) in (7, 32) {
// CHECK:           %[[PART:.*]] = scf.for %[[C:.*]] = %[[LANE]] to %{{.*}} step %c32{{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (f32) {
// CHECK:             %[[V:.*]] = memref.load %[[X]]
// CHECK:             %[[NEXT:.*]] = arith.addf %[[V]], %[[BEFORE]]
// CHECK:             scf.yield %[[NEXT]]
// CHECK:           gpu.shuffle xor %[[PART]], %c16_i32
// CHECK-COUNT-3:   gpu.shuffle xor
// CHECK:           gpu.shuffle xor %{{.*}}, %c1_i32
// CHECK:           %[[SUM:.*]] = arith.addf
// CHECK:           arith.cmpi eq, %[[LANE]]
// CHECK:           scf.if
// CHECK:             %[[OLD:.*]] = memref.load %[[SUMS]]
// CHECK:             %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUM]]
// CHECK:             memref.store %[[NEW]], %[[SUMS]]
func.func @sum_of_rows(%x: memref<7x?xf32>, %sums: memref<7xf32>) {
  linalg.generic {indexing_maps = [#all, affine_map<(r, c) -> (r)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<7x?xf32>) outs(%sums : memref<7xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %0 = arith.addf %v, %sum : f32
    linalg.yield %0 : f32
  }
  return
}

// A named op keeps its name.
// CHECK-LABEL: func.func @reduce(
// CHECK:         scf.forall (%{{.*}}) in (5) {
// CHECK-NEXT:      scf.for
// CHECK:         lattn.grid = #lattn.grid<kernel = "reduce"
func.func @reduce(%x: memref<7x5xf32>, %sums: memref<5xf32>) {
  linalg.reduce {arith.addf} ins(%x : memref<7x5xf32>) outs(%sums : memref<5xf32>) dimensions = [0]
  return
}

// One thread computes an op without parallel loops.
// CHECK-LABEL: func.func @sum(
// CHECK:         scf.forall (%{{.*}}) in (1) {
// CHECK:           scf.for
func.func @sum(%x: memref<7xf32>, %sum: memref<f32>) {
  linalg.reduce {arith.addf} ins(%x : memref<7xf32>) outs(%sum : memref<f32>) dimensions = [0]
  return
}

// A thread for each term; the true ones write.
// CHECK-LABEL: func.func @any(
// CHECK-SAME:    %[[X:.*]]: memref<7x?xf32>, %[[ANY:.*]]: memref<i1>
// CHECK:         scf.forall (%[[R:.*]], %[[C:.*]]) in (7, %{{.*}}) {
// CHECK:           %[[V:.*]] = memref.load %[[X]]
// CHECK:           %[[TRUE:.*]] = arith.cmpf oeq, %[[V]], %{{.*}}
// CHECK:           scf.if %[[TRUE]] {
// CHECK-NEXT:        memref.store %[[TRUE]], %[[ANY]][]
func.func @any(%x: memref<7x?xf32>, %any: memref<i1>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#all, affine_map<(r, c) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<7x?xf32>) outs(%any : memref<i1>) {
  ^bb0(%v: f32, %before: i1):
    %0 = arith.cmpf oeq, %v, %zero : f32
    %1 = arith.ori %before, %0 : i1
    linalg.yield %1 : i1
  }
  return
}
