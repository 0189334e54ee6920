//===- Jit.cpp - An object file in this process ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Jit.h"
#include "lattn/Execution/Memory.h"
#include "lattn/Runtime/BFloat16.h"
#include "lattn/Runtime/Check.h"
#include "lattn/Runtime/Failure.h"
#include "lattn/Runtime/Parallel.h"
#include "lattn/Runtime/TileData.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace llvm;
using namespace lattn;

// What memref-to-llvm calls with its generic allocation functions.
static void *allocate(int64_t bytes) { return allocateForCode(bytes, 1); }
static void *allocateAligned(int64_t alignment, int64_t bytes) {
  return allocateForCode(bytes, alignment);
}

// The compiler's own, which code for CPUs without F16C calls.
#ifdef __x86_64__
extern "C" {
float __extendhfsf2(_Float16 value);
_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
}
#endif

/// The runtime by address: nothing has to be exported from the executable.
static orc::SymbolMap getRuntime(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                          JITSymbolFlags::Exported |
                                              JITSymbolFlags::Callable};
  };
  add("_mlir_memref_to_llvm_alloc", allocate);
  add("_mlir_memref_to_llvm_aligned_alloc", allocateAligned);
  add("_mlir_memref_to_llvm_free", releaseFromCode);
  add("_mlir_memref_to_llvm_aligned_free", releaseFromCode);
  add("lattn_parallel_for", lattn_parallel_for);
  add("lattn_fail", lattn_fail);
  add("lattn_describe_sizes", lattn_describe_sizes);
  add("lattn_request_tile_data", lattn_request_tile_data);
  add("__truncsfbf2", lattn_truncsfbf2);
  add("__truncdfbf2", lattn_truncdfbf2);
#ifdef __x86_64__
  add("__extendhfsf2", __extendhfsf2);
  add("__truncsfhf2", __truncsfhf2);
  add("__truncdfhf2", __truncdfhf2);
#endif
  add("lattn_check_report", lattn_check_report);
  add("lattn_check_failures", lattn_check_failures);
  return symbols;
}

Jit::Jit(std::unique_ptr<orc::LLJIT> jit) : jit(std::move(jit)) {}
Jit::~Jit() = default;

Expected<std::unique_ptr<Jit>>
Jit::load(std::unique_ptr<MemoryBuffer> object,
          ArrayRef<std::pair<StringRef, void *>> given) {
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  orc::JITDylib &main = (*jit)->getMainJITDylib();
  orc::SymbolMap symbols = getRuntime(**jit);
  for (auto [name, address] : given)
    symbols[(*jit)->mangleAndIntern(name)] = {
        orc::ExecutorAddr::fromPtr(address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error error = main.define(orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = (*jit)->addObjectFile(std::move(object)))
    return error;
  return std::unique_ptr<Jit>(new Jit(std::move(*jit)));
}

Expected<PackedFunction> Jit::lookupPacked(StringRef name) {
  Expected<orc::ExecutorAddr> address = jit->lookup(getPackedName(name));
  if (!address)
    return address.takeError();
  return address->toPtr<PackedFunction>();
}
