// RUN: lattn-opt %s --lattn-outline-parallel | FileCheck %s
// RUN: lattn-opt %s --lattn-outline-parallel="parallel=false" | FileCheck %s --check-prefix=SERIAL

// The body of a loop becomes a function of a range of items; what it uses from
// outside travels in a struct, but constants are cloned.

// CHECK-LABEL: func.func @scale
// CHECK-SAME:  (%[[A:[^:]+]]: memref<?x8xf32>, %[[X:[^:]+]]: f32, %[[N:[^:]+]]: index)
// CHECK:       %[[CONTEXT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, i64)>
// CHECK:       %[[F0:.*]] = llvm.getelementptr %[[CONTEXT]][0, 0]
// CHECK:       llvm.store %[[X]], %[[F0]] : f32
// CHECK:       llvm.getelementptr %[[CONTEXT]][0, 1]
// CHECK:       %[[F2:.*]] = llvm.getelementptr %[[CONTEXT]][0, 2]
// CHECK:       llvm.store %{{.*}}, %[[F2]] : i64
// CHECK:       %[[BODY:.*]] = constant @scale_parallel : (!llvm.ptr, i64, i64) -> ()
// CHECK:       call @lattn_parallel_for(%{{.*}}, %[[CONTEXT]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NOT:   scf.forall

// SERIAL-LABEL: func.func @scale
// SERIAL:       call @scale_parallel(%{{.*}}, %c0_i64, %{{.*}}) : (!llvm.ptr, i64, i64) -> ()
// SERIAL-NOT:   lattn_parallel_for
func.func @scale(%a: memref<?x8xf32>, %x: f32, %n: index) {
  %two = arith.constant 2.0 : f32
  scf.forall (%i, %j) in (%n, 8) {
    %s = memref.alloca() : memref<1xf32>
    %c0 = arith.constant 0 : index
    memref.store %x, %s[%c0] : memref<1xf32>
    %0 = memref.load %s[%c0] : memref<1xf32>
    %1 = arith.mulf %0, %two : f32
    memref.store %1, %a[%i, %j] : memref<?x8xf32>
  }
  return
}

// A size that only the body knows is the item's own.
// CHECK-LABEL: func.func @dynamic_scratch
func.func private @use(memref<?xf32>)
func.func @dynamic_scratch() {
  scf.forall (%i) in (4) {
    %0 = memref.alloca(%i) : memref<?xf32>
    func.call @use(%0) : (memref<?xf32>) -> ()
  }
  return
}

// Nested loops are part of an item; two loops are two functions.
// CHECK-LABEL: func.func @two
// CHECK:       constant @two_parallel :
// CHECK:       constant @[[SECOND:two_parallel_.*]] :
// CHECK-COUNT-1: call @lattn_parallel_for
func.func @two(%a: memref<4x8xf32>, %x: f32) {
  scf.forall (%i) in (4) {
    scf.forall (%j) in (8) {
      memref.store %x, %a[%i, %j] : memref<4x8xf32>
    }
  }
  scf.forall (%i) in (4) {
    memref.store %x, %a[%i, %i] : memref<4x8xf32>
  }
  return
}

// Loops from anywhere by any step, which may have no iteration on both axes.
// CHECK-LABEL: func.func @strided
// CHECK-SAME:  (%{{[^:]+}}: {{.*}}, %{{[^:]+}}: f32, %[[L:[^:]+]]: index, %[[U:[^:]+]]: index)
// CHECK:       %[[N:.*]] = affine.apply #{{.*}}()[%[[L]], %[[U]]]
// CHECK:       %[[M:.*]] = affine.apply #{{.*}}()[%[[L]], %[[U]]]
// CHECK:       %[[ROWS:.*]] = arith.maxsi %[[N]], %c0
// CHECK:       %[[COLUMNS:.*]] = arith.maxsi %[[M]], %c0
// CHECK:       arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK:       call @lattn_parallel_for
func.func @strided(%a: memref<?x?xf32>, %x: f32, %l: index, %u: index) {
  scf.forall (%i, %j) = (%l, %l) to (%u, %u) step (1, 3) {
    memref.store %x, %a[%i, %j] : memref<?x?xf32>
  }
  return
}

// CHECK:       func.func private @scale_parallel(%[[C:[^:]+]]: !llvm.ptr, %[[BEGIN:[^:]+]]: i64, %[[END:[^:]+]]: i64)
// CHECK-DAG:   arith.constant 2.0
// CHECK-DAG:   %[[F0:.*]] = llvm.getelementptr %[[C]][0, 0]
// CHECK-DAG:   %[[X:.*]] = llvm.load %[[F0]] : !llvm.ptr -> f32
// CHECK:       %[[S:.*]] = memref.alloca() : memref<1xf32>
// CHECK-DAG:   %[[B:.*]] = arith.index_cast %[[BEGIN]]
// CHECK-DAG:   %[[E:.*]] = arith.index_cast %[[END]]
// CHECK:       scf.for %[[ITEM:.*]] = %[[B]] to %[[E]] step
// CHECK:         %[[AT:.*]]:2 = affine.delinearize_index %[[ITEM]] into (%{{.*}}, %{{.*}})
// CHECK-NOT:     memref.alloca
// CHECK:         memref.store %[[X]], %[[S]]
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[AT]]#0, %[[AT]]#1]
// CHECK:       func.func private @lattn_parallel_for(!llvm.ptr, !llvm.ptr, i64)
// CHECK:       func.func private @dynamic_scratch_parallel(
// CHECK:         scf.for
// CHECK:           memref.alloca(%{{.*}}) : memref<?xf32>
// CHECK:       func.func private @two_parallel(
// CHECK:         scf.for
// CHECK:           scf.forall
// CHECK:       func.func private @[[SECOND]](
// SERIAL:       func.func private @two_parallel(
// SERIAL-NOT:  lattn_parallel_for
