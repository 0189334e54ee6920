// RUN: lattn-opt %s -verify-roundtrip | FileCheck %s

// Parameters print in one order; absent ones are left out.
// CHECK: @empty() attributes {s = #lattn.schedule<>}
func.func private @empty() attributes {s = #lattn.schedule<>}
// CHECK: @queries() attributes {s = #lattn.schedule<query_tile = 512>}
func.func private @queries() attributes {s = #lattn.schedule<query_tile = 512>}
// CHECK: @keys() attributes {s = #lattn.schedule<key_tile = 4096>}
func.func private @keys() attributes {s = #lattn.schedule<key_tile = 4096>}
// CHECK: @all() attributes {s = #lattn.schedule<query_tile = 16, key_tile = 72, products = amx, fallback = <query_tile = 64, key_tile = 32>>}
func.func private @all() attributes {s = #lattn.schedule<fallback = <key_tile = 32, query_tile = 64>, products = amx, key_tile = 72, query_tile = 16>}
// CHECK: @lanes() attributes {a = #lattn.schedule<query_tile = 4, lanes = features>, b = #lattn.schedule<products = dot, lanes = queries>, c = #lattn.schedule<lanes = mixed>}
func.func private @lanes() attributes {a = #lattn.schedule<query_tile = 4, lanes = features>, b = #lattn.schedule<lanes = queries, products = dot>, c = #lattn.schedule<lanes = mixed>}
// CHECK: @products() attributes {a = #lattn.schedule<products = widened>, b = #lattn.schedule<products = dot>, c = #lattn.schedule<products = dot_values>}
func.func private @products() attributes {a = #lattn.schedule<products = widened>, b = #lattn.schedule<products = dot>, c = #lattn.schedule<products = dot_values>}

!q = tensor<1x2x16x8xbf16>
!acc = tensor<1x2x16x8xf32>
!r = tensor<1x2x16xf32>
// CHECK-LABEL: @ops(
// CHECK: lattn.attention {{.*}} {schedule = #lattn.schedule<query_tile = 8>}
// CHECK: lattn.online_attention {{.*}} {schedule = #lattn.schedule<query_tile = 16, key_tile = 16, products = dot>}
func.func @ops(%q: !q, %acc: !acc, %r: !r) -> (!q, !acc) {
  %0 = lattn.attention query(%q : !q) key(%q : !q) value(%q : !q) outs(%q : !q)
      {schedule = #lattn.schedule<query_tile = 8>}
  %1:3 = lattn.online_attention query(%q : !q) key(%q : !q) value(%q : !q)
      outs(%acc, %r, %r : !acc, !r, !r)
      {schedule = #lattn.schedule<query_tile = 16, key_tile = 16, products = dot>}
  return %0, %1#0 : !q, !acc
}
