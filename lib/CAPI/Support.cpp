//===- Support.cpp - Errors, threads, version -----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/Support.h"
#include "Unwrap.h"
#include "lattn/Execution/Cache.h"
#include "lattn/Runtime/Parallel.h"
#include "lattn/Runtime/Warnings.h"
#include "lattn/Target/MatmulBlock.h"
#include "lattn/Target/TargetInfo.h"
#include <cstdlib>
#include <cstring>

void lattnErrorFree(LattnError error) { std::free(error); }

void lattnTextFree(char *text) { std::free(text); }

const char *lattnGetVersion() { return LATTN_VERSION; }

LattnError lattnSetNumThreads(int64_t n) {
  if (n > lattn::kMostThreads)
    return lattn::makeError(llvm::createStringError(
        "threads: expected at most " + std::to_string(lattn::kMostThreads) +
        ", got " + std::to_string(n)));
  lattn_set_num_threads(n);
  return nullptr;
}
int64_t lattnGetNumThreads() { return lattn_get_num_threads(); }

LattnError lattnGetMatmulBlock(int64_t *rows, int64_t *columns) {
  if (llvm::Error error =
          lattn::requireAll({{rows, "a place for the rows"},
                             {columns, "a place for the columns"}}))
    return lattn::makeError(std::move(error));
  llvm::Expected<lattn::TargetInfo> target = lattn::getTargetInfo();
  if (!target)
    return lattn::makeError(target.takeError());
  lattn::MatmulBlock block =
      lattn::chooseMatmulBlock(target->vectorBits, target->vectorRegisters);
  *rows = block.rows;
  *columns = block.vectors * target->getLanes(32);
  return nullptr;
}

LattnError lattnGetHost(LattnHost *host) {
  if (!host)
    return lattn::makeError(lattn::makeNullError("a place for the host"));
  llvm::Expected<lattn::TargetInfo> target = lattn::getTargetInfo();
  if (!target)
    return lattn::makeError(target.takeError());
  *host = {::strdup(target->cpu.c_str()), target->vectorBits,
           target->vectorRegisters, lattn::getBF16Name(target->bf16).data()};
  return nullptr;
}

void lattnSetWarningHandler(void (*handler)(const char *message)) {
  lattn::setWarningHandler(handler);
}

char *lattnGetCacheFolder() {
  std::optional<lattn::Cache> cache = lattn::Cache::open("");
  return ::strdup(cache ? cache->getFolder().str().c_str() : "");
}

void lattnSetInterruptCheck(bool (*check)(void *context), void *context) {
  lattn_set_interrupt_check(check, context);
}
