/*===- lattn-c/CUDACallable.h - Call compiled MLIR on a GPU -------*- C -*-===*\
|*                                                                            *|
|* Part of the lattn project, under the Apache License v2.0 with LLVM         *|
|* Exceptions. See the file LICENSE for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Functions of arrays in a GPU's memory. A call queues its work on the       *|
|* caller's stream and does not wait. The caller provides the memory.         *|
|* A kernel is compiled and loaded when a call first needs it, which the      *|
|* driver refuses while a graph is captured. Later calls can be captured.     *|
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

/** Compiles as lattnCallableCreate does, for the GPU `device` in the driver's
 * numbering. Of `options` only the cache counts; the host's code is for this
 * machine. `stream` (a CUstream) is the stream of the first call. It is an
 * error if a graph is being captured from it. */
LATTN_C_EXPORT LattnError
lattnCudaCallableCreate(const char *text, size_t length, const char *bufferName,
                        const char *entry, const LattnCompileOptions *options,
                        int device, void *stream, LattnCudaCallable **callable);

/** The work of no call may be running. Does nothing for NULL. */
LATTN_C_EXPORT void lattnCudaCallableDestroy(LattnCudaCallable *callable);

/** As lattnCallableGetNumArguments, and so on. */
LATTN_C_EXPORT intptr_t
lattnCudaCallableGetNumArguments(const LattnCudaCallable *callable);
LATTN_C_EXPORT intptr_t
lattnCudaCallableGetNumResults(const LattnCudaCallable *callable);
LATTN_C_EXPORT LattnValueInfo
lattnCudaCallableGetArgument(const LattnCudaCallable *callable, intptr_t i);
LATTN_C_EXPORT LattnValueInfo
lattnCudaCallableGetResult(const LattnCudaCallable *callable, intptr_t i);

typedef struct LattnCudaCall {
  void *stream; /**< CUstream */
  /** Returns the address of new memory on the device, a multiple of 256 bytes,
   * or 0 if there is none. After `release` it may be reused by work that is
   * queued on the stream later. */
  uint64_t (*allocate)(size_t bytes, void *user);
  void (*release)(uint64_t address, void *user);
  void *user;
} LattnCudaCall;

/** Calls as lattnCallableCall does, with arrays on the device. The memory of a
 * result comes from `allocate` and was not given to `release`, or belongs to an
 * argument. lattnArrayRelease does not free it. Scalar results are on the host.
 */
LATTN_C_EXPORT LattnError lattnCudaCallableCall(
    const LattnCudaCallable *callable, const LattnArray *arguments,
    intptr_t numArguments, const LattnCudaCall *call, LattnArray *results);

/** Compiles and loads the kernels that a call of such arguments on `stream`
 * needs, and runs nothing. A call does the same with those that are missing. */
LATTN_C_EXPORT LattnError lattnCudaCallablePrepare(
    const LattnCudaCallable *callable, const LattnArray *arguments,
    intptr_t numArguments, void *stream);

#ifdef __cplusplus
}
#endif

#endif /* LATTN_C_CUDACALLABLE_H */
