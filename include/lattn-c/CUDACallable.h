/*===- lattn-c/CUDACallable.h - Call compiled MLIR on a GPU -------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Functions of arrays in a GPU's memory: work is queued on the caller's      *|
|* stream, memory is the caller's, and nothing waits. Compiling loads code,   *|
|* which the driver does not do while a graph is captured; calls may be.      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef LATTN_C_CUDACALLABLE_H
#define LATTN_C_CUDACALLABLE_H

#include "lattn-c/Callable.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LattnCudaCallable LattnCudaCallable;

/** The number of the GPU whose memory `address` is in. */
LATTN_C_EXPORT LattnError lattnCudaFindDevice(uint64_t address, int *device);

/** As lattnCallableCreate, for the GPU `device` of the driver's numbering; of
 * `options` only the cache counts, and the host's code is for this machine.
 * `stream`, a CUstream, is where the first call will be queued: an error while
 * a graph is captured from it. */
LATTN_C_EXPORT LattnError
lattnCudaCallableCreate(const char *text, size_t length, const char *bufferName,
                        const char *entry, const LattnCompileOptions *options,
                        int device, void *stream, LattnCudaCallable **callable);

/** No call's work may be running. Does nothing for NULL. */
LATTN_C_EXPORT void lattnCudaCallableDestroy(LattnCudaCallable *callable);

typedef struct LattnCudaCall {
  void *stream; /**< CUstream */
  /** The address of new memory on the device, at a multiple of 256 bytes; 0
   * where there is none. It may be reused after `release` by what is queued on
   * the stream later. */
  uint64_t (*allocate)(size_t bytes, void *user);
  void (*release)(uint64_t address, void *user);
  void *user;
} LattnCudaCall;

/** As lattnCallableCall, with arrays on the device. Memory of results is what
 * `allocate` made and `release` did not get, or an argument's:
 * lattnArrayRelease leaves it alone. Scalar results are on the host. */
LATTN_C_EXPORT LattnError lattnCudaCallableCall(
    const LattnCudaCallable *callable, const LattnArray *arguments,
    intptr_t numArguments, const LattnCudaCall *call, LattnArray *results);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_CUDACALLABLE_H */
