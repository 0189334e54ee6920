// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32" | FileCheck %s --check-prefixes=CHECK,WIDENED
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot" | FileCheck %s --check-prefixes=CHECK,DOT
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot amx" | FileCheck %s --check-prefixes=CHECK,WIDENED
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot" --lattn-tile-grad | FileCheck %s --check-prefix=TILED
// RUN: sed s/widened/dot/ %s | not lattn-opt --lattn-choose-tiles 2>&1 | FileCheck %s --check-prefix=LACKS

// Gradients of bf16 are dot products, in longer steps, where the CPU has them but no
// tiles of AMX, and d_output is bf16, too. Tangents have no such kernel.

!q = tensor<1x8x?x64xbf16>
!w = tensor<1x8x?x64xf32>
!l = tensor<1x8x?xf32>

// CHECK-LABEL: @gradients(
// WIDENED:     lattn.attention_grad {{.*}}schedule = #lattn.schedule<query_tile = 16, key_tile = 64>
// DOT:         lattn.attention_grad {{.*}}schedule = #lattn.schedule<query_tile = 16, key_tile = 128, products = dot>
// TILED-LABEL: @gradients(
// TILED:       lattn.pack_query {{.*}} outs(%{{.*}} : tensor<64x16xbf16>)
// TILED:       lattn.pack_query {{.*}} outs(%{{.*}} : tensor<64x16xbf16>)
// TILED:       lattn.attention_grad_step {{.*}} packed(%{{.*}} : tensor<64x16xbf16>, tensor<64x16xbf16>) {{.*}}products = dot
func.func @gradients(%q: !q, %k: !q, %v: !q, %o: !q, %l: !l, %do: !q) -> (!q, !q, !q) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !q) value(%v : !q) output(%o : !q) lse(%l : !l)
      d_output(%do : !q) outs(%q, %k, %v : !q, !q, !q) {window = #lattn.window<left = 256, right = 0>}
  return %0#0, %0#1, %0#2 : !q, !q, !q
}

// CHECK-LABEL: @wide_d_output(
// CHECK:       lattn.attention_grad {{.*}}schedule = #lattn.schedule<query_tile = 16, key_tile = 64>
func.func @wide_d_output(%q: !q, %k: !q, %v: !q, %o: !q, %l: !l, %do: !w) -> (!q, !q, !q) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !q) value(%v : !q) output(%o : !q) lse(%l : !l)
      d_output(%do : !w) outs(%q, %k, %v : !q, !q, !q) {window = #lattn.window<left = 256, right = 0>}
  return %0#0, %0#1, %0#2 : !q, !q, !q
}

// CHECK-LABEL: @asks(
// CHECK:       lattn.attention_grad {{.*}}products = widened
// LACKS:       error: the schedule asks for products = dot, which the target does not have
func.func @asks(%q: !q, %k: !q, %v: !q, %o: !q, %l: !l, %do: !q) -> (!q, !q, !q) {
  %0:3 = lattn.attention_grad query(%q : !q) key(%k : !q) value(%v : !q) output(%o : !q) lse(%l : !l)
      d_output(%do : !q) outs(%q, %k, %v : !q, !q, !q) {schedule = #lattn.schedule<products = widened>}
  return %0#0, %0#1, %0#2 : !q, !q, !q
}

// CHECK-LABEL: @tangents(
// CHECK:       lattn.attention_jvp
// CHECK-NOT:   products
func.func @tangents(%q: !q, %k: !q, %v: !q, %l: !l) -> (!q, !q) {
  %0:4 = lattn.attention_jvp query(%q : !q) key(%k : !q) value(%v : !q) d_query(%q : !q)
      outs(%q, %l, %q, %l : !q, !l, !q, !l) {window = #lattn.window<left = 256, right = 0>}
  return %0#0, %0#2 : !q, !q
}
