// RUN: lattn-opt %s --convert-lattn-to-vector -canonicalize -cse | FileCheck %s

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// What does not change along a row is computed once for it; math becomes
// polynomials; the last lanes of a row are masked.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME:    %[[X:[^:]+]]: memref<?x?xf32>, %[[S:[^:]+]]: memref<?xf32>
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[T:.*]] = memref.load %[[S]][%[[I]]]
// CHECK:         math.rsqrt %[[T]] : f32
// CHECK:         scf.for %[[J:.*]] =
// CHECK:           vector.load %[[X]][%[[I]], %[[J]]] : memref<?x?xf32>, vector<8xf32>
// CHECK-NOT:       math.exp
// CHECK:           vector.store
// CHECK:         %[[MASK:.*]] = vector.create_mask
// CHECK:         vector.maskedload %[[X]][{{.*}}], %[[MASK]]
// CHECK:         vector.maskedstore
func.func @elementwise(%x: memref<?x?xf32>, %s: memref<?xf32>, %y: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%v: f32, %t: f32, %o: f32):
    %0 = math.rsqrt %t : f32
    %1 = math.exp %v : f32
    %2 = arith.mulf %1, %0 : f32
    linalg.yield %2 : f32
  }
  return
}

// Partial sums of lanes, combined after the row. 24 are three whole vectors.
// CHECK-LABEL: func.func @sum(
// CHECK:       scf.for
// CHECK:         %[[SUMS:.*]] = scf.for {{.*}} iter_args(
// CHECK:           vector.load
// CHECK:           arith.addf {{.*}} : vector<8xf32>
// CHECK-NOT:     mask
// CHECK:         vector.reduction <add>, %[[SUMS]], %{{.*}} fastmath<reassoc> : vector<8xf32> into f32
func.func @sum(%x: memref<?x24xf32>, %s: memref<?xf32>) {
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x24xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.addf %v, %o : f32
    linalg.yield %0 : f32
  }
  return
}

// Several sums read a row once; products are added by FMAs.
// CHECK-LABEL: func.func @sums(
// CHECK:         %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(
// CHECK:           vector.load
// CHECK-NOT:       vector.load
// CHECK:           vector.fma {{.*}} : vector<8xf32>
// CHECK:           arith.maximumf {{.*}} : vector<8xf32>
// CHECK:         vector.reduction <add>, %[[SUMS]]#0
// CHECK:         vector.reduction <maximumf>, %[[SUMS]]#1
func.func @sums(%x: memref<?x24xf32>, %s: memref<?xf32>, %most: memref<?xf32>) {
  linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x24xf32>) outs(%s, %most : memref<?xf32>, memref<?xf32>) {
  ^bb0(%v: f32, %o: f32, %m: f32):
    %square = arith.mulf %v, %v : f32
    %0 = arith.addf %square, %o : f32
    %1 = arith.maximumf %v, %m : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}

// Rows of a stride that is not known: vectors if it is 1.
// CHECK-LABEL: func.func @strided(
// CHECK:       %[[UNIT:.*]] = arith.cmpi eq
// CHECK:       scf.if %[[UNIT]]
// CHECK:         vector.load
// CHECK:       else
// CHECK:         linalg.exp
!strided = memref<?x?xf32, strided<[?, ?], offset: ?>>
func.func @strided(%x: !strided, %y: memref<?x?xf32>) {
  linalg.exp ins(%x : !strided) outs(%y : memref<?x?xf32>)
  return
}

// No vectors: columns of one operand are rows of the other, a body that could
// divide by zero beyond a row, a function without an approximation that holds
// for all arguments, bits, a copy.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:   vector
// CHECK:       return
func.func @others(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %i: memref<8xi32>, %b: memref<8xi1>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = arith.negf %v : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : memref<8xi32>) outs(%i : memref<8xi32>) {
  ^bb0(%v: i32, %o: i32):
    %0 = arith.divsi %v, %v : i32
    linalg.yield %0 : i32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %0 = math.sin %v : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%b : memref<8xi1>) outs(%b : memref<8xi1>) {
  ^bb0(%v: i1, %o: i1):
    %0 = arith.andi %v, %o : i1
    linalg.yield %0 : i1
  }
  linalg.copy ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}
