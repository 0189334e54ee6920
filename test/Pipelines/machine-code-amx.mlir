// With AMX the products of bf16 are of tiles, whose sums stay in tile registers.

// RUN: lattn-opt %s --lattn-to-llvm="mtriple=x86_64-linux-gnu mcpu=sapphirerapids parallel=false" \
// RUN:   | %llvm_bin/mlir-translate --mlir-to-llvmir \
// RUN:   | %llvm_bin/opt -O3 -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids \
// RUN:   | %llvm_bin/llc -O3 -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t --check-prefix=SPILLS
// RUN: %python %S/Inputs/inner_loops.py amx < %t | FileCheck %s --check-prefix=CALLS

// The system is asked before anything else.
// CHECK-LABEL: {{^}}attention:
// CHECK-NOT:     mm{{[0-9]}}
// CHECK:         call{{.*}} lattn_request_tile_data
// The kernel configures tiles once; loops load two of each side for four products.
// CHECK-LABEL: {{^}}lattn_online_attention{{.*}}:
// CHECK:         ldtilecfg
// CHECK:         tilezero
// CHECK-COUNT-3: tileloadd
// CHECK-COUNT-2: tdpbf16ps
// CHECK:         tileloadd
// CHECK-NEXT:    tdpbf16ps
// CHECK-NEXT:    tdpbf16ps
// CHECK:         tilestored
// CHECK:         vcvtne{{2?}}ps2bf16
// CHECK:         tdpbf16ps
// CHECK:         tilerelease

// SPILLS-NOT: tmm{{.*(Spill|Reload)}}
// CALLS:      loop of 40 FMAs, 0 spills
// CALLS-NOT:  {{[1-9]}} spills
// CALLS:      calls: lattn_request_tile_data malloc memset{{$}}

!t = tensor<?x?x?x64xbf16>
func.func @attention(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
      {window = #lattn.window<left = 256, right = 0>, schedule = #lattn.schedule<lanes = queries>}
  return %0 : !t
}

// Odd sizes, and a d of so many steps that they stay a loop.
!w = tensor<?x?x?x301xbf16>
!x = tensor<?x?x?x37xbf16>
func.func @wide(%q: !w, %k: !w, %v: !x, %o: !x) -> !x {
  %0 = lattn.attention query(%q : !w) key(%k : !w) value(%v : !x) outs(%o : !x)
      {schedule = #lattn.schedule<lanes = queries>}
  return %0 : !x
}
