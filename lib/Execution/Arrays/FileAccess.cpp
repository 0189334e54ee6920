//===- FileAccess.cpp - Files that are read and replaced whole ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileAccess.h"
#include "NpyHeader.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace lattn;
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

static std::string getFolder(StringRef path) {
  std::string folder = llvm::sys::path::parent_path(path).str();
  return folder.empty() ? "." : folder;
}

static Error findWriteObstacle(StringRef path) {
  fs::file_status status;
  std::error_code code = fs::status(path, status);
  if (code && code != std::errc::no_such_file_or_directory)
    return llvm::errorCodeToError(code);
  Expected<std::string> target = resolveTarget(path);
  if (!target)
    return target.takeError();
  if (::access(getFolder(*target).c_str(), W_OK | X_OK))
    return llvm::errorCodeToError(llvm::errnoAsErrorCode());
  return Error::success();
}

Error lattn::checkWritable(StringRef path) {
  if (Error error = findWriteObstacle(path))
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return Error::success();
}

/// Calls `create` with names beside `target` until one is new. LLVM's own
/// temporary files would take every '%' in the path for a random digit.
static Expected<std::string>
createBeside(StringRef target,
             llvm::function_ref<std::error_code(const std::string &)> create) {
  for (unsigned attempt = 0;; ++attempt) {
    std::string path = (target + "." + Twine(Process::getProcessId()) + "-" +
                        Twine(attempt) + ".tmp")
                           .str();
    std::error_code code = create(path);
    if (!code)
      return path;
    if (code != std::errc::file_exists)
      return llvm::errorCodeToError(code);
  }
}

/// A file without a name in the folder of `target`: nothing is left of it
/// however the process ends. -1 where the file system has none.
static int openUnnamed(StringRef target, unsigned mode) {
#ifdef O_TMPFILE
  return ::open(getFolder(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC,
                mode);
#else
  return -1;
#endif
}

static std::error_code nameFile(int descriptor, const std::string &path) {
  std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, path.c_str(),
               AT_SYMLINK_FOLLOW))
    return llvm::errnoAsErrorCode();
  return std::error_code();
}

/// Writes `parts` to a new file beside `target` and returns its path.
static Expected<std::string>
writeBeside(StringRef target, ArrayRef<StringRef> parts, unsigned mode) {
  int descriptor = openUnnamed(target, mode);
  bool unnamed = descriptor >= 0;
  std::string temporary;
  if (!unnamed) {
    auto created = createBeside(target, [&](const std::string &path) {
      return fs::openFileForWrite(path, descriptor, fs::CD_CreateNew,
                                  fs::OF_None, mode);
    });
    if (!created)
      return created.takeError();
    temporary = std::move(*created);
  }
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  for (StringRef part : parts)
    os << part;
  os.flush();
  if (unnamed && !os.has_error()) {
    auto created = createBeside(target, [&](const std::string &path) {
      return nameFile(descriptor, path);
    });
    if (!created)
      return created.takeError();
    temporary = std::move(*created);
  }
  os.close();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    return temporary;
  if (!temporary.empty())
    fs::remove(temporary);
  return llvm::errorCodeToError(code);
}

Error lattn::writeParts(StringRef path, ArrayRef<StringRef> parts,
                        unsigned mode) {
  Expected<std::string> target = resolveTarget(path);
  if (!target)
    return target.takeError();
  Expected<std::string> temporary = writeBeside(*target, parts, mode);
  if (!temporary)
    return temporary.takeError();
  std::error_code code = fs::rename(*temporary, *target);
  if (!code)
    return Error::success();
  fs::remove(*temporary);
  return llvm::errorCodeToError(code);
}
