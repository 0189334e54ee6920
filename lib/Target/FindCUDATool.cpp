//===- FindCUDATool.cpp - Programs of NVIDIA's toolkit --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/PTXAssembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string getEnvironment(const char *name) {
  return llvm::sys::Process::GetEnv(name).value_or("");
}

/// The folders in `folder` whose names start with `prefix`, the last first.
static std::vector<std::string> listFolders(StringRef folder,
                                            StringRef prefix) {
  std::vector<std::string> found;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; !code && it != end;
       it.increment(code))
    if (path::filename(it->path()).starts_with(prefix))
      found.push_back(it->path());
  llvm::sort(found, std::greater<>());
  return found;
}

/// Where NVIDIA's Python packages have their programs.
static std::vector<std::string> getPackageFolders(StringRef environment) {
  std::vector<std::string> folders;
  for (const std::string &python :
       listFolders((environment + "/lib").str(), "python"))
    for (const std::string &version :
         listFolders(python + "/site-packages/nvidia", "cu"))
      folders.push_back(version + "/bin");
  return folders;
}

Expected<std::string> lattn::findCUDATool(StringRef program, StringRef given) {
  std::string named = given.str();
  if (named.empty() && program == "ptxas")
    named = getEnvironment("LATTN_PTXAS");
  if (!named.empty()) {
    // A path, which is not looked at there, or a name in PATH.
    auto found = llvm::sys::findProgramByName(named);
    std::error_code code = found.getError();
    if (!code)
      code = fs::access(*found, fs::AccessMode::Execute);
    if (!code)
      return *found;
    return createStringError("cannot run '" + named + "': " + code.message());
  }
  if (auto found = llvm::sys::findProgramByName(program))
    return *found;
  std::string looked = "PATH";
  std::vector<std::string> folders;
  std::string home = getEnvironment("CUDA_HOME");
  if (!home.empty())
    folders.push_back(home + "/bin");
  folders.push_back("/usr/local/cuda/bin");
  std::string environment = getEnvironment("VIRTUAL_ENV");
  if (!environment.empty())
    llvm::append_range(folders, getPackageFolders(environment));
  for (const std::string &folder : folders) {
    if (auto found = llvm::sys::findProgramByName(program, {folder}))
      return *found;
    looked += ", " + folder;
  }
  return createStringError(program + " not found: looked in " + looked);
}
