/*===- cuda-callable.c - Attention on a GPU from C -----------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The same function on the host and on GPU 0. Here the GPU is a stand-in.    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// The sanitizer's runtime is not in a program of plain C.
// UNSUPPORTED: sanitizer
// REQUIRES: slow, host-x86
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t -lm \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn-c -llattn_cuda \
// RUN:   -Wl,-rpath,%lattn_lib
// RUN: %cc -O2 -shared -fPIC \
// RUN:   %lattn_src/test/GPU/bundle/Inputs/attention_kernel.c -lm -o %t.so
// RUN: env LATTN_LIBCUDA=%fake_cuda FAKECUDA_KERNELS=%t.so \
// RUN:   FAKECUDA_CAPABILITY=8.0 LATTN_CACHE_DIR=off %t | FileCheck %s
// RUN: env LATTN_LIBCUDA=libnothing.so LATTN_CACHE_DIR=off not %t \
// RUN:   | FileCheck %s --check-prefix=NONE

#include "lattn-c/CUDA.h"
#include "lattn-c/CUDACallable.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { heads = 3, rows = 200, size = 64, count = heads * rows * size };
static const int64_t sizes[4] = {1, heads, rows, size};

static const char text[] =
    "!t = tensor<1x3x?x64xbf16>\n"
    "func.func @attention(%q: !t, %k: !t, %v: !t) -> !t {\n"
    "  %c2 = arith.constant 2 : index\n"
    "  %n = tensor.dim %q, %c2 : !t\n"
    "  %e = tensor.empty(%n) : !t\n"
    "  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)\n"
    "      outs(%e : !t) {window = #lattn.window<right = 0>}\n"
    "  return %0 : !t\n"
    "}\n";

static void check(LattnError error) {
  if (!error)
    return;
  printf("error: %s\n", error);
  exit(1);
}

static float widen(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof(value));
  return value;
}

static LattnCudaDevice *device;
static LattnCudaMemory *allocated[8];
static int numAllocated;

static uint64_t allocate(size_t bytes, void *user) {
  (void)user;
  if (numAllocated == 8 ||
      lattnCudaMemoryAllocate(device, bytes, &allocated[numAllocated]))
    return 0;
  return lattnCudaMemoryGetAddress(allocated[numAllocated++]);
}

/* This program frees all of it at its end. */
static void release(uint64_t address, void *user) {
  (void)address;
  (void)user;
}

static LattnArray describe(void *data) {
  LattnArray array = {data, LattnBF16, 4, sizes, NULL, NULL};
  return array;
}

static uint16_t host[3][count], fromGPU[count];

int main(void) {
  LattnArray arguments[3], onHost, onGPU;
  LattnCallable *callable;
  LattnCudaCallable *onDevice;
  LattnCudaStream *stream;
  LattnCudaMemory *memory[3];
  int number;
  uint32_t random = 1;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < count; ++i) {
      random = random * 1664525u + 1013904223u;
      /* Numbers of both signs from 1/4 to 2. */
      host[a][i] = (uint16_t)((random >> 16 & 0x80ff) + 0x3e80);
    }
  for (int a = 0; a < 3; ++a)
    arguments[a] = describe(host[a]);

  // NONE: error: {{.*}}libnothing.so
  check(lattnCudaDeviceOpen(0, &device));
  check(lattnCudaStreamCreate(device, &stream));
  void *queue = lattnCudaStreamGet(stream);

  check(lattnCallableCreate(text, strlen(text), "text", NULL, NULL, &callable));
  check(lattnCallableCall(callable, arguments, 3, &onHost));

  for (int a = 0; a < 3; ++a) {
    check(lattnCudaMemoryAllocate(device, sizeof(host[a]), &memory[a]));
    check(lattnCudaMemoryCopyIn(memory[a], host[a], sizeof(host[a]), queue));
    uint64_t address = lattnCudaMemoryGetAddress(memory[a]);
    arguments[a] = describe((void *)(uintptr_t)address);
  }
  check(lattnCudaFindDevice(lattnCudaMemoryGetAddress(memory[0]), &number));
  printf("GPU %d\n", number); // CHECK: GPU 0
  check(lattnCudaCallableCreate(text, strlen(text), "text", NULL, NULL, number,
                                queue, &onDevice));
  check(lattnCudaCallablePrepare(onDevice, arguments, 3, queue));
  LattnCudaCall call = {queue, allocate, release, NULL};
  check(lattnCudaCallableCall(onDevice, arguments, 3, &call, &onGPU));
  uint64_t result = (uint64_t)(uintptr_t)onGPU.data;
  for (int i = 0; i < numAllocated; ++i)
    if (lattnCudaMemoryGetAddress(allocated[i]) == result)
      check(lattnCudaMemoryCopyOut(allocated[i], fromGPU, sizeof(fromGPU),
                                   queue));
  check(lattnCudaStreamSynchronize(stream));

  /* Weights and outputs are rounded to 8 bits. */
  int near = 1, notZero = 0;
  for (int i = 0; i < count; ++i) {
    float want = widen(((uint16_t *)onHost.data)[i]), got = widen(fromGPU[i]);
    near &= fabsf(got - want) <= ldexpf(fmaxf(1, fabsf(want)), -7);
    notZero |= fabsf(got) > 0.125f;
  }
  // CHECK-NEXT: near 1, not zero 1
  printf("near %d, not zero %d\n", near, notZero);

  // CHECK-NEXT: error: {{.*}}3 arguments, got 2
  LattnError error =
      lattnCudaCallableCall(onDevice, arguments, 2, &call, &onGPU);
  printf("error: %s\n", error ? error : "none");
  lattnErrorFree(error);
  // CHECK-NEXT: error: {{.*}}3 arguments, got 2
  error = lattnCudaCallablePrepare(onDevice, arguments, 2, queue);
  printf("error: %s\n", error ? error : "none");
  lattnErrorFree(error);

  lattnArrayRelease(&onHost);
  lattnCallableDestroy(callable);
  lattnCudaCallableDestroy(onDevice);
  for (int i = 0; i < 3; ++i)
    lattnCudaMemoryFree(memory[i]);
  for (int i = 0; i < numAllocated; ++i)
    lattnCudaMemoryFree(allocated[i]);
  lattnCudaStreamFree(stream);
  lattnCudaDeviceClose(device);
  return 0;
}
