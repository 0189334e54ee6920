// RUN: lattn-opt %s --lattn-fuse-rows -canonicalize -cse -verify-diagnostics | FileCheck %s

!x = tensor<4096x512xf32>
!s = tensor<4096xf32>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Chains without a product, too; of ops with several results, all that others
// read are returned. What a block reads twice, stays in an eighth of L2.
// CHECK-LABEL: func.func @several(
// CHECK:       %[[LOOP:.*]]:3 = scf.forall (%{{.*}}) in (137) shared_outs(%[[Y:.*]] = %{{.*}}, %[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %{{.*}} : tensor<4096x512xf32> to tensor<?x512xf32>
// CHECK:         tensor.empty() : tensor<30xf32>
// CHECK:         %[[SUMS:.*]]:2 = linalg.generic {{.*}} ins(%[[ROWS]] :
// CHECK:         %[[EACH:.*]]:2 = linalg.generic {{.*}} ins(%[[SUMS]]#0, %[[SUMS]]#1 :
// CHECK:         %[[LAST:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[EACH]]#1 :
// CHECK:         tensor.parallel_insert_slice %[[LAST]] into %[[Y]]
// CHECK:         tensor.parallel_insert_slice %[[EACH]]#0 into %[[A]]
// CHECK:         tensor.parallel_insert_slice %[[EACH]]#1 into %[[B]]
// CHECK:       return %[[LOOP]]#0, %[[LOOP]]#1, %[[LOOP]]#2
func.func @several(%x: !x, %y: !x, %a: !s, %b: !s) -> (!x, !s, !s) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !s
  %f = tensor.empty() : !s
  %start = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
  %start_f = linalg.fill ins(%zero : f32) outs(%f : !s) -> !s
  %sums:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : !x) outs(%start, %start_f : !s, !s) {
  ^bb0(%v: f32, %p: f32, %q: f32):
    %0 = arith.mulf %v, %v : f32
    %1 = arith.addf %p, %0 : f32
    %2 = arith.addf %q, %v : f32
    linalg.yield %1, %2 : f32, f32
  } -> (!s, !s)
  %each:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%sums#0, %sums#1 : !s, !s) outs(%a, %b : !s, !s) {
  ^bb0(%p: f32, %q: f32, %0: f32, %1: f32):
    %2 = math.sqrt %p : f32
    %3 = arith.divf %q, %2 : f32
    linalg.yield %2, %3 : f32, f32
  } -> (!s, !s)
  %last = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %each#1 : !x, !s) outs(%y : !x) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %0 = arith.mulf %v, %w : f32
    linalg.yield %0 : f32
  } -> !x
  return %last, %each#0, %each#1 : !x, !s, !s
}

// One op has blocks as well; a fill alone, and few rows, have none.
// CHECK-LABEL: func.func @alone(
// CHECK:       linalg.fill
// CHECK:       linalg.exp
// CHECK:       scf.forall (
// CHECK:         linalg.exp
// CHECK-NOT:   scf.forall (
func.func @alone(%x: !x, %y: !x, %z: tensor<4x512xf32>) -> (!x, !x, tensor<4x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%y : !x) -> !x
  %1 = linalg.exp ins(%z : tensor<4x512xf32>) outs(%z : tensor<4x512xf32>) -> tensor<4x512xf32>
  %2 = linalg.exp ins(%x : !x) outs(%x : !x) -> !x
  return %0, %2, %1 : !x, !x, tensor<4x512xf32>
}

// Sums of nothing have none: upstream's tiling crashes on loops of no iterations.
// CHECK-LABEL: func.func @sums_of_nothing(
// CHECK:       linalg.generic
// CHECK:       scf.forall (
// CHECK-NOT:     linalg.generic {{.*}} ins(%{{.*}} : tensor<0xf32>)
func.func @sums_of_nothing(%none: tensor<0xf32>, %s: !s, %x: !x, %y: !x) -> !x {
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%none : tensor<0xf32>) outs(%s : !s) {
  ^bb0(%v: f32, %p: f32):
    %0 = arith.addf %p, %v : f32
    linalg.yield %0 : f32
  } -> !s
  %last = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : !x, !s) outs(%y : !x) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %0 = arith.mulf %v, %w : f32
    linalg.yield %0 : f32
  } -> !x
  return %last : !x
}
