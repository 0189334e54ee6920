// What a program checks when it runs is in its launch record.

// REQUIRES: slow
// RUN: lattn-compile %s --emit=ptx -o %t.ptx --launch-record=%t.json --chip=sm_80
// RUN: FileCheck %s < %t.json
// CHECK: "checks": [
// CHECK-NEXT: {
// CHECK-NEXT: "expected": [
// CHECK-NEXT: "==",
// CHECK: "rem",
// CHECK: "size",
// CHECK-NEXT: "query",
// CHECK-NEXT: 2
// CHECK: "message": "lattn.local_attention: expected a sequence length divisible by the window's 16 without autopad"

!t = memref<1x2x?x32xf16>
func.func @attend(%q: !t {lattn.name = "query"}, %o: !t {lattn.name = "out"}) {
  lattn.local_attention query(%q : !t) key(%q : !t) value(%q : !t) outs(%o : !t)
      {window_size = 16 : i64, causal}
  return
}
