//===- Call.cpp - Compiling a case and calling it with strided arrays -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// lattn::Invocation passes dense arrays; here any strides are wanted.

#include "Call.h"
#include "Emulate.h"
#include "lattn/Execution/CodeGen.h"
#include "lattn/Execution/Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace lattn;
using namespace lattn::sweep;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// The code for the options' CPU, on this one.
static Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileEmulated(mlir::ModuleOp source, const CompileOptions &options) {
  auto module = lowerToLLVM(source, options);
  if (!module)
    return module.takeError();
  emulateIntrinsics(**module);
  Expected<TargetInfo> host = getTargetInfo();
  if (!host)
    return host.takeError();
  return compileToObject(**module, *host);
}

Expected<Compiled> Compiled::create(mlir::ModuleOp module, const Case &c,
                                    CompileOptions options) {
  options.useCommandLine = true;
  bool isEmulated = c.isEmulated && options.pipeline == Pipeline::LLVM;
  auto object = isEmulated ? compileEmulated(module, options)
                           : compileToObject(module, options);
  if (!object)
    return object.takeError();
  llvm::SmallVector<std::pair<llvm::StringRef, void *>> given;
  if (isEmulated)
    given = getEmulation();
  Expected<std::unique_ptr<Jit>> jit = Jit::load(std::move(*object), given);
  if (!jit)
    return jit.takeError();
  Compiled compiled;
  compiled.jit = std::move(*jit);
  Expected<PackedFunction> packed = compiled.jit->lookupPacked("attention");
  if (!packed)
    return packed.takeError();
  compiled.packed = *packed;
  return compiled;
}

/// Results of functions on tensors: descriptors one behind the other.
static Results takeResults(const Case &c, const std::vector<int64_t> &fields) {
  Results results;
  constexpr size_t outputRank = 4, lseRank = 3, lseAt = 3 + 2 * outputRank;
  results.output = loadDescriptor(c.kind, fields.data(), outputRank);
  if (c.lse)
    results.lse =
        loadDescriptor(c.getAccumulator(), fields.data() + lseAt, lseRank);
  for (size_t at : {size_t(0), lseAt})
    if (auto *block = reinterpret_cast<void *>(fields[at]);
        isAllocatedByCode(block))
      releaseFromCode(block);
  return results;
}

static Error checkArguments(const std::vector<Argument> &arguments,
                            const std::vector<std::vector<char>> &before,
                            Results &results) {
  for (auto [argument, memory] : llvm::zip_equal(arguments, before)) {
    if (!argument.array)
      continue;
    if (!argument.isOutput) {
      if (argument.array->getMemory() != memory)
        return createStringError("it wrote to its input '" + argument.name +
                                 "'");
      continue;
    }
    if (!argument.array->isPaddingIntact())
      return createStringError("it wrote beside its destination '" +
                               argument.name + "'");
    (argument.name == "lse" ? results.lse : results.output) =
        argument.array->load();
  }
  return Error::success();
}

Expected<Results> Compiled::call(const Case &c,
                                 std::vector<Argument> &arguments) {
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<std::vector<char>> before;
  std::vector<int64_t> resultFields(20);
  std::vector<void *> pointers;
  if (!c.memrefs)
    pointers.push_back(resultFields.data());
  for (Argument &argument : arguments) {
    before.emplace_back();
    if (!argument.array) {
      pointers.push_back(&argument.integer);
      continue;
    }
    before.back() = argument.array->getMemory();
    if (argument.isOutput) // of an earlier call
      argument.array->setMemory(
          std::vector<char>(before.back().size(), '\xff'));
    descriptors.push_back(argument.array->getDescriptor());
    pointers.push_back(descriptors.back().data());
  }
  int64_t bytes = getCodeBytes();
  packed(pointers.data());
  Results results;
  if (!c.memrefs)
    results = takeResults(c, resultFields);
  if (Error error = checkArguments(arguments, before, results))
    return error;
  if (getCodeBytes() != bytes)
    return createStringError("it kept " +
                             std::to_string(getCodeBytes() - bytes) +
                             " bytes of memory");
  return results;
}
