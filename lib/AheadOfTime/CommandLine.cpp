//===- CommandLine.cpp - lattn-compile's options --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"
#include "lattn/ToolOptions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace lattn;

namespace {

using Text = cl::opt<std::string>;

/// The options exist while the command line is read, and nowhere else.
struct CommandLine {
  cl::OptionCategory category{"lattn-compile options"};
  cl::cat in{category};

  Text file{cl::Positional, cl::desc("FILE.mlir ('-': standard input)"),
            cl::init("-"), in};
  Text output{"o", cl::value_desc("file"),
              cl::desc("File to write ('-': standard output)"), in};
  Text emit{
      "emit", cl::value_desc("obj|shared|header|llvm-ir|ptx|cubin"),
      cl::desc("Object file, shared library, C header, LLVM IR, or a GPU's "
               "kernels; default: obj or ptx"),
      in};
  Text target{"target", cl::value_desc("host|cuda"),
              cl::desc("What to compile for; default: by --emit"), in};
  cl::opt<bool> raise{
      "raise",
      cl::desc("Find attention in linalg operations first, by lattn-raise"),
      in};
  Text cpu{"mcpu", cl::desc("CPU to compile for; default: this one"), in};
  Text attributes{"mattr", cl::desc("CPU features, e.g. +avx2,-avx512f"), in};
  Text chip{"chip", cl::desc("GPU to compile for, such as sm_90a"),
            cl::init("sm_80"), in};
  Text gpuOptions{"gpu-options", cl::value_desc("options"),
                  cl::desc("Options of the pipeline lattn-to-nvvm, e.g. "
                           "'query-tile=128 warps=8'"),
                  in};
  Text launchRecord{"launch-record", cl::value_desc("file.json"),
                    cl::desc("Also write how to launch the kernels, as JSON"),
                    in};
};

} // namespace

static Error readEmit(StringRef text, Emit &emit) {
  std::optional<Emit> known = llvm::StringSwitch<std::optional<Emit>>(text)
                                  .Case("obj", Emit::Object)
                                  .Case("shared", Emit::Shared)
                                  .Case("header", Emit::Header)
                                  .Case("llvm-ir", Emit::LLVMIR)
                                  .Case("ptx", Emit::PTX)
                                  .Case("cubin", Emit::Cubin)
                                  .Default(std::nullopt);
  if (!known)
    return createStringError("--emit: expected obj, shared, header, llvm-ir, "
                             "ptx or cubin, got '" +
                             text.str() + "'");
  emit = *known;
  return Error::success();
}

/// What to write, and that the other options are for it.
static Error readTarget(const CommandLine &line, AheadOfTimeOptions &options) {
  const std::string &target = line.target;
  if (!target.empty() && target != "host" && target != "cuda")
    return createStringError("--target: expected host or cuda, got '" + target +
                             "'");
  std::string emit = line.emit;
  if (emit.empty())
    emit = target == "cuda" ? "ptx" : "obj";
  if (Error error = readEmit(emit, options.emit))
    return error;
  bool forGPU = isForGPU(options.emit);
  if (!target.empty() && forGPU != (target == "cuda"))
    return createStringError("--target=" + target + ": --emit=" + emit +
                             " is for " + (forGPU ? "cuda" : "host"));
  if (forGPU && !(line.cpu.empty() && line.attributes.empty()))
    return createStringError("--mcpu and --mattr: --emit=" + emit +
                             " is for a GPU, which --chip names");
  if (!forGPU && line.chip.getNumOccurrences())
    return createStringError("--chip: --emit=" + emit +
                             " is for the host, whose CPU --mcpu names");
  for (const Text *text : {&line.gpuOptions, &line.launchRecord})
    if (!forGPU && text->getNumOccurrences())
      return createStringError("--" + text->ArgStr.str() + ": --emit=" + emit +
                               " is for the host");
  LattnToNVVMOptions checked;
  if (Error error = readGPUOptions(line.gpuOptions, checked))
    return error;
  if (checked.chip.getNumOccurrences())
    return createStringError("--gpu-options: expected the chip in --chip");
  options.compile.raise = line.raise;
  options.compile.cpu = line.cpu;
  options.compile.attributes = line.attributes;
  options.chip = line.chip;
  options.gpuOptions = line.gpuOptions;
  options.launchRecord = line.launchRecord;
  return Error::success();
}

Expected<AheadOfTimeOptions> lattn::parseAheadOfTimeOptions(int argc,
                                                            char **argv) {
  resetToolOptions();
  CommandLine line;
  if (Error error =
          readToolOptions(argc, argv, "Compiles an MLIR file ahead of time\n",
                          line.category, line.file))
    return error;
  AheadOfTimeOptions options;
  options.file = line.file;
  options.output = line.output;
  if (options.output.empty())
    return createStringError("-o FILE is missing");
  if (Error error = readTarget(line, options))
    return error;
  return options;
}
