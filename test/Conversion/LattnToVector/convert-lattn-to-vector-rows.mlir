// RUN: lattn-opt %s --convert-lattn-to-vector --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

// Rows of unit stride go by whole vectors, then by scalars; others by scalars.

// Ten of bf16: a vector of 8 and a loop over 2, in f32. The sum of squares is that
// of both; a row of zeros is divided by eps.
// CHECK-LABEL: func.func @normalize
// CHECK-NEXT:  call @[[KERNEL:lattn_l2_normalize[^(]*]](%{{.*}}, %{{.*}})
// CHECK:       func.func private @[[KERNEL]](%[[X:[^:]+]]: memref<?x10xbf16>, %[[O:[^:]+]]: memref<?x10xf32>) {{.*}} passthrough = ["noinline"]
// CHECK-DAG:   %[[EPS:.*]] = arith.constant 9.99999996E-13 : f32
// CHECK-NOT:   scf.if
// CHECK:       scf.for %[[ROW:.*]] = %c0 to %{{.*}} step %c1
// CHECK:         %[[V:.*]] = vector.load %{{.*}}[%[[ROW]], %c0] : {{.*}}, vector<8xbf16>
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extf %[[V]] : vector<8xbf16> to vector<8xf32>
// CHECK-NEXT:    %[[SQUARES:.*]] = vector.fma %[[WIDE]], %[[WIDE]],
// CHECK-NEXT:    %[[FRONT:.*]] = vector.reduction <add>, %[[SQUARES]]
// CHECK-NEXT:    %[[SUM:.*]] = scf.for %{{.*}} = %c8 to %c10 step %c1 iter_args(%{{.*}} = %[[FRONT]])
// CHECK:         %[[NORM:.*]] = math.sqrt %[[SUM]]
// CHECK-NEXT:    %[[LEAST:.*]] = arith.maximumf %[[NORM]], %[[EPS]]
// CHECK-NEXT:    %[[NORMS:.*]] = vector.broadcast %[[LEAST]]
// CHECK-NEXT:    %[[Y:.*]] = arith.divf %[[WIDE]], %[[NORMS]]
// CHECK-NEXT:    vector.store %[[Y]], %{{.*}}[%[[ROW]], %c0] : {{.*}}, vector<8xf32>
// CHECK-NEXT:    scf.for %[[D:.*]] = %c8 to %c10 step %c1
// CHECK:           arith.divf %{{.*}}, %[[LEAST]] : f32
// CHECK-NEXT:      memref.store %{{.*}}[%[[ROW]], %[[D]]]
func.func @normalize(%x: memref<?x10xbf16>, %o: memref<?x10xf32>) {
  lattn.l2_normalize ins(%x : memref<?x10xbf16>) outs(%o : memref<?x10xf32>)
  return
}

// -----

// Whole vectors leave no rest; less than a vector, and a width that is not known,
// are scalars alone. Rows lie in any number of axes.
// CHECK-LABEL: func.func @widths
// CHECK:       func.func private @lattn_l2_normalize{{.*}}memref<2x?x3x16xf32>
// CHECK:       scf.for %{{.*}} = %c0 to %c2
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             vector.reduction
// CHECK-NOT:         memref.load
// CHECK:       func.func private @lattn_l2_normalize{{.*}}memref<1x3xf64>
// CHECK-NOT:   vector.
// CHECK:       func.func private @lattn_l2_normalize{{.*}}memref<4x?xf32>
// CHECK-NOT:   vector.
func.func @widths(%a: memref<2x?x3x16xf32>, %b: memref<1x3xf64>, %c: memref<4x?xf32>) {
  lattn.l2_normalize ins(%a : memref<2x?x3x16xf32>) outs(%a : memref<2x?x3x16xf32>)
  lattn.l2_normalize ins(%b : memref<1x3xf64>) outs(%b : memref<1x3xf64>)
  lattn.l2_normalize ins(%c : memref<4x?xf32>) outs(%c : memref<4x?xf32>)
  return
}

// -----

// Halves of 10 pairs: 8 as vectors, 2 as scalars. Strides are tested at run time.
!x = memref<2x?x3x20xbf16, strided<[?, ?, ?, ?], offset: ?>>
!o = memref<2x?x3x20xf32>
// CHECK-LABEL: func.func @halves
// CHECK:       func.func private @lattn_rotate_pairs{{[^(]*}}(%[[X:[^:]+]]: {{.*}}, %[[T:[^:]+]]: memref<?x2x10xf32>, %[[START:[^:]+]]: index, %[[O:[^:]+]]: memref<2x?x3x20xf32>)
// CHECK:       scf.for %[[B:.*]] = %c0 to %c2
// CHECK-NEXT:    scf.for %[[H:.*]] = %c0 to %c3
// CHECK:           memref.subview %[[X]][%[[B]], 0, %[[H]], 0]
// CHECK:           %[[UNIT:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK:           scf.if %[[UNIT]]
// CHECK:             scf.for %[[ROW:.*]] = %c0 to
// CHECK-NEXT:          %[[R:.*]] = arith.addi %[[START]], %[[ROW]]
// CHECK-NEXT:          %[[C:.*]] = vector.load %[[T]][%[[R]], %c0, %c0] : {{.*}}, vector<8xf32>
// CHECK-NEXT:          %[[S:.*]] = vector.load %[[T]][%[[R]], %c1, %c0] : {{.*}}, vector<8xf32>
// CHECK-NEXT:          vector.load %{{.*}}[%[[ROW]], %c0] : {{.*}}, vector<8xbf16>
// CHECK-NEXT:          %[[LO:.*]] = arith.extf
// CHECK-NEXT:          vector.load %{{.*}}[%[[ROW]], %c10] : {{.*}}, vector<8xbf16>
// CHECK-NEXT:          %[[HI:.*]] = arith.extf
// CHECK-NEXT:          %[[HS:.*]] = arith.mulf %[[HI]], %[[S]]
// CHECK-NEXT:          %[[DOWN:.*]] = arith.negf %[[HS]]
// CHECK-NEXT:          %[[Y0:.*]] = math.fma %[[LO]], %[[C]], %[[DOWN]]
// CHECK-NEXT:          %[[LS:.*]] = arith.mulf %[[LO]], %[[S]]
// CHECK-NEXT:          %[[Y1:.*]] = math.fma %[[HI]], %[[C]], %[[LS]]
// CHECK-NEXT:          vector.store %[[Y0]], %{{.*}}[%[[ROW]], %c0] : {{.*}}, vector<8xf32>
// CHECK-NEXT:          vector.store %[[Y1]], %{{.*}}[%[[ROW]], %c10] : {{.*}}, vector<8xf32>
// CHECK-NEXT:          scf.for %[[M:.*]] = %c8 to %c10
// CHECK:                 memref.load %[[T]][%[[R]], %c0, %[[M]]]
// CHECK:                 memref.load %[[T]][%[[R]], %c1, %[[M]]]
// CHECK:                 %[[OTHER:.*]] = arith.addi %[[M]], %c10
// CHECK:                 memref.load %{{.*}}[%[[ROW]], %[[M]]]
// CHECK:                 memref.load %{{.*}}[%[[ROW]], %[[OTHER]]]
// CHECK:                 memref.store %{{.*}}[%[[ROW]], %[[M]]]
// CHECK-NEXT:            memref.store %{{.*}}[%[[ROW]], %[[OTHER]]]
// CHECK:           } else {
// CHECK-NOT:         vector.
// CHECK:             scf.for %{{.*}} = %c0 to %c10
func.func @halves(%x: !x, %t: memref<?x2x10xf32>, %s: index, %o: !o) {
  lattn.rotate_pairs ins(%x, %t : !x, memref<?x2x10xf32>) start(%s) outs(%o : !o)
      {position_axis = 1 : i64}
  return
}

// -----

// Neighbours are pulled apart, turned and put back: 4 pairs of f64, one scalar.
// CHECK-LABEL: func.func @neighbours
// CHECK:       func.func private @lattn_rotate_pairs
// CHECK:       %[[A:.*]] = vector.load %{{.*}}[%[[ROW:[^ ,]+]], %c0] : {{.*}}, vector<4xf64>
// CHECK-NEXT:  %[[B:.*]] = vector.load %{{.*}}[%[[ROW]], %c4] : {{.*}}, vector<4xf64>
// CHECK-NEXT:  vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6]
// CHECK-NEXT:  vector.shuffle %[[A]], %[[B]] [1, 3, 5, 7]
// CHECK:       %[[FIRST:.*]] = vector.shuffle %{{.*}} [0, 4, 1, 5]
// CHECK-NEXT:  vector.store %[[FIRST]], %{{.*}}[%[[ROW]], %c0]
// CHECK-NEXT:  %[[SECOND:.*]] = vector.shuffle %{{.*}} [2, 6, 3, 7]
// CHECK-NEXT:  vector.store %[[SECOND]], %{{.*}}[%[[ROW]], %c4]
// CHECK:       memref.load %{{.*}}[%[[ROW]], %c8]
// CHECK:       memref.load %{{.*}}[%[[ROW]], %c9]
// CHECK:       memref.store %{{.*}}[%[[ROW]], %c8]
// CHECK-NEXT:  memref.store %{{.*}}[%[[ROW]], %c9]
func.func @neighbours(%x: memref<?x10xf64>, %t: memref<6x2x5xf64>, %s: index) {
  lattn.rotate_pairs ins(%x, %t : memref<?x10xf64>, memref<6x2x5xf64>) start(%s)
      outs(%x : memref<?x10xf64>) {interleaved, position_axis = 0 : i64}
  return
}

// -----

func.func @sparse_table(%x: memref<?x8xf32>, %t: memref<6x2x4xf32, strided<[?, ?, 2]>>, %s: index) {
  // expected-error @below {{cannot become a vector kernel: its table is not dense}}
  lattn.rotate_pairs ins(%x, %t : memref<?x8xf32>, memref<6x2x4xf32, strided<[?, ?, 2]>>)
      start(%s) outs(%x : memref<?x8xf32>) {position_axis = 0 : i64}
  return
}

// -----

func.func @tensors(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{cannot become a vector kernel: is not on buffers}}
  %0 = lattn.l2_normalize ins(%x : tensor<?x8xf32>) outs(%x : tensor<?x8xf32>)
  return %0 : tensor<?x8xf32>
}
