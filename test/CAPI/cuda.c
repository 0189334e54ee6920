/*===- cuda.c - Kernels on a GPU, from C ---------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

// The sanitizer's runtime is not in a program of plain C.
// UNSUPPORTED: sanitizer
// RUN: %cc -std=c99 -Wall -Wextra -Werror -pedantic %s -o %t \
// RUN:   -I%lattn_src/include -L%lattn_lib -llattn_cuda -ldl \
// RUN:   -Wl,-rpath,%lattn_lib
// RUN: env LATTN_LIBCUDA=%fake_cuda %t | FileCheck %s
// RUN: env LATTN_LIBCUDA=libnothing.so %t | FileCheck %s --check-prefix=NONE

#include "lattn-c/CUDA.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] = ".version 8.0\n.target sm_90\n.entry attend(\n";

static int failed(LattnError error) {
  if (!error)
    return 0;
  printf("error: %s\n", error);
  lattnCudaErrorFree(error);
  return 1;
}

static void copy(LattnCudaDevice *device, LattnCudaStream *stream) {
  float in[4] = {1, 2, 3, 4}, out[4] = {0};
  LattnCudaMemory *memory;
  if (failed(lattnCudaMemoryAllocate(device, sizeof(in), &memory)))
    return;
  void *queue = lattnCudaStreamGet(stream);
  if (!failed(lattnCudaMemoryFill(memory, 0, queue)) &&
      !failed(lattnCudaMemoryCopyIn(memory, in, 8, queue)) &&
      !failed(lattnCudaMemoryCopyOut(memory, out, 16, queue)) &&
      !failed(lattnCudaStreamSynchronize(stream)))
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
  failed(lattnCudaMemoryCopyIn(memory, in, 32, queue));
  failed(lattnCudaDeviceCheckPointer(device, lattnCudaMemoryGetAddress(memory),
                                     16, "key"));
  failed(lattnCudaDeviceCheckPointer(device, 0x10, 16, "key"));
  lattnCudaMemoryFree(memory);
}

static void launch(LattnCudaDevice *device, LattnCudaStream *stream) {
  LattnCudaModule *module;
  LattnCudaKernel *kernel;
  LattnCudaEvent *begin, *end;
  if (failed(lattnCudaModuleLoad(device, ptx, strlen(ptx), NULL, &module)))
    return;
  failed(lattnCudaKernelGet(module, "other", 0, &kernel));
  failed(lattnCudaKernelGet(module, "attend", 65536, &kernel));
  lattnCudaModuleFree(module);
  LattnCudaKernelInfo info;
  lattnCudaKernelGetInfo(kernel, &info);
  printf("%d registers, %d threads\n", info.registers, info.maxThreads);
  failed(lattnCudaEventCreate(device, &begin));
  failed(lattnCudaEventCreate(device, &end));
  void *queue = lattnCudaStreamGet(stream);
  LattnCudaShape shape = {{4, 2, 1}, {128, 1, 1}, {0, 0, 0}};
  failed(lattnCudaEventRecord(begin, queue));
  failed(lattnCudaKernelLaunch(kernel, &shape, NULL, queue));
  failed(lattnCudaEventRecord(end, queue));
  failed(lattnCudaEventSynchronize(end));
  float milliseconds;
  if (!failed(lattnCudaEventGetMilliseconds(begin, end, &milliseconds)))
    printf("%g ms\n", milliseconds);
  shape.block[0] = 1024;
  failed(lattnCudaKernelLaunch(kernel, &shape, NULL, queue));
  lattnCudaEventFree(begin);
  lattnCudaEventFree(end);
  lattnCudaKernelFree(kernel);
}

static void encode(LattnCudaDevice *device) {
  uint64_t space[24];
  uint64_t *map = (uint64_t *)(((uintptr_t)space + 63) & ~(uintptr_t)63);
  LattnCudaTensor tensor = {9, 2, 4096, {64, 100}, {0, 128}, {64, 8}, 3, 0};
  if (!failed(lattnCudaTensorMapEncode(device, &tensor, "key", map)))
    printf("map of %d\n", (int)map[0]);
  tensor.strides[1] = 100;
  failed(lattnCudaTensorMapEncode(device, &tensor, "key", map));
}

/** Each handle and each place of a result may be NULL by mistake. */
static void refuse(LattnCudaDevice *device, LattnCudaStream *stream) {
  LattnCudaDeviceInfo info;
  LattnCudaKernelInfo kernelInfo;
  LattnCudaMemory *memory;
  LattnCudaEvent *event;
  LattnCudaShape shape = {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  LattnCudaTensor tensor = {0};
  float ms = 0;
  failed(lattnCudaCountDevices(NULL));
  failed(lattnCudaDeviceOpen(0, NULL));
  failed(lattnCudaDeviceCheckPointer(NULL, 0, 1, "key"));
  failed(lattnCudaDeviceCheckPointer(device, 0, 1, NULL));
  failed(lattnCudaModuleLoad(device, NULL, 4, NULL, NULL));
  failed(lattnCudaModuleLoad(device, ptx, strlen(ptx), NULL, NULL));
  failed(lattnCudaKernelGet(NULL, "f", 0, NULL));
  failed(lattnCudaKernelLaunch(NULL, &shape, NULL, NULL));
  failed(lattnCudaTensorMapEncode(device, &tensor, "key", NULL));
  failed(lattnCudaMemoryAllocate(device, 4, NULL));
  failed(lattnCudaMemoryCopyIn(NULL, &ms, 4, NULL));
  if (!failed(lattnCudaMemoryAllocate(device, 4, &memory))) {
    failed(lattnCudaMemoryCopyIn(memory, NULL, 4, NULL));
    failed(lattnCudaMemoryCopyOut(memory, NULL, 4, NULL));
    failed(lattnCudaMemoryCopyOut(memory, NULL, 0, NULL));
    lattnCudaMemoryFree(memory);
  }
  failed(lattnCudaMemoryFill(NULL, 0, NULL));
  failed(lattnCudaStreamCreate(NULL, &stream));
  failed(lattnCudaStreamSynchronize(NULL));
  failed(lattnCudaEventCreate(NULL, &event));
  failed(lattnCudaEventRecord(NULL, NULL));
  failed(lattnCudaEventSynchronize(NULL));
  failed(lattnCudaEventGetMilliseconds(NULL, NULL, &ms));
  lattnCudaDeviceGetInfo(NULL, &info);
  lattnCudaDeviceGetInfo(device, NULL);
  lattnCudaKernelGetInfo(NULL, &kernelInfo);
  printf("'%s' %d %d %d\n", info.name, kernelInfo.registers,
         (int)lattnCudaMemoryGetAddress(NULL),
         lattnCudaStreamGet(NULL) != NULL);
}

int main(void) {
  int count;
  LattnCudaDevice *device;
  LattnCudaDeviceInfo info;
  LattnCudaStream *stream;
  if (failed(lattnCudaCountDevices(&count)))
    return 0;
  printf("%d device\n", count);
  failed(lattnCudaDeviceOpen(3, &device));
  if (failed(lattnCudaDeviceOpen(0, &device)))
    return 1;
  lattnCudaDeviceGetInfo(device, &info);
  printf("%s sm_%d%d, %d, %d, %d\n", info.name, info.major, info.minor,
         info.multiprocessors, info.sharedBytes, info.driverVersion);
  failed(lattnCudaStreamCreate(device, &stream));
  copy(device, stream);
  launch(device, stream);
  encode(device);
  refuse(device, stream);
  lattnCudaStreamFree(stream);
  lattnCudaDeviceClose(device);
  void *library = dlopen(getenv("LATTN_LIBCUDA"), RTLD_NOW);
  const char *(*getLive)(void);
  *(void **)&getLive = dlsym(library, "fakeCudaGetLive");
  printf("alive: '%s'\n", getLive());
  return 0;
}

// NONE: {{^}}error: no CUDA driver: libnothing.so: cannot open shared object
// NONE-NOT: error

// CHECK:      1 device
// CHECK-NEXT: error: no CUDA device 3: this machine has 1
// CHECK-NEXT: Fake GPU sm_90, 132, 232448, 12080
// CHECK-NEXT: 1 2 0 0
// CHECK-NEXT: error: a copy in of 32 bytes: the device's block has 16
// CHECK-NEXT: error: 'key', at 0x10, is no memory of a device
// CHECK-NEXT: error: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND
// CHECK-NEXT: 168 registers, 384 threads
// CHECK-NEXT: 1 ms
// CHECK-NEXT: error: kernel 'attend': a block of 1024x1x1 threads
// CHECK-NEXT: map of 9
// CHECK-NEXT: error: tensor map of 'key': stride 100 on axis 1
// CHECK-NEXT: error: expected a place for the count, got NULL
// CHECK-NEXT: error: expected a place for the device, got NULL
// CHECK-NEXT: error: expected a device, got NULL
// CHECK-NEXT: error: expected a name, got NULL
// CHECK-NEXT: error: expected an image, got NULL
// CHECK-NEXT: error: expected a place for the module, got NULL
// CHECK-NEXT: error: expected a module, got NULL
// CHECK-NEXT: error: expected a kernel, got NULL
// CHECK-NEXT: error: expected a place for the map, got NULL
// CHECK-NEXT: error: expected a place for the memory, got NULL
// CHECK-NEXT: error: expected memory, got NULL
// CHECK-NEXT: error: expected bytes to copy, got NULL
// CHECK-NEXT: error: expected a place for the bytes, got NULL
// CHECK-NEXT: error: expected memory, got NULL
// CHECK-NEXT: error: expected a device, got NULL
// CHECK-NEXT: error: expected a stream, got NULL
// CHECK-NEXT: error: expected a device, got NULL
// CHECK-NEXT: error: expected an event, got NULL
// CHECK-NEXT: error: expected an event, got NULL
// CHECK-NEXT: error: expected the first event, got NULL
// CHECK-NEXT: '' 0 0 0
// CHECK-NEXT: alive: {{''$}}
