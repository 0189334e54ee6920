// REQUIRES: slow
// DEFINE: %{run} = not lattn-compile
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: rm -rf %t && split-file %s %t && cd %t

// RUN: %{run} good.mlir 2>&1 | %{check}=MISSING
// MISSING: lattn-compile: error: -o FILE is missing
// RUN: %{run} good.mlir -o x --emit=exe 2>&1 | %{check}=EMIT
// EMIT: lattn-compile: error: --emit: expected {{.*}}, got 'exe'
// RUN: %{run} good.mlir -o x --target=tpu 2>&1 | %{check}=TARGET
// TARGET: lattn-compile: error: --target: expected host{{.*}}, got 'tpu'
// RUN: %{run} good.mlir -o x --mcpu=none 2>&1 | %{check}=CPU
// CPU: lattn-compile: error: unknown CPU 'none'
// RUN: %{run} good.mlir -o x --mattr=+none 2>&1 | %{check}=FEATURE
// FEATURE: lattn-compile: error: unknown CPU feature 'none'
// RUN: %{run} good.mlir -o x --nothing 2>&1 | %{check}=UNKNOWN
// UNKNOWN: lattn-compile: error: Unknown command line argument '--nothing'
// RUN: %{run} none.mlir -o x 2>&1 | %{check}=FILE
// FILE: lattn-compile: error: cannot read 'none.mlir': No such file or directory
// RUN: %{run} broken.mlir -o x 2>&1 | %{check}=BROKEN
// BROKEN: lattn-compile: error: broken.mlir:1:1: custom op 'nonsense' is unknown
// RUN: %{run} private.mlir -o x 2>&1 | %{check}=PRIVATE
// PRIVATE: lattn-compile: error: the outermost module has no public function to compile
// RUN: %{run} type.mlir -o x --emit=header 2>&1 | %{check}=TYPE
// TYPE: lattn-compile: error: function 'f': 'a' is tensor<*xf32>, which cannot be passed
// RUN: %{run} name.mlir -o x --emit=header 2>&1 | %{check}=NAME
// NAME: lattn-compile: error: function 'a-b': its name is not a C identifier
// The kernel of one query and that of all say it once.
// RUN: %{run} wide.mlir -o x --emit=ptx --chip=sm_80 2>&1 | %{check}=WIDE --implicit-check-not='cannot become'
// WIDE: lattn-compile: error: wide.mlir:3:8: 'lattn.attention' op cannot become a GPU kernel: expected query, key and value of f16 or bf16, got f32
// RUN: %{run} external.mlir -o x --emit=shared 2>&1 | %{check}=EXTERNAL
// EXTERNAL: lattn-compile: error: cannot link with '
// EXTERNAL: _mlir_ciface_elsewhere
// RUN: env CC=/bin/false %{run} good.mlir -o x --emit=shared 2>&1 | %{check}=FALSE
// FALSE: lattn-compile: error: cannot link with '/bin/false':
// RUN: env CC=no-compiler %{run} good.mlir -o x --emit=shared 2>&1 | %{check}=COMPILER
// COMPILER: lattn-compile: error: cannot link: no C compiler: looked for no-compiler
// RUN: not ls x

// What is there stays as it is.
// RUN: echo kept > x
// RUN: %{run} broken.mlir -o x 2>&1 | %{check}=BROKEN
// RUN: env CC=/bin/false %{run} good.mlir -o x --emit=shared 2>&1 | %{check}=FALSE
// RUN: FileCheck %s --check-prefix=KEPT < x
// KEPT: kept
// RUN: %{run} good.mlir -o no/x 2>&1 | %{check}=FOLDER
// FOLDER: lattn-compile: error: cannot write 'no/x': No such file or directory
// RUN: %{run} broken.mlir -o no/x 2>&1 | %{check}=FOLDER
// RUN: %{run} broken.mlir -o x --emit=ptx --launch-record=no/x 2>&1 | %{check}=FOLDER
// RUN: %{run} good.mlir -o . 2>&1 | %{check}=DIRECTORY
// DIRECTORY: lattn-compile: error: cannot write '.': not a regular file
// RUN: lattn-compile good.mlir -o x
// RUN: not grep -q kept x
// RUN: %{run} good.mlir -o - > /dev/full 2> full.txt
// RUN: FileCheck %s --check-prefix=FULL < full.txt
// FULL: lattn-compile: error: cannot write to standard output: No space left on device
// RUN: ls -A | FileCheck %s --check-prefix=LEFT
// LEFT-NOT: tmp

//--- good.mlir
func.func @f() { return }
//--- broken.mlir
nonsense
//--- private.mlir
func.func private @f() { return }
//--- type.mlir
func.func @f(%a: tensor<*xf32>) { return }
//--- name.mlir
func.func @"a-b"() { return }
//--- external.mlir
func.func private @elsewhere(i32) -> i32
func.func @f(%a: i32) -> i32 {
  %0 = call @elsewhere(%a) : (i32) -> i32
  return %0 : i32
}
//--- wide.mlir
!t = tensor<?x?x?x64xf32>
func.func @f(%q: !t, %k: !t, %v: !t, %o: !t) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%o : !t)
  return %0 : !t
}
