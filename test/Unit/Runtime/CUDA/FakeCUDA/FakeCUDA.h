//===- FakeCUDA.h - A CUDA driver without a GPU -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Stands in for libcuda: keeps to its rules on memory of the host, knows what
// is alive, and writes down each call. The environment tells it what to be:
//
//   FAKECUDA_VERSION=12080      what cuDriverGetVersion says
//   FAKECUDA_DEVICES=2          how many devices there are
//   FAKECUDA_CAPABILITY=9.0     compute capability
//   FAKECUDA_SHARED=232448      most shared memory of a block
//   FAKECUDA_STATIC_SHARED=0    static shared memory of each kernel
//   FAKECUDA_FAIL=cuMemAlloc#2=2  the second call fails with status 2; NAME=2
//                               each call, or each launch of a kernel, so named
//   FAKECUDA_STICKY=KERNEL=700  a launch of it succeeds, and every later call
//                               of the process fails with status 700
//   FAKECUDA_MISSING=NAME       a function that the driver lacks
//   FAKECUDA_KERNELS=FILE.so    FakeKernels by the names of kernels
//   FAKECUDA_LOG=FILE           gets the calls, and what is alive, at the end

#ifndef LATTN_UNITTEST_RUNTIME_CUDA_FAKECUDA_H
#define LATTN_UNITTEST_RUNTIME_CUDA_FAKECUDA_H

#define FAKECUDA_EXPORT extern "C" __attribute__((visibility("default")))

/// Stands in for a kernel's code.
using FakeKernel = void (*)(void **parameters, const unsigned *grid,
                            const unsigned *block);

/// What is alive: "contexts 1, modules 2", or nothing.
FAKECUDA_EXPORT const char *fakeCudaGetLive();
/// The calls since it was last asked, a line each; forgets them, and how often
/// each function was called.
FAKECUDA_EXPORT const char *fakeCudaTakeCalls();
/// Whether streams say that a graph is being captured from them.
FAKECUDA_EXPORT void fakeCudaSetCapturing(bool isCapturing);
/// What launches of kernels called `name` do from now on.
FAKECUDA_EXPORT void fakeCudaSetKernel(const char *name, FakeKernel kernel);

#endif // LATTN_UNITTEST_RUNTIME_CUDA_FAKECUDA_H
