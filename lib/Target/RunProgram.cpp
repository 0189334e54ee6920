//===- RunProgram.cpp - Other programs and files for them -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Error TemporaryFile::create(StringRef suffix, StringRef bytes) {
  int descriptor;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("lattn", suffix, descriptor, path))
    return createStringError("cannot make a temporary file: " + code.message());
  remover.setFile(path);
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << bytes;
  os.close();
  std::error_code code = os.error();
  os.clear_error();
  if (code)
    return createStringError("cannot write '" + path.str().str() +
                             "': " + code.message());
  return Error::success();
}

Expected<std::string> TemporaryFile::read() const {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read '" + path.str().str() +
                             "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<ProgramOutput> lattn::runProgram(StringRef program,
                                          llvm::ArrayRef<StringRef> arguments) {
  constexpr unsigned kMaxSeconds = 600;
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
  if (failed || status < 0)
    return createStringError("cannot run '" + program.str() +
                             "': " + StringRef(reason).trim().str());
  Expected<std::string> text = output.read();
  if (!text)
    return text.takeError();
  return ProgramOutput{status, std::move(*text)};
}
