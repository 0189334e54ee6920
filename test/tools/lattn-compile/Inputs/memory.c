//===- memory.c - A call that gets no memory ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  lattn_1d_f32 result;
  _mlir_ciface_ones(&result, 64);
  printf("size %d\n", (int)result.sizes[0]);
  fflush(stdout);
  free(result.allocated);
  _mlir_ciface_ones(&result, INT64_C(1) << 52);
  puts("a result");
  return 0;
}
