/*===- lattn-c/CUDA.h - Kernels on a GPU --------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Loads and launches compiled kernels through the CUDA driver. The driver is *|
|* opened when the program asks for a device. The library, lattn_cuda, needs  *|
|* neither LLVM nor CUDA's toolkit. A device stays open until everything that *|
|* was made on it is freed. The caller provides streams: CUstream or          *|
|* cudaStream_t; NULL is the legacy stream. One thread at a time may use a    *|
|* handle, but any number of threads may launch at once. NULL for a handle,   *|
|* or for the place of a result, is an error; functions that return no error  *|
|* return 0 for it.                                                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_CUDA_H
#define LATTN_C_CUDA_H

#include "lattn-c/Support.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Does nothing for NULL. */
LATTN_C_EXPORT void lattnCudaErrorFree(LattnError error);

/*===----------------------------------------------------------------------===*\
|* Devices                                                                    *|
\*===----------------------------------------------------------------------===*/

typedef struct LattnCudaDevice LattnCudaDevice;

typedef struct LattnCudaDeviceInfo {
  const char *name; /**< lives as long as the device */
  int major, minor; /**< compute capability */
  int multiprocessors;
  int sharedBytes;   /**< most that one block may ask for */
  int driverVersion; /**< 12040 is CUDA 12.4 */
} LattnCudaDeviceInfo;

LATTN_C_EXPORT LattnError lattnCudaCountDevices(int *count);
/** Retains the device's primary context. */
LATTN_C_EXPORT LattnError lattnCudaDeviceOpen(int ordinal,
                                              LattnCudaDevice **device);
LATTN_C_EXPORT void lattnCudaDeviceClose(LattnCudaDevice *device);
LATTN_C_EXPORT void lattnCudaDeviceGetInfo(const LattnCudaDevice *device,
                                           LattnCudaDeviceInfo *info);
/** Returns an error unless `address` is memory of the device at a multiple of
 * `alignment` bytes. The error calls it `name`. */
LATTN_C_EXPORT LattnError
lattnCudaDeviceCheckPointer(const LattnCudaDevice *device, uint64_t address,
                            size_t alignment, const char *name);

/*===----------------------------------------------------------------------===*\
|* Kernels                                                                    *|
\*===----------------------------------------------------------------------===*/

typedef struct LattnCudaModule LattnCudaModule;
typedef struct LattnCudaKernel LattnCudaKernel;

typedef struct LattnCudaKernelInfo {
  int registers;         /**< of a thread */
  int staticSharedBytes; /**< of a block */
  int localBytes;        /**< of a thread: spilled registers and arrays */
  int maxThreads;        /**< of a block */
} LattnCudaKernelInfo;

/** A `cluster` whose extents are 0 or 1 is no cluster. */
typedef struct LattnCudaShape {
  unsigned grid[3], block[3], cluster[3];
} LattnCudaShape;

/** Loads PTX (with or without a zero at its end), a cubin or a fat binary of
 * `size` bytes. Nothing can check that size. Errors name `chip`, the target of
 * the code ("sm_90a"); it may be NULL. */
LATTN_C_EXPORT LattnError lattnCudaModuleLoad(const LattnCudaDevice *device,
                                              const void *image, size_t size,
                                              const char *chip,
                                              LattnCudaModule **module);
LATTN_C_EXPORT void lattnCudaModuleFree(LattnCudaModule *module);

/** `sharedBytes` is the dynamic shared memory of each block. The kernel keeps
 * its module loaded. No launch of it may be running when it is freed. */
LATTN_C_EXPORT LattnError lattnCudaKernelGet(const LattnCudaModule *module,
                                             const char *name,
                                             unsigned sharedBytes,
                                             LattnCudaKernel **kernel);
LATTN_C_EXPORT void lattnCudaKernelFree(LattnCudaKernel *kernel);
LATTN_C_EXPORT void lattnCudaKernelGetInfo(const LattnCudaKernel *kernel,
                                           LattnCudaKernelInfo *info);
/** Queues the kernel and returns. It allocates nothing and does not wait, so it
 * can be captured in a graph. `parameters` has a pointer to each of the
 * kernel's parameters. */
LATTN_C_EXPORT LattnError lattnCudaKernelLaunch(const LattnCudaKernel *kernel,
                                                const LattnCudaShape *shape,
                                                void **parameters,
                                                void *stream);

/*===----------------------------------------------------------------------===*\
|* Tensor maps                                                                *|
\*===----------------------------------------------------------------------===*/

/** Axes from the innermost, whose elements are adjacent. */
typedef struct LattnCudaTensor {
  int type; /**< CUtensorMapDataType: 6 f16, 7 f32, 9 bf16 */
  unsigned rank;
  uint64_t address;
  uint64_t sizes[5];   /**< elements */
  uint64_t strides[5]; /**< bytes; the first is not read */
  uint32_t box[5];     /**< elements of one copy */
  int swizzle;         /**< 0 none, 1 32 bytes, 2 64, 3 128 */
  int promotion;       /**< in L2: 0 none, 1 64 bytes, 2 128, 3 256 */
} LattnCudaTensor;

/** Writes the descriptor, 128 bytes, at `map`, a multiple of 64. */
LATTN_C_EXPORT LattnError lattnCudaTensorMapEncode(
    const LattnCudaDevice *device, const LattnCudaTensor *tensor,
    const char *name, void *map);

/*===----------------------------------------------------------------------===*\
|* Memory, streams, events                                                    *|
\*===----------------------------------------------------------------------===*/

typedef struct LattnCudaMemory LattnCudaMemory;
typedef struct LattnCudaStream LattnCudaStream;
typedef struct LattnCudaEvent LattnCudaEvent;

LATTN_C_EXPORT LattnError lattnCudaMemoryAllocate(const LattnCudaDevice *device,
                                                  size_t bytes,
                                                  LattnCudaMemory **memory);
LATTN_C_EXPORT void lattnCudaMemoryFree(LattnCudaMemory *memory);
LATTN_C_EXPORT uint64_t
lattnCudaMemoryGetAddress(const LattnCudaMemory *memory);
/** Copies are queued on the stream. Their memory on the host must stay valid
 * until they are done. More bytes than `memory` has are an error. */
LATTN_C_EXPORT LattnError lattnCudaMemoryCopyIn(LattnCudaMemory *memory,
                                                const void *from, size_t bytes,
                                                void *stream);
LATTN_C_EXPORT LattnError lattnCudaMemoryCopyOut(const LattnCudaMemory *memory,
                                                 void *to, size_t bytes,
                                                 void *stream);
LATTN_C_EXPORT LattnError lattnCudaMemoryFill(LattnCudaMemory *memory,
                                              unsigned char value,
                                              void *stream);

/** A stream that does not wait for the legacy stream. */
LATTN_C_EXPORT LattnError lattnCudaStreamCreate(const LattnCudaDevice *device,
                                                LattnCudaStream **stream);
LATTN_C_EXPORT void lattnCudaStreamFree(LattnCudaStream *stream);
/** The CUstream. */
LATTN_C_EXPORT void *lattnCudaStreamGet(const LattnCudaStream *stream);
/** Waits; reports what failed in kernels and copies. */
LATTN_C_EXPORT LattnError
lattnCudaStreamSynchronize(const LattnCudaStream *stream);

LATTN_C_EXPORT LattnError lattnCudaEventCreate(const LattnCudaDevice *device,
                                               LattnCudaEvent **event);
LATTN_C_EXPORT void lattnCudaEventFree(LattnCudaEvent *event);
LATTN_C_EXPORT LattnError lattnCudaEventRecord(LattnCudaEvent *event,
                                               void *stream);
LATTN_C_EXPORT LattnError
lattnCudaEventSynchronize(const LattnCudaEvent *event);
/** The time between two events that were reached. */
LATTN_C_EXPORT LattnError
lattnCudaEventGetMilliseconds(const LattnCudaEvent *begin,
                              const LattnCudaEvent *end, float *milliseconds);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_CUDA_H */
