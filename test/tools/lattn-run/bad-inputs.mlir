// REQUIRES: python, slow
// RUN: %python %S/Inputs/make.py %t
// RUN: rm -f %t/o.npz
// DEFINE: %{run} = not lattn-run %s --output %t/o.npz
// DEFINE: %{check} = FileCheck %s --check-prefix

// RUN: %{run} --input %t/none.npz 2>&1 | %{check}=NONE
// NONE: lattn-run: error: '{{.*}}none.npz': No such file or directory
// RUN: %{run} --input %t/short-q.npy 2>&1 | %{check}=SHORT
// SHORT: lattn-run: error: '{{.*}}short-q.npy':
// RUN: %{run} --input %t/short-in.npz 2>&1 | %{check}=SHORTZ
// SHORTZ: lattn-run: error: '{{.*}}short-in.npz':
// RUN: %{run} --input %t/object.npy 2>&1 | %{check}=OBJECT
// OBJECT: lattn-run: error: '{{.*}}object.npy':
// RUN: %{run} --input %t/fortran.npy 2>&1 | %{check}=FORTRAN
// FORTRAN: lattn-run: error: '{{.*}}fortran.npy': shape (1, 2, 37, 16) is in Fortran order
// RUN: %{run} --input %t/missing.npz 2>&1 | %{check}=MISSING
// MISSING: lattn-run: error: argument 'v' (tensor<?x2x?x16xf32>): no input
// RUN: %{run} --input %t/extra.npz 2>&1 | %{check}=EXTRA
// EXTRA: lattn-run: error: '{{.*}}extra.npz': unexpected array 'w', expected: 'q', 'k', 'v'
// RUN: %{run} --input %t/f64.npz 2>&1 | %{check}=DTYPE
// DTYPE: lattn-run: error: '{{.*}}f64.npz': 'q': expected elements of f32, got f64
// RUN: %{run} --input %t/shape.npz 2>&1 | %{check}=SHAPE
// SHAPE: lattn-run: error: '{{.*}}shape.npz': 'q': expected tensor<?x2x?x16xf32>, got the shape (1, 1, 37, 16)
// RUN: %{run} --input %t/in.npz --input %t/q.npy 2>&1 | %{check}=TWICE
// TWICE: lattn-run: error: '{{.*}}q.npy': a second input for 'q'
// RUN: %{run} --input %t/in.npz --expect %t/in.npz 2>&1 | %{check}=EXPECT
// EXPECT: lattn-run: error: '{{.*}}in.npz': unexpected array 'q', expected: 'o'
// RUN: not ls %t/o.npz

// What cannot be written is found before anything runs.
// RUN: not lattn-run %s --input %t/in.npz --output %t/no/o.npz 2>&1 \
// RUN:   | %{check}=OUTPUT --implicit-check-not=entry
// RUN: not lattn-run %s --input %t/none.npz --output %t/no/o.npz 2>&1 \
// RUN:   | %{check}=OUTPUT
// OUTPUT: lattn-run: error: cannot write '{{.*}}o.npz': No such file or directory
// RUN: not lattn-run %s --input %t/none.npz --output %t 2>&1 | %{check}=FOLDER
// FOLDER: lattn-run: error: cannot write '{{.*}}': not a regular file
// RUN: not lattn-run %s --input %t/none.npz --output %t/in.npz/o.npz 2>&1 \
// RUN:   | %{check}=INSIDE
// INSIDE: lattn-run: error: cannot write '{{.*}}in.npz/o.npz': Not a directory
// RUN: not lattn-run %s --input %t/none.npz --explain=%t/no/a.svg 2>&1 \
// RUN:   | %{check}=PICTURE
// PICTURE: lattn-run: error: cannot write '{{.*}}a.svg': No such file or directory

// No batch at all is no error.
// RUN: lattn-run %s --input %t/empty.npz --verify-loops | %{check}=EMPTY
// EMPTY: o agrees with lattn-to-loops: 0 of 0

!t = tensor<?x2x?x16xf32>
func.func @main(%q: !t {lattn.name = "q"}, %k: !t {lattn.name = "k"},
                %v: !t {lattn.name = "v"}) -> (!t {lattn.name = "o"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
         outs(%e : !t) {window = #lattn.window<left = 5, right = 0>}
  return %0 : !t
}
