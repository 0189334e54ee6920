// RUN: lattn-opt %s --lattn-hide-private | FileCheck %s
// RUN: lattn-opt %s --lattn-to-llvm | FileCheck %s --check-prefix=ALL
// RUN: lattn-opt %s --lattn-to-loops | FileCheck %s --check-prefix=ALL

// CHECK: llvm.func internal @helper() attributes {sym_visibility = "private"}
llvm.func @helper() attributes {sym_visibility = "private"} {
  llvm.return
}

// CHECK: llvm.func @elsewhere() attributes {sym_visibility = "private"}
llvm.func @elsewhere() attributes {sym_visibility = "private"}

// CHECK: llvm.func weak @override() attributes {sym_visibility = "private"}
llvm.func weak @override() attributes {sym_visibility = "private"} {
  llvm.return
}

// CHECK: llvm.func @visible() {
llvm.func @visible() {
  llvm.return
}

// Loops' bodies and what C would call, too.
// ALL-DAG: llvm.func internal @twice(
// ALL-DAG: llvm.func internal @_mlir_ciface_twice(
// ALL-DAG: llvm.func @fill(
// ALL-DAG: llvm.func @_mlir_ciface_fill(
// ALL-NOT: llvm.func @fill_parallel
func.func private @twice(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

func.func @fill(%a: memref<?xf32>, %x: f32, %n: index) {
  %y = call @twice(%x) : (f32) -> f32
  scf.forall (%i) in (%n) {
    memref.store %y, %a[%i] : memref<?xf32>
  }
  return
}
