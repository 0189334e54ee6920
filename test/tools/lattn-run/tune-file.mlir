// The file of measured tile sizes: kernels are added; what is damaged or of
// another CPU is ignored, with a warning, and replaced by the next search.
// REQUIRES: slow
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{run} = lattn-run %s --entry=window --random=1 --cache=%t/c
// DEFINE: %{check} = FileCheck %s --check-prefix

// RUN: %{run} --tune > %t/window
// RUN: lattn-run %s --entry=larger --random=1 --cache=%t/c --tune > %t/larger
// RUN: cat %t/c/tuned-*.json | %{check}=BOTH
// BOTH:     "kernel": "f32.bhnd.d16.v16.n8.m24.window-left-8-right-0",
// BOTH:     "kernel": "f32.bhnd.d24.v24.n8.m24",
// BOTH-NOT: "kernel"

// RUN: cp %t/c/tuned-*.json %t/good
// RUN: sed -i 's/"queries": [0-9]*/"queries": 600/' %t/c/tuned-*.json
// RUN: %{run} --explain 2>&1 | %{check}=BOUNDS
// BOUNDS: lattn: warning: cache '{{.*}}.json': damaged: expected 1 to 512 queries and 1 to 4096 keys at file.kernels[0].{{.*}}tile
// BOUNDS: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys{{$}}
// RUN: sed 's/"kernel": "f32/"kernel": "f=32/' %t/good > %t/name && cp %t/name %t/c/tuned-*.json
// RUN: %{run} --explain 2>&1 | %{check}=NAME
// NAME: lattn: warning: cache '{{.*}}.json': damaged: expected a kernel's name at file.kernels[0].kernel
// NAME: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys{{$}}
// RUN: sed 's/"cpu": "/"cpu": "x/' %t/good > %t/other && cp %t/other %t/c/tuned-*.json
// RUN: %{run} --explain 2>&1 | %{check}=OTHER
// OTHER: lattn: warning: cache '{{.*}}.json': tile sizes for CPU 'x{{.*}}', expected '
// OTHER: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys{{$}}
// RUN: sed '/"kernel"/{s/"f32.*/"f32/;q}' %t/good | tr -d '\n' > %t/half && cp %t/half %t/c/tuned-*.json
// RUN: %{run} --explain 2>&1 | %{check}=HALF
// HALF: lattn: warning: cache '{{.*}}.json': damaged: [{{.*}}]: Unterminated string
// HALF: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys{{$}}
// RUN: %{run} --tune 2>&1 | %{check}=REPLACED
// REPLACED: lattn: warning: cache '{{.*}}.json'
// REPLACED: tile sizes             kept in
// RUN: %{run} --explain 2>&1 | %{check}=KEPT --implicit-check-not=warning
// KEPT: tiles                {{[0-9]+}} queries, {{[0-9]+}} keys, as measured

// Arguments that are written to are as after one call.
// RUN: lattn-run %s --entry=buffers --random=1 --cache=off --tune --verify-loops | %{check}=WRITTEN
// WRITTEN: results {{ *}}out

!q = tensor<1x2x8x16xf32>
!k = tensor<1x2x24x16xf32>
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
!m = memref<1x2x8x16xf32>
func.func @buffers(%q: !m {lattn.name = "out"}, %k: !m) {
  %0 = memref.alloc() : !m
  lattn.attention query(%q : !m) key(%k : !m) value(%k : !m) outs(%0 : !m)
  memref.copy %0, %q : !m to !m
  return
}
