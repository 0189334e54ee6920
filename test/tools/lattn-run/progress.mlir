// What lasts is shown on a terminal, not before one second, and erased; never
// in a pipe, nor beside other messages.
// REQUIRES: slow
// RUN: env NO_COLOR=1 TERM=xterm script -qec 'lattn-run %s --entry=slow --random=1 --cache=off' /dev/null \
// RUN:   | tr '\r\033' '\n~' | FileCheck %s --check-prefix=SHOWN
// RUN: env NO_COLOR=1 TERM=xterm script -qec 'lattn-run %s --entry=fast --random=1 --cache=off' /dev/null \
// RUN:   | tr '\r\033' '\n~' | FileCheck %s --check-prefix=HIDDEN
// RUN: env NO_COLOR=1 TERM=dumb script -qec 'lattn-run %s --entry=slow --random=1 --cache=off' /dev/null \
// RUN:   | tr '\r\033' '\n~' | FileCheck %s --check-prefix=HIDDEN
// RUN: env NO_COLOR=1 TERM=xterm script -qec 'lattn-run %s --entry=slow --random=1 --cache=off --mlir-print-ir-after-change' /dev/null \
// RUN:   | tr '\r\033' '\n~' | FileCheck %s --check-prefix=HIDDEN
// RUN: env NO_COLOR=1 TERM=xterm lattn-run %s --entry=slow --random=1 --cache=off 2>&1 \
// RUN:   | tr '\r\033' '\n~' | FileCheck %s --check-prefix=HIDDEN

// SHOWN-NOT: running 0 s
// SHOWN: {{^}}~[Krunning 1 s{{$}}
// SHOWN: {{^}}~[Kentry
// SHOWN-NOT: ~
// HIDDEN-NOT: ~
// HIDDEN: entry
// HIDDEN-NOT: ~

func.func @fast(%x: f64) -> f64 {
  return %x : f64
}
// Each step waits for the one before.
func.func @slow(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 600000000 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %1 = math.absf %a : f64
    %2 = math.sqrt %1 : f64
    %3 = arith.addf %2, %x : f64
    scf.yield %3 : f64
  }
  return %0 : f64
}
