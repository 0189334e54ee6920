//===- FileAccess.cpp - Files that are read and replaced whole ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileAccess.h"
#include "NpyHeader.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using llvm::sys::Process;
namespace fs = llvm::sys::fs;

Error lattn::checkRegularFile(StringRef path, uint64_t &size) {
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return llvm::errorCodeToError(code);
  if (!fs::is_regular_file(status))
    return makeNumpyError("not a regular file");
  size = status.getSize();
  return Error::success();
}

Expected<std::string> lattn::resolveTarget(StringRef path) {
  if (!fs::exists(path))
    return path.str();
  uint64_t size;
  if (Error error = checkRegularFile(path, size))
    return error;
  if (!fs::can_write(path))
    return llvm::errorCodeToError(
        std::make_error_code(std::errc::permission_denied));
  llvm::SmallString<128> resolved;
  if (std::error_code code = fs::real_path(path, resolved))
    return llvm::errorCodeToError(code);
  return resolved.str().str();
}

/// Creates a new file beside `target`. LLVM's own temporary files would take
/// every '%' in the path for a random digit.
static Expected<std::string> createBeside(StringRef target, int &descriptor,
                                          unsigned mode) {
  for (unsigned attempt = 0;; ++attempt) {
    std::string path = (target + "." + Twine(Process::getProcessId()) + "-" +
                        Twine(attempt) + ".tmp")
                           .str();
    std::error_code code = fs::openFileForWrite(
        path, descriptor, fs::CD_CreateNew, fs::OF_None, mode);
    if (!code)
      return path;
    if (code != std::errc::file_exists)
      return llvm::errorCodeToError(code);
  }
}

Error lattn::writeParts(StringRef path, ArrayRef<StringRef> parts,
                        unsigned mode) {
  Expected<std::string> target = resolveTarget(path);
  if (!target)
    return target.takeError();
  int descriptor = -1;
  Expected<std::string> temporary = createBeside(*target, descriptor, mode);
  if (!temporary)
    return temporary.takeError();
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  for (StringRef part : parts)
    os << part;
  os.close();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    code = fs::rename(*temporary, *target);
  if (!code)
    return Error::success();
  fs::remove(*temporary);
  return llvm::errorCodeToError(code);
}
