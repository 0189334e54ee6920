// The fast path for another architecture: its numbers, under emulation, against
// a reference in f64.
// REQUIRES: aarch64-qemu, slow
// RUN: lattn-opt %s --lattn-to-llvm="mtriple=aarch64-linux-gnu" \
// RUN:   | %llvm_bin/mlir-translate --mlir-to-llvmir \
// RUN:   | %llvm_bin/opt -O3 -mtriple=aarch64-linux-gnu -o %t.bc
// RUN: %llvm_bin/llc -O3 -mtriple=aarch64-linux-gnu -relocation-model=pic \
// RUN:   -filetype=obj %t.bc -o %t.o
// RUN: aarch64-linux-gnu-gcc -O2 -static -Wall -Werror %S/Inputs/driver.c %t.o \
// RUN:   -lm -o %t.exe
// RUN: qemu-aarch64 %t.exe | FileCheck %s

// CHECK:      window: ok
// CHECK-NEXT: half: ok
// CHECK-NEXT: brain: ok
// CHECK-NEXT: double: ok
// CHECK-NEXT: grouped: ok
// CHECK-NEXT: softcap: ok
// CHECK-NEXT: {{^}}long: ok
// CHECK-NOT:  {{.}}

!f32 = tensor<?x?x?x64xf32>
func.func @window(%q: !f32, %k: !f32, %v: !f32, %o: !f32) -> !f32 {
  %0 = lattn.attention query(%q : !f32) key(%k : !f32) value(%v : !f32)
      outs(%o : !f32) {window = #lattn.window<left = 20, right = 3>}
  return %0 : !f32
}

!f16 = tensor<?x?x?x40xf16>
func.func @half(%q: !f16, %k: !f16, %v: !f16, %o: !f16) -> !f16 {
  %0 = lattn.attention query(%q : !f16) key(%k : !f16) value(%v : !f16)
      outs(%o : !f16) {window = #lattn.window<right = 0>}
  return %0 : !f16
}

// Odd head sizes, and another one for values.
!bf16 = tensor<?x?x?x33xbf16>
!bf16v = tensor<?x?x?x17xbf16>
func.func @brain(%q: !bf16, %k: !bf16, %v: !bf16v, %o: !bf16v) -> !bf16v {
  %0 = lattn.attention query(%q : !bf16) key(%k : !bf16) value(%v : !bf16v)
      outs(%o : !bf16v)
  return %0 : !bf16v
}

!f64 = tensor<?x?x?x16xf64>
func.func @double(%q: !f64, %k: !f64, %v: !f64, %o: !f64) -> !f64 {
  %0 = lattn.attention query(%q : !f64) key(%k : !f64) value(%v : !f64)
      outs(%o : !f64) {window = #lattn.window<left = 7>}
  return %0 : !f64
}

func.func @grouped(%q: !f32, %k: !f32, %v: !f32, %o: !f32) -> !f32 {
  %0 = lattn.attention query(%q : !f32) key(%k : !f32) value(%v : !f32)
      outs(%o : !f32) {layout = #lattn.layout<bnhd>, window = #lattn.window<right = 0>}
  return %0 : !f32
}

func.func @softcap(%q: !f32, %k: !f32, %v: !f32, %o: !f32) -> !f32 {
  %0 = lattn.attention query(%q : !f32) key(%k : !f32) value(%v : !f32)
      outs(%o : !f32) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %tanh = math.tanh %s : f32
    %two = arith.constant 2.0 : f32
    %1 = arith.mulf %two, %tanh : f32
    lattn.yield %1 : f32
  }
  return %0 : !f32
}

// Few queries, many keys: parts of the keys, merged.
!q1 = tensor<1x2x1x64xf32>
!k1 = tensor<1x2x5000x64xf32>
func.func @long(%q: !q1, %k: !k1, %v: !k1, %o: !q1) -> !q1 {
  %0 = lattn.attention query(%q : !q1) key(%k : !k1) value(%v : !k1)
      outs(%o : !q1)
  return %0 : !q1
}
