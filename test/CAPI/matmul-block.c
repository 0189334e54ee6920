/*===- matmul-block.c - The block that products keep in registers -*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// REQUIRES: host-x86
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: env LATTN_MCPU=x86-64 %t | FileCheck %s --check-prefix=V1
// RUN: env LATTN_MCPU=x86-64-v3 %t | FileCheck %s --check-prefix=V3
// RUN: env LATTN_MCPU=x86-64-v4 %t | FileCheck %s --check-prefix=V4
// RUN: not env LATTN_MCPU=z80 %t | FileCheck %s --check-prefix=UNKNOWN

// V1: 6 x 8
// V3: 6 x 16
// V4: 6 x 64
// UNKNOWN: LATTN_MCPU: unknown CPU 'z80'

#include "lattn-c/Support.h"
#include <stdio.h>

int main(void) {
  int64_t rows, columns;
  LattnError error = lattnGetMatmulBlock(&rows, &columns);
  if (error) {
    printf("%s\n", error);
    lattnErrorFree(error);
    return 1;
  }
  printf("%d x %d\n", (int)rows, (int)columns);
  return 0;
}
