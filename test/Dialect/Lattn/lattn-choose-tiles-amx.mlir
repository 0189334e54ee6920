// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot amx" | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot" | FileCheck %s --check-prefix=PAIRS
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot amx" --lattn-tile | FileCheck %s --check-prefix=TILED

// PAIRS-NOT: amx

// Packing is paid for by many queries, and steps of whole tiles are made.
// CHECK-LABEL: func.func @window
// CHECK:       lattn.attention {{.*}}{schedule = #lattn.schedule<query_tile = 64, key_tile = 64, products = amx>
// TILED-LABEL: func.func @window
// TILED:         lattn.online_attention {{.*}} schedule = #lattn.schedule<query_tile = 64, key_tile = 64, products = amx>
!b = tensor<1x8x?x64xbf16>
func.func @window(%q: !b, %k: !b, %v: !b, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !b
}

// A tile would be mostly padding. CPUs with AMX make twice as many products by FMAs
// as by dot products.
// CHECK-LABEL: func.func @small
// CHECK:       products = widened>
!s = tensor<1x8x16x2xbf16>
func.func @small(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s) outs(%o : !s)
  return %0 : !s
}

// Nor pays a short window for the packing.
// CHECK-LABEL: func.func @short
// CHECK-NOT:   products
// CHECK:       lanes = mixed>
func.func @short(%q: !b, %k: !b, %v: !b, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 16, right = 0>}
  return %0 : !b
}

// Nor of f32.
// CHECK-LABEL: func.func @wide
// CHECK-NOT:   products = amx
!f = tensor<1x8x?x64xf32>
func.func @wide(%q: !f, %k: !f, %v: !f, %o: !f) -> !f {
  %0 = lattn.attention query(%q : !f) key(%k : !f) value(%v : !f) outs(%o : !f)
  return %0 : !f
}

// Nor with values of f32.
// CHECK-LABEL: func.func @wide_values
// CHECK-NOT:   products = amx
func.func @wide_values(%q: !b, %k: !b, %v: !f, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !f) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !b
}

// Rows that were turned are wide: their values go by pairs all the same.
// CHECK-LABEL: func.func @turned
// CHECK-NOT:   products = amx
// CHECK:       products = dot_values>
// TILED-LABEL: func.func @turned
// TILED:       lattn.pack_query {{.*}} : tensor<64x{{.*}}xf32>) {scale = 1.250000e-01 : f64}
// TILED:         lattn.online_attention {{.*}} products = dot_values>
func.func @turned(%q: !f, %k: !f, %v: !b, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !f) key(%k : !f) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>, schedule = #lattn.schedule<products = dot_values>}
  return %0 : !b
}

// What a schedule says already stays, where tiles are cheaper too.
// CHECK-LABEL: func.func @given
// CHECK:       products = dot>
// CHECK:       products = widened, lanes = mixed>
// TILED-LABEL: func.func @given
// TILED:       lattn.pack_query {{.*}}xbf16>) {scale = 1.0
// TILED:         lattn.online_attention {{.*}} products = dot>
// TILED:       lattn.pack_query {{.*}}xf32>) {scale = 1.250000e-01 : f64}
// TILED:         lattn.online_attention {{.*}} products = widened, lanes = mixed>
func.func @given(%q: !b, %k: !b, %v: !b, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>, schedule = #lattn.schedule<products = dot>}
  %1 = lattn.attention query(%0 : !b) key(%k : !b) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>, schedule = #lattn.schedule<products = widened>}
  return %1 : !b
}
