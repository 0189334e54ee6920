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

static LattnError transform(const nb::bytes &text, const std::string &name,
                            const std::string &pipeline, std::string &result) {
  std::unique_ptr<LattnContext, decltype(&lattnContextDestroy)> context(
      lattnContextCreate(), lattnContextDestroy);
  LattnModule *parsed = nullptr;
  if (LattnError error = lattnModuleParse(context.get(), text.c_str(),
                                          text.size(), name.c_str(), &parsed))
    return error;
  std::unique_ptr<LattnModule, decltype(&lattnModuleDestroy)> module(
      parsed, lattnModuleDestroy);
  if (LattnError error = lattnModuleRunPipeline(module.get(), pipeline.c_str()))
    return error;
  char *printed = lattnModulePrint(module.get());
  result = printed;
  lattnTextFree(printed);
  return nullptr;
}

std::string lattn::python::runPasses(nb::bytes text, const std::string &name,
                                     const std::string &pipeline) {
  std::string result;
  LattnError error;
  {
    nb::gil_scoped_release unlocked;
    error = transform(text, name, pipeline, result);
  }
  if (error)
    throwRuntimeError(takeText(error));
  return result;
}
