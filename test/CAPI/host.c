/*===- host.c - What kernels are compiled for ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// REQUIRES: host-x86
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -Wl,-rpath,%lattn_lib
// RUN: env LATTN_MCPU=x86-64-v3 LATTN_CACHE_DIR=%t.cache %t | FileCheck %s
// RUN: env LATTN_MCPU=x86-64 LATTN_CACHE_DIR=off %t \
// RUN:   | FileCheck %s --check-prefix=OFF
// RUN: not env LATTN_MCPU=z80 %t | FileCheck %s --check-prefix=UNKNOWN

// CHECK: x86-64-v3: 256 bits, 16 registers, bf16 widened
// CHECK: cache '{{.*}}host.c.tmp.cache'
// OFF: x86-64: 128 bits, 16 registers, bf16 widened
// OFF: cache ''
// UNKNOWN: LATTN_MCPU: unknown CPU 'z80'

#include "lattn-c/Support.h"
#include <stdio.h>

int main(void) {
  LattnHost host;
  LattnError error = lattnGetHost(&host);
  char *folder;
  if (error) {
    printf("%s\n", error);
    lattnErrorFree(error);
    return 1;
  }
  printf("%s: %d bits, %d registers, bf16 %s\n", host.cpu, (int)host.vectorBits,
         (int)host.vectorRegisters, host.bf16);
  lattnTextFree(host.cpu);
  folder = lattnGetCacheFolder();
  printf("cache '%s'\n", folder);
  lattnTextFree(folder);
  error = lattnGetHost(NULL);
  // CHECK: expected a place for the host, got NULL
  printf("%s\n", error);
  lattnErrorFree(error);
  return 0;
}
