//===- LinkShared.cpp - A shared library of compiled code -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Target/RunProgram.h"
#include "Forms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// What others see of the library.
static constexpr const char *kExports =
    "{\n  global: _mlir_ciface_*; lattn_check_sizes_*; lattn_set_num_threads; "
    "lattn_get_num_threads; lattn_requested_threads;\n  local: *;\n};\n";

/// The C compiler, which knows how to link: $CC, or the first found.
static Expected<std::string> findCompiler() {
  std::vector<std::string> names = {"cc", "gcc", "clang", "clang-22"};
  if (auto named = llvm::sys::Process::GetEnv("CC"); named && !named->empty())
    names = {*named};
  for (const std::string &name : names)
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return createStringError("cannot link: no C compiler: looked for " +
                           llvm::join(names, ", "));
}

/// Of the build or the installation that this program is of.
static Expected<std::string> findRuntime() {
  std::string program = llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findRuntime));
  StringRef prefix = path::parent_path(path::parent_path(program));
  std::string looked;
  for (StringRef folder : {StringRef(LATTN_LIBRARY_DIR), StringRef("lib")}) {
    SmallString<128> file(prefix);
    path::append(file, folder, "liblattn_runtime.a");
    if (llvm::sys::fs::exists(file))
      return file.str().str();
    looked += (looked.empty() ? "" : ", ") + file.str().str();
  }
  return createStringError("cannot link: no lattn runtime: looked for " +
                           looked);
}

Expected<std::string> lattn::linkShared(StringRef object, StringRef output) {
  Expected<std::string> compiler = findCompiler();
  if (!compiler)
    return compiler.takeError();
  Expected<std::string> runtime = findRuntime();
  if (!runtime)
    return runtime.takeError();
  TemporaryFile source, exports, library;
  if (Error error = source.create("o", object))
    return error;
  if (Error error = exports.create("map", kExports))
    return error;
  if (Error error = library.create("so"))
    return error;
  std::string name = ("-Wl,-soname," + path::filename(output)).str();
  std::string script = ("-Wl,--version-script=" + exports.path).str();
  // Loops on threads instead of those on one, which are weak.
  StringRef arguments[] = {*compiler,
                           "-shared",
                           "-o",
                           library.path,
                           source.path,
                           "-Wl,-u,lattn_set_num_threads",
                           *runtime,
                           name,
                           script,
                           "-Wl,-z,defs",
                           "-Wl,--gc-sections",
                           "-Wl,--as-needed",
                           "-lm",
                           "-ldl"};
  Expected<ProgramOutput> linked = runProgram(*compiler, arguments);
  if (!linked)
    return linked.takeError();
  if (linked->status != 0)
    return createStringError("cannot link with '" + *compiler + "':\n" +
                             StringRef(linked->text).trim().str());
  return library.read();
}
