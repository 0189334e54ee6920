//===- Passes.cpp - Passes on modules' text for Python --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "Module.h"
#include "lattn-c/Module.h"
#include "lattn-c/Support.h"
#include <memory>

using namespace lattn::python;

using Change = LattnError (*)(LattnModule *module, const std::string &argument,
                              std::string &result);

/// What `change` makes of the module of `text`.
static std::string transform(const nb::bytes &text, const std::string &name,
                             const std::string &argument, Change change) {
  std::string result;
  auto run = [&]() -> LattnError {
    std::unique_ptr<LattnContext, decltype(&lattnContextDestroy)> context(
        lattnContextCreate(), lattnContextDestroy);
    LattnModule *parsed = nullptr;
    if (LattnError error = lattnModuleParse(context.get(), text.c_str(),
                                            text.size(), name.c_str(), &parsed))
      return error;
    std::unique_ptr<LattnModule, decltype(&lattnModuleDestroy)> module(
        parsed, lattnModuleDestroy);
    return change(module.get(), argument, result);
  };
  LattnError error;
  {
    nb::gil_scoped_release unlocked;
    error = run();
  }
  if (error)
    throwRuntimeError(takeText(error));
  return result;
}

static void take(char *text, std::string &result) {
  result = text;
  lattnTextFree(text);
}

std::string lattn::python::runPasses(nb::bytes text, const std::string &name,
                                     const std::string &pipeline) {
  return transform(text, name, pipeline,
                   [](LattnModule *module, const std::string &pipeline,
                      std::string &result) -> LattnError {
                     if (LattnError error =
                             lattnModuleRunPipeline(module, pipeline.c_str()))
                       return error;
                     take(lattnModulePrint(module), result);
                     return nullptr;
                   });
}

std::string lattn::python::compilePTX(nb::bytes text, const std::string &name,
                                      const std::string &chip) {
  return transform(text, name, chip,
                   [](LattnModule *module, const std::string &chip,
                      std::string &result) -> LattnError {
                     char *ptx;
                     if (LattnError error =
                             lattnModuleCompilePTX(module, chip.c_str(), &ptx))
                       return error;
                     take(ptx, result);
                     return nullptr;
                   });
}
