//===- PTXAssembler.cpp - From PTX to machine code, by ptxas --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/PTXAssembler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// A kernel takes seconds; this is a hang.
static constexpr unsigned kMaxSeconds = 600;

//===----------------------------------------------------------------------===//
// Writing and reading files
//===----------------------------------------------------------------------===//

namespace {

/// Is gone at the end of its scope.
struct TemporaryFile {
  SmallString<128> path;
  llvm::FileRemover remover;

  Error create(StringRef suffix, StringRef text = {}) {
    int descriptor;
    if (std::error_code code =
            fs::createTemporaryFile("lattn", suffix, descriptor, path))
      return createStringError("cannot make a temporary file: " +
                               code.message());
    remover.setFile(path);
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
    os.close();
    std::error_code code = os.error();
    os.clear_error();
    if (code)
      return createStringError("cannot write '" + path.str().str() +
                               "': " + code.message());
    return Error::success();
  }
  Expected<std::string> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return createStringError("cannot read '" + path.str().str() +
                               "': " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Running ptxas
//===----------------------------------------------------------------------===//

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

static Expected<std::string>
runPTXAssembler(const std::string &program, llvm::ArrayRef<StringRef> arguments,
                StringRef source) {
  TemporaryFile output;
  if (Error error = output.create("txt"))
    return error;
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(output.path),
                                          StringRef(output.path)};
  std::string reason;
  bool failed = false;
  int status = llvm::sys::ExecuteAndWait(
      program, arguments, /*Env=*/std::nullopt, redirects, kMaxSeconds,
      /*MemoryLimit=*/0, &reason, &failed);
  Expected<std::string> text = output.read();
  if (!text || status == 0)
    return text;
  if (failed || status < 0) // did not start, or was ended by a signal
    return createStringError("cannot run '" + program +
                             "': " + StringRef(reason).trim().str());
  std::string errors = getErrors(*text, source);
  if (errors.empty())
    errors = "'" + program + "' ended with exit code " + std::to_string(status);
  return createStringError(errors);
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
  Expected<std::string> output =
      runPTXAssembler(*program, arguments, source.path);
  if (!output)
    return output.takeError();
  Expected<std::string> bytes = cubin.read();
  if (!bytes)
    return bytes.takeError();
  if (!StringRef(*bytes).starts_with("\x7f"
                                     "ELF"))
    return createStringError("'" + *program + "' wrote no cubin");
  return AssembledPTX{std::move(*bytes), parsePTXReport(*output)};
}
