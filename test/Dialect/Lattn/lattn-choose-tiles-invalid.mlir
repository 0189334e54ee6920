// RUN: lattn-opt %s --split-input-file --verify-diagnostics --lattn-choose-tiles
// RUN: not lattn-opt %s --split-input-file --lattn-choose-tiles="query-tile=4096" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not lattn-opt %s --split-input-file --lattn-choose-tiles="key-tile=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not lattn-opt %s --split-input-file --lattn-choose-tiles="vector-bits=131072 bf16-dot amx" 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not lattn-opt %s --split-input-file --lattn-choose-tiles="bf16-dot" 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not lattn-opt -split-input-file %s --lattn-choose-tiles="tuned=f32=32" 2>&1 | FileCheck %s
// RUN: not lattn-opt -split-input-file %s --lattn-choose-tiles="tuned=f32=32x0" 2>&1 | FileCheck %s
// RUN: not lattn-opt -split-input-file %s --lattn-choose-tiles="tuned==1x1" 2>&1 | FileCheck %s
// CHECK: error: lattn-choose-tiles: tuned: expected KERNEL=QUERIESxKEYS such as f32.bhnd.d64.v64=16x48, got '{{f32=32|f32=32x0|=1x1}}'
// LARGE: error: lattn-choose-tiles: expected tiles of 1 to 512 queries and 1 to 4096 keys, or 0 for those to choose, got query-tile=4096 key-tile=0
// NEGATIVE: error: lattn-choose-tiles: {{.*}} got query-tile=0 key-tile=-1
// VECTOR: error: expected a query tile of at most 512, got 4096, in vectors of 4096 queries in 'f32'

// What the target does not have is no silent choice of something else.
// DOT: error: the schedule asks for products = amx, which the target does not have
!b = tensor<1x8x?x64xbf16>
func.func @amx(%q: !b, %k: !b, %v: !b, %o: !b) -> !b {
  // expected-error @below {{the schedule asks for products = amx, which the target does not have}}
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !b) outs(%o : !b) {schedule = #lattn.schedule<products = amx>}
  return %0 : !b
}

// -----

!f = tensor<1x8x?x64xf32>
!b = tensor<1x8x?x64xbf16>
func.func @dot_values(%q: !f, %k: !f, %v: !b, %o: !b) -> !b {
  // expected-error @below {{the schedule asks for products = dot_values, which the target does not have}}
  %0 = lattn.attention query(%q : !f) key(%k : !f) value(%v : !b) outs(%o : !b) {schedule = #lattn.schedule<products = dot_values>}
  return %0 : !b
}
