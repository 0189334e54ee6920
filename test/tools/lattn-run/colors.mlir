// Colours on a terminal alone, and not where NO_COLOR or TERM refuse them.
// REQUIRES: slow
// DEFINE: %{run} = lattn-run %s --random=1 --cache=off --verify-loops
// DEFINE: %{show} = tr '\r\033' '\n~' | FileCheck %s --check-prefix
// RUN: env -u NO_COLOR TERM=xterm script -qec '%{run}' /dev/null | %{show}=COLORS
// RUN: env NO_COLOR= TERM=xterm script -qec '%{run}' /dev/null | %{show}=COLORS
// RUN: env NO_COLOR=1 TERM=xterm script -qec '%{run}' /dev/null | %{show}=PLAIN
// RUN: env -u NO_COLOR TERM=dumb script -qec '%{run}' /dev/null | %{show}=PLAIN
// RUN: env -u NO_COLOR TERM=xterm lattn-run %s --random=1 --cache=off --verify-loops | %{show}=PLAIN

// COLORS: ~[1mentry                 ~[0m twice
// COLORS: out0 ~[0;32magrees with~[0m lattn-to-loops
// PLAIN-NOT: ~
// PLAIN: entry
// PLAIN-NOT: ~
// PLAIN: out0 agrees with lattn-to-loops
// PLAIN-NOT: ~

func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
