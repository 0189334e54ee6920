// Sizes that a function cannot do: the check beside it says so, the function
// ends the program, or returns nothing where the program handles it.

// UNSUPPORTED: sanitizer
// REQUIRES: slow
// RUN: lattn-compile %s --emit=header -o %t.h
// RUN: lattn-compile %s -o %t.o
// RUN: %cc -std=c99 -Wall -Wextra -Werror -include %t.h %S/Inputs/sizes.c %t.o \
// RUN:   -lm -o %t.exe
// RUN: %t.exe | FileCheck %s
// RUN: %cc -std=c99 -Wall -Wextra -Werror -DPLAIN -include %t.h \
// RUN:   %S/Inputs/sizes.c %t.o -lm -o %t.exe
// RUN: not --crash %t.exe 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: lattn: error: sizes.mlir:{{.*}} 'lattn.attention' op expected axis 2 of value to be key's length = 5, got 3

// CHECK:      good: none
// CHECK-NEXT: size: argument 'query': expected axis 3 to have 64 elements, got 32
// CHECK-NEXT: heads: sizes.mlir:[[@LINE+9]]:8: 'lattn.attention' op expected query heads to be a multiple of key heads, got 4 and 3
// CHECK-NEXT: null: argument 'key': expected the address of elements, got NULL
// CHECK-NEXT: descriptor: argument 'value': expected an array, got NULL
// CHECK-NEXT: values: sizes.mlir:[[@LINE+6]]:8: 'lattn.attention' op expected axis 2 of value to be key's length = 5, got 3
// CHECK-NEXT: failed: sizes.mlir:[[@LINE+5]]:8: 'lattn.attention' op expected axis 2 of value to be key's length = 5, got 3
// CHECK-NEXT: no result: 1
!t = tensor<1x?x?x64xf32>
func.func @attend(%query: !t, %key: !t, %value: !t) -> !t {

  %0 = lattn.attention query(%query : !t) key(%key : !t) value(%value : !t)
      outs(%query : !t)
  return %0 : !t
}
