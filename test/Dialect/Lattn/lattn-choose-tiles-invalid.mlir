// RUN: lattn-opt %s --split-input-file --verify-diagnostics --lattn-choose-tiles
// RUN: not lattn-opt -split-input-file %s --lattn-choose-tiles="tuned=f32=32" 2>&1 | FileCheck %s
// RUN: not lattn-opt -split-input-file %s --lattn-choose-tiles="tuned=f32=32x0" 2>&1 | FileCheck %s
// RUN: not lattn-opt -split-input-file %s --lattn-choose-tiles="tuned==1x1" 2>&1 | FileCheck %s
// CHECK: error: lattn-choose-tiles: tuned: expected KERNEL=QUERIESxKEYS such as f32.bhnd.d64.v64=16x48, got '{{f32=32|f32=32x0|=1x1}}'

!t = tensor<1x8x?x64xf32>
func.func @large(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  // expected-error @below {{expected lattn.query_tile of 1 to 512 and lattn.key_tile of 1 to 4096, both integers, got 513 : i64 and 40 : i64}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {lattn.query_tile = 513, lattn.key_tile = 40}
  return %0 : !t
}

// -----

!t = tensor<1x8x?x64xf32>
func.func @half(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  // expected-error @below {{both integers, got 16 : i64 and}}
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t) {lattn.query_tile = 16}
  return %0 : !t
}
