//===- Support.cpp - Errors, threads, version -----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/Support.h"
#include "lattn/Runtime/Parallel.h"
#include <cstdlib>

void lattnErrorFree(LattnError error) { std::free(error); }

void lattnTextFree(char *text) { std::free(text); }

const char *lattnGetVersion() { return LATTN_VERSION; }

void lattnSetNumThreads(int64_t n) { lattn_set_num_threads(n); }
int64_t lattnGetNumThreads() { return lattn_get_num_threads(); }
