// RUN: lattn-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{schedule query_tile must be in [1, 512], got 0}}
func.func private @schedule_c1_none() attributes {s = #lattn.schedule<query_tile = 0>}

// -----

// expected-error @+1 {{schedule query_tile must be in [1, 512], got 513}}
func.func private @schedule_c1_large() attributes {s = #lattn.schedule<query_tile = 513>}

// -----

// expected-error @+1 {{schedule key_tile must be in [1, 4096], got -9223372036854775808}}
func.func private @schedule_c1_negative() attributes {s = #lattn.schedule<key_tile = -9223372036854775808>}

// -----

// expected-error @+1 {{schedule key_tile must be in [1, 4096], got 4097}}
func.func private @schedule_c1_large_keys() attributes {s = #lattn.schedule<query_tile = 16, key_tile = 4097>}

// -----

// expected-error @+1 {{schedule fallback must have query_tile and key_tile and nothing else, got #lattn.schedule<query_tile = 64>}}
func.func private @schedule_c2_half() attributes {s = #lattn.schedule<fallback = <query_tile = 64>>}

// -----

// expected-error @+1 {{schedule fallback must have query_tile and key_tile and nothing else, got #lattn.schedule<query_tile = 64, key_tile = 64, products = dot>}}
func.func private @schedule_c2_more() attributes {s = #lattn.schedule<fallback = <query_tile = 64, key_tile = 64, products = dot>>}

// -----

// expected-error @+1 {{schedule least_queries must not be negative, got -1}}
func.func private @schedule_c4() attributes {s = #lattn.schedule<least_queries = -1>}

// -----

// expected-error @+1 {{schedule with lanes = features must have widened or dot products, got amx}}
func.func private @schedule_c3() attributes {s = #lattn.schedule<products = amx, lanes = features>}

// -----

// expected-error @+1 {{schedule with lanes = mixed must have widened products, got dot}}
func.func private @schedule_c3_mixed() attributes {s = #lattn.schedule<products = dot, lanes = mixed>}

// -----

// expected-error @+2 {{expected one of [queries, features, mixed] for}}
// expected-error @+1 {{failed to parse Lattn_ScheduleAttr parameter 'lanes'}}
func.func private @lanes() attributes {s = #lattn.schedule<lanes = keys>}

// -----

// expected-error @+2 {{expected one of [widened, dot, dot_values, amx] for}}
// expected-error @+1 {{failed to parse Lattn_ScheduleAttr parameter 'products'}}
func.func private @products() attributes {s = #lattn.schedule<products = pairs>}

// -----

!f = tensor<1x2x8x16xf32>
!b = tensor<1x2x8x16xbf16>
func.func @attention_c22_key(%f: !f, %b: !b) {
  // expected-error @+1 {{expected key of bf16 for the schedule's products = dot, got 'f32'}}
  %0 = lattn.attention query(%b : !b) key(%f : !f) value(%b : !b) outs(%b : !b)
      {schedule = #lattn.schedule<products = dot>}
  return
}

// -----

!f = tensor<1x2x8x16xf32>
func.func @attention_c22_value(%f: !f) {
  // expected-error @+1 {{expected value of bf16 for the schedule's products = dot_values, got 'f32'}}
  %0 = lattn.attention query(%f : !f) key(%f : !f) value(%f : !f) outs(%f : !f)
      {schedule = #lattn.schedule<products = dot_values>}
  return
}

// -----

!t = tensor<1x2x8x16xf32>
func.func @attention_c22_type(%t: !t) {
  // expected-error @+1 {{attribute 'schedule' failed to satisfy constraint: how attention is cut into tiles and computed}}
  %0 = lattn.attention query(%t : !t) key(%t : !t) value(%t : !t) outs(%t : !t) {schedule = 8}
  return
}

// -----

// Composite ops have no schedule.
!t = tensor<1x2x8x16xf32>
func.func @conventions_c1_local_attention(%t: !t) {
  // expected-error @+1 {{'lattn.local_attention' op has no attribute 'schedule'}}
  %0 = lattn.local_attention query(%t : !t) key(%t : !t) value(%t : !t)
      outs(%t : !t) {window_size = 4 : i64, schedule = #lattn.schedule<>}
  return
}

// -----

!t = tensor<1x2x8x16xf32>
!r = tensor<1x2x8xf32>
func.func @online_attention_c10_queries(%t: !t, %r: !r) {
  // expected-error @+1 {{expected at most 4 queries by its schedule, got 8}}
  %0:3 = lattn.online_attention query(%t : !t) key(%t : !t) value(%t : !t)
      outs(%t, %r, %r : !t, !r, !r) {schedule = #lattn.schedule<query_tile = 4>}
  return
}

// -----

!t = tensor<1x2x8x16xf32>
!r = tensor<1x2x8xf32>
func.func @online_attention_c10_keys(%t: !t, %r: !r) {
  // expected-error @+1 {{expected at most 7 keys by its schedule, got 8}}
  %0:3 = lattn.online_attention query(%t : !t) key(%t : !t) value(%t : !t)
      outs(%t, %r, %r : !t, !r, !r) {schedule = #lattn.schedule<key_tile = 7>}
  return
}

// -----

!t = tensor<1x2x8x16xf32>
!r = tensor<1x2x8xf32>
func.func @online_attention_c10_products(%t: !t, %r: !r) {
  // expected-error @+1 {{expected value of bf16 for the schedule's products = amx, got 'f32'}}
  %0:3 = lattn.online_attention query(%t : !t) key(%t : !t) value(%t : !t)
      outs(%t, %r, %r : !t, !r, !r) {schedule = #lattn.schedule<products = amx>}
  return
}
