//===- PTXAssembler.cpp - From PTX to machine code, by ptxas --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/PTXAssembler.h"
#include "RunProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Its lines of errors as one text, with `file` by the name of "PTX".
static std::string getErrors(StringRef output, StringRef file) {
  std::string text;
  llvm::SmallVector<StringRef> lines;
  output.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (line.contains("ptxas info") || llvm::isSpace(line.front()))
      continue;
    text += (text.empty() ? "" : "\n") + line.str();
  }
  for (size_t at; (at = text.find(file.str())) != std::string::npos;)
    text.replace(at, file.size(), "PTX");
  return text;
}

Expected<AssembledPTX> lattn::assemblePTX(StringRef ptx, StringRef chip,
                                          const PTXAssemblerOptions &options) {
  Expected<std::string> program = findCUDATool("ptxas", options.path);
  if (!program)
    return program.takeError();
  TemporaryFile source, cubin;
  if (Error error = source.create("ptx", ptx))
    return error;
  if (Error error = cubin.create("cubin"))
    return error;
  std::string architecture = ("-arch=" + chip).str();
  llvm::SmallVector<StringRef> arguments = {
      *program, "-v", "-O3", architecture, source.path, "-o", cubin.path};
  llvm::append_range(arguments, options.arguments);
  Expected<ProgramOutput> output = runProgram(*program, arguments);
  if (!output)
    return output.takeError();
  if (output->status != 0) {
    std::string errors = getErrors(output->text, source.path);
    if (errors.empty())
      errors = "'" + *program + "' ended with exit code " +
               std::to_string(output->status);
    return createStringError(errors);
  }
  Expected<std::string> bytes = cubin.read();
  if (!bytes)
    return bytes.takeError();
  if (!StringRef(*bytes).starts_with("\x7f"
                                     "ELF"))
    return createStringError("'" + *program + "' wrote no cubin");
  return AssembledPTX{std::move(*bytes), parsePTXReport(output->text)};
}
