// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot amx" | FileCheck %s
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot" | FileCheck %s --check-prefix=PAIRS
// RUN: lattn-opt %s --lattn-choose-tiles="vector-bits=512 registers=32 bf16-dot amx" --lattn-tile | FileCheck %s --check-prefix=TILED

// PAIRS-NOT: bf16_amx

// Packing is paid for by many queries, and steps of whole tiles are made.
// CHECK-LABEL: func.func @window
// CHECK:       lattn.attention {{.*}}{lattn.bf16_amx, lattn.bf16_pairs, lattn.key_tile = 64 : i64, lattn.query_tile = 64 : i64
// TILED-LABEL: func.func @window
// TILED-COUNT-3: lattn.online_attention {{.*}} lattn.bf16_amx
!b = tensor<1x8x?x64xbf16>
func.func @window(%q: !b, %k: !b, %v: !b, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !b
}

// A tile would be mostly padding.
// CHECK-LABEL: func.func @small
// CHECK-NOT:   bf16_amx
!s = tensor<1x8x16x2xbf16>
func.func @small(%q: !s, %k: !s, %v: !s, %o: !s) -> !s {
  %0 = lattn.attention query(%q : !s) key(%k : !s) value(%v : !s) outs(%o : !s)
  return %0 : !s
}

// Nor of f32.
// CHECK-LABEL: func.func @wide
// CHECK-NOT:   bf16_amx
!f = tensor<1x8x?x64xf32>
func.func @wide(%q: !f, %k: !f, %v: !f, %o: !f) -> !f {
  %0 = lattn.attention query(%q : !f) key(%k : !f) value(%v : !f) outs(%o : !f)
  return %0 : !f
}

// Nor with values of f32.
// CHECK-LABEL: func.func @wide_values
// CHECK-NOT:   bf16_amx
func.func @wide_values(%q: !b, %k: !b, %v: !f, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !b) key(%k : !b) value(%v : !f) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>}
  return %0 : !b
}

// Rows that were turned are wide: their values go by pairs all the same.
// CHECK-LABEL: func.func @turned
// CHECK-NOT:   bf16_amx
// CHECK:       lattn.bf16_values
// TILED-LABEL: func.func @turned
// TILED:       lattn.pack_query {{.*}} : tensor<64x{{.*}}xf32>) {scale = 1.250000e-01 : f64}
// TILED-COUNT-3: lattn.online_attention {{.*}} lattn.bf16_values
func.func @turned(%q: !f, %k: !f, %v: !b, %o: !b) -> !b {
  %0 = lattn.attention query(%q : !f) key(%k : !f) value(%v : !b) outs(%o : !b)
      {window = #lattn.window<left = 256, right = 0>, lattn.bf16_values}
  return %0 : !b
}
