// REQUIRES: slow
// RUN: rm -rf %t
// DEFINE: %{run} = lattn-run %s --entry=window --random=1 --cache=%t/c
// DEFINE: %{check} = FileCheck %s --check-prefix

// All sizes are timed, and one is chosen.
// RUN: %{run} --tune | %{check}=TABLE
// TABLE:      kernel f32.bhnd.d16.v16.n40.m80.window-left-8-right-0
// TABLE-NEXT: {{^ +}}queries{{ +}}keys{{ +}}ms{{ +}}% of peak{{$}}
// TABLE-NEXT: {{^ +[0-9]+ +[0-9]+ +[0-9.e-]+ +[0-9.e-]+}}  cost model
// TABLE-NEXT: {{^ +[0-9]+ +[0-9]+ +[0-9.e-]+ +[0-9.e-]+}}
// TABLE:      tile sizes             kept in {{.*/c/tuned-.*-[0-9a-f]+\.json$}}
// TABLE:      entry                  window
// RUN: %{run} --tune | grep -c chosen | count 1
// RUN: %{run} --tune --format=json | %{check}=JSON
// JSON:       {{^}}{
// JSON:         "tuning": [
// JSON-NEXT:      {
// JSON-NEXT:        "kernel": "f32.bhnd.d16.v16.n40.m80.window-left-8-right-0",
// JSON:             "chosen": {{true|false}},
// JSON-NEXT:        "cost_model": true,
// JSON-NEXT:        "keys": {{[0-9]+}},
// JSON-NEXT:        "queries": {{[0-9]+}},
// JSON-NEXT:        "seconds": {{[0-9.e-]+}},
// JSON-NEXT:        "share_of_peak": {{[0-9.e-]+}}
// RUN: cat %t/c/tuned-*.json | %{check}=FILE
// FILE:       "kernel": "f32.bhnd.d16.v16.n40.m80.window-left-8-right-0",
// FILE-NEXT:  "milliseconds": {{[0-9.e-]+}},
// FILE-NEXT:  "model_milliseconds": {{[0-9.e-]+}},
// FILE-NOT:   "kernel"
// FILE:       "lattn": "{{[0-9.]+}}",

// Later programs of the same kernel have them.
// RUN: %{run} --explain | %{check}=KEPT
// KEPT: loaded from the cache
// KEPT: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys, as measured
// RUN: sed -i 's/"queries": [0-9]*/"queries": 32/; s/"keys": [0-9]*/"keys": 56/' %t/c/tuned-*.json
// RUN: %{run} --explain --verify-loops | %{check}=EDITED
// EDITED: compile time {{[0-9.]+ [mu]?s$}}
// EDITED: out0 agrees with lattn-to-loops
// EDITED: tiles                32 queries, 56 keys, as measured
// RUN: %{run} --explain | %{check}=AGAIN
// AGAIN: loaded from the cache
// AGAIN: tiles                32 queries, 56 keys, as measured

// Others have not: without a cache, of another kernel, for another target, where
// sizes are asked for.
// RUN: lattn-run %s --entry=window --random=1 --cache=off --explain | %{check}=MODEL
// RUN: lattn-run %s --entry=larger --random=1 --cache=%t/c --explain | %{check}=MODEL
// RUN: %{run} --mattr=-f16c --explain | %{check}=MODEL
// RUN: %{run} --query-tile=8 --explain | %{check}=MODEL
// MODEL: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys{{$}}

// What the source says itself is not searched.
// RUN: not lattn-run %s --entry=given --random=1 --cache=off --tune 2>&1 | %{check}=GIVEN
// GIVEN: lattn-run: error: --tune: no attention in 'given' whose tile sizes are open

// Without a cache the search serves this run alone.
// RUN: lattn-run %s --entry=window --random=1 --cache=off --tune --explain | %{check}=ALONE
// ALONE: tile sizes             not kept: there is no cache
// ALONE: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys, as measured

!q = tensor<1x2x40x16xf32>
!k = tensor<1x2x80x16xf32>
func.func @window(%q: !q, %k: !k) -> !q {
  %e = tensor.empty() : !q
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%k : !k) outs(%e : !q)
      {window = #lattn.window<left = 8, right = 0>}
  return %0 : !q
}
!q24 = tensor<1x2x8x24xf32>
!k24 = tensor<1x2x24x24xf32>
func.func @larger(%q: !q24, %k: !k24) -> !q24 {
  %e = tensor.empty() : !q24
  %0 = lattn.attention query(%q : !q24) key(%k : !k24) value(%k : !k24) outs(%e : !q24)
  return %0 : !q24
}
func.func @given(%q: !q, %k: !k) -> !q {
  %e = tensor.empty() : !q
  %0 = lattn.attention query(%q : !q) key(%k : !k) value(%k : !k) outs(%e : !q)
      {schedule = #lattn.schedule<query_tile = 16, key_tile = 24>}
  return %0 : !q
}
