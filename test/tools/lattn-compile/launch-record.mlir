// How kernels are launched, as data: --launch-record, and --gpu-options.

// REQUIRES: slow
// RUN: lattn-compile %s --emit=ptx -o %t.ptx --launch-record=%t.json --gpu-options='query-tile=128 warps=8'
// RUN: FileCheck %s < %t.json
// CHECK: "chip": "sm_80"
// CHECK: "functions": [
// CHECK: "element": "f16",
// CHECK-NEXT: "name": "query",
// CHECK-NEXT: "sizes": [
// CHECK-NEXT: null,
// CHECK: 64
// CHECK: "element": "i64",
// CHECK-NEXT: "name": "offset"
// CHECK: "buffers": [
// CHECK: "bytes": [
// CHECK: "name": "buffer0"
// CHECK: "block": [
// CHECK-NEXT: 256,
// CHECK: "kernel": "attend
// CHECK: "pointer",
// CHECK-NEXT: "query"
// CHECK: "stride",
// CHECK-NEXT: "query",
// CHECK: "scalar",
// CHECK-NEXT: "offset"
// CHECK: "number",
// CHECK: "numbers": [
// CHECK: "ceildiv",
// CHECK: "results": [
// CHECK: "array": "buffer0"

// DEFINE: %{run} = not lattn-compile %s -o %t.none
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: rm -f %t.none
// RUN: %{run} --emit=ptx --gpu-options='warps=many' 2>&1 | %{check}=NUMBER
// NUMBER: lattn-compile: error: --gpu-options: expected options of lattn-to-nvvm, got 'warps=many'
// RUN: %{run} --emit=ptx --gpu-options='nothing=1' 2>&1 | %{check}=NAME
// NAME: lattn-compile: error: --gpu-options: {{.*}}no such option nothing
// RUN: %{run} --emit=ptx --gpu-options='chip=sm_80' 2>&1 | %{check}=CHIP
// CHIP: lattn-compile: error: --gpu-options: expected the chip in --chip
// RUN: %{run} --gpu-options='warps=8' 2>&1 | %{check}=HOST
// HOST: lattn-compile: error: --gpu-options: --emit=obj is for the host
// RUN: %{run} --launch-record=%t.none 2>&1 | %{check}=RECORD
// RECORD: lattn-compile: error: --launch-record: --emit=obj is for the host
// RUN: %{run} --emit=ptx --gpu-options='query-tile=100' 2>&1 | %{check}=TILE
// TILE: lattn-compile: error: {{.*}}expected a multiple of 64 queries a tile
// RUN: not ls %t.none

!t = tensor<?x?x?x64xf16>
func.func @attend(%q: !t {lattn.name = "query"}, %k: !t {lattn.name = "key"},
                  %v: !t {lattn.name = "value"},
                  %offset: i64 {lattn.name = "offset"}) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %h = tensor.dim %q, %c1 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %h, %n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      offset(%offset : i64) outs(%e : !t)
      {window = #lattn.window<left = 100, right = 0>}
  return %0 : !t
}
