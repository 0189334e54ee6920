// Only functions with an op of the given name or dialect go through the pipeline.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{ops=math.absf,ub pipeline=func.func(canonicalize)})" | FileCheck %s

// A module does if one of its functions has such an op.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{ops=ub pipeline=builtin.module(symbol-dce)})" | FileCheck %s --check-prefix=MODULE
// RUN: lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{ops=complex pipeline=builtin.module(symbol-dce)})" | FileCheck %s --check-prefix=NONE

// It is printed so that it can be read.
// RUN: lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{ops=math.absf,ub pipeline=func.func(canonicalize)})" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINTED

// RUN: not lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{ops=ub pipeline=func.func(none)})" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{ops=ub})" 2>&1 | FileCheck %s --check-prefix=EMPTY

// RUN: not lattn-opt %s --pass-pipeline="builtin.module(lattn-run-where{pipeline=func.func(cse)})" 2>&1 | FileCheck %s --check-prefix=NO-OPS

// NO-OPS: lattn-run-where: ops: expected names of ops or of dialects
// PRINTED: lattn-run-where{ops={math.absf,ub} pipeline=func.func(canonicalize
// UNKNOWN: lattn-run-where: pipeline: {{.*}}'none' does not refer to a registered pass
// EMPTY: lattn-run-where: pipeline: expected passes in an anchor, as func.func(canonicalize)

// CHECK-LABEL: func.func @of_op
// CHECK-NOT:   arith.addi
// CHECK-LABEL: func.func @of_other_op
// CHECK:       arith.addi
// CHECK:       math.sqrt
// CHECK-LABEL: func.func @of_dialect
// CHECK-NOT:   arith.addi
// CHECK-LABEL: func.func private @unused
// MODULE-NOT:  @unused
// NONE:        @unused
func.func @of_op(%x: f32, %i: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %i, %c0 : index
  %1 = math.absf %x : f32
  return %1, %0 : f32, index
}

func.func @of_other_op(%x: f32, %i: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %i, %c0 : index
  %1 = math.sqrt %x : f32
  return %1, %0 : f32, index
}

func.func @of_dialect(%i: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %i, %c0 : index
  %1 = ub.poison : index
  return %0, %1 : index, index
}

func.func private @unused() {
  return
}
