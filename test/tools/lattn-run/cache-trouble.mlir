// Whatever is wrong with a cache is said in one line, and work goes on.

// RUN: rm -rf %t && mkdir %t
// DEFINE: %{run} = lattn-run %s --random=1
// DEFINE: %{check} = FileCheck %s --check-prefix

// RUN: echo > %t/file
// RUN: %{run} --cache=%t/file 2>&1 | %{check}=FILE
// FILE: lattn: warning: cache '{{.*}}/file': not a directory
// FILE: compile time
// RUN: %{run} --cache=%t/file/in 2>&1 | %{check}=INSIDE
// INSIDE: lattn: warning: cache '{{.*}}/file/in': {{[Nn]}}ot a directory
// INSIDE: compile time

// RUN: mkdir %t/open && chmod 777 %t/open
// RUN: %{run} --cache=%t/open 2>&1 | %{check}=OPEN
// OPEN: lattn: warning: cache '{{.*}}/open': other users may write to it
// OPEN: compile time

// RUN: env LATTN_CACHE_SIZE=1x lattn-run %s --random=1 --cache=%t/c 2>&1 | %{check}=SIZE
// SIZE: lattn: warning: LATTN_CACHE_SIZE: expected bytes such as 500M or 1G, got '1x'; using 1G
// SIZE: compile time

// A damaged entry is replaced.
// RUN: %python -c "import glob, sys; [name] = glob.glob(sys.argv[1] + '/*.lattn'); file = open(name, 'r+b'); file.seek(-9, 2); file.write(b'damage')" %t/c
// RUN: %{run} --cache=%t/c 2>&1 | %{check}=DAMAGED
// DAMAGED: lattn: warning: cache '{{.*}}.lattn': its checksum is wrong
// DAMAGED: compile time {{[0-9.]+ [mu]?s$}}
// RUN: %{run} --cache=%t/c 2>&1 | %{check}=REPLACED --implicit-check-not=warning
// REPLACED: loaded from the cache

// Nothing is stored where there is no room for it.
// RUN: env LATTN_CACHE_SIZE=1K lattn-run %s --random=1 --cache=%t/none 2>&1 | FileCheck %s --check-prefix=ROOM --implicit-check-not=warning
// ROOM: compile time
// RUN: ls %t/none | count 0

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
