//===- CacheTuned.cpp - Measured tile sizes in the cache's folder ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One JSON file for each target and version of lattn. It is replaced as a
// whole, under a lock, so that nobody's results are lost.

#include "../Arrays/FileAccess.h"
#include "CacheFolder.h"
#include "lattn/Execution/Cache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace lattn {

static bool fromJSON(const json::Value &value, TileSizes &sizes,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("queries", sizes.query) || !map.map("keys", sizes.key))
    return false;
  if (!sizes.isInBounds())
    path.report("expected 1 to 512 queries and 1 to 4096 keys");
  return sizes.isInBounds();
}

static json::Value toJSON(const TileSizes &sizes) {
  return json::Object{{"queries", sizes.query}, {"keys", sizes.key}};
}

static bool fromJSON(const json::Value &value, TunedKernel &kernel,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("kernel", kernel.kernel) ||
      !map.map("tile", kernel.sizes) ||
      !map.map("milliseconds", kernel.milliseconds) ||
      !map.map("model_tile", kernel.modelSizes) ||
      !map.map("model_milliseconds", kernel.modelMilliseconds))
    return false;
  // It becomes part of a pass's option.
  bool isName =
      !kernel.kernel.empty() && llvm::all_of(kernel.kernel, [](char c) {
        return llvm::isAlnum(c) || StringRef("._-").contains(c);
      });
  if (!isName)
    path.field("kernel").report("expected a kernel's name");
  return isName;
}

static json::Value toJSON(const TunedKernel &kernel) {
  return json::Object{{"kernel", kernel.kernel},
                      {"tile", kernel.sizes},
                      {"milliseconds", kernel.milliseconds},
                      {"model_tile", kernel.modelSizes},
                      {"model_milliseconds", kernel.modelMilliseconds}};
}

} // namespace lattn

namespace {

struct TunedFile {
  std::string version, triple, cpu, features;
  std::vector<TunedKernel> kernels;
};

bool fromJSON(const json::Value &value, TunedFile &file, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("lattn", file.version) &&
         map.map("triple", file.triple) && map.map("cpu", file.cpu) &&
         map.map("features", file.features) && map.map("kernels", file.kernels);
}

json::Value toJSON(const TunedFile &file) {
  return json::Object{{"lattn", file.version},
                      {"triple", file.triple},
                      {"cpu", file.cpu},
                      {"features", file.features},
                      {"kernels", file.kernels}};
}

} // namespace

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

std::string Cache::getTunedPath(const TargetInfo &target) const {
  std::string all = llvm::join_items("\n", LATTN_VERSION, target.triple,
                                     target.cpu, target.features);
  auto hash = llvm::BLAKE3::hash<8>(llvm::arrayRefFromStringRef<uint8_t>(all));
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, kTunedPrefix + target.cpu + "-" +
                                    llvm::toHex(hash, /*LowerCase=*/true) +
                                    ".json");
  return path.str().str();
}

static Expected<TunedFile> parse(StringRef text, const TargetInfo &target) {
  Expected<TunedFile> file = json::parse<TunedFile>(text, "file");
  if (!file)
    return createStringError("damaged: " + llvm::toString(file.takeError()));
  auto check = [](StringRef what, StringRef expected, StringRef got) -> Error {
    if (expected == got)
      return Error::success();
    return createStringError("tile sizes for " + what + " '" + got +
                             "', expected '" + expected + "'");
  };
  if (Error error = check("lattn", LATTN_VERSION, file->version))
    return error;
  if (Error error = check("triple", target.triple, file->triple))
    return error;
  if (Error error = check("CPU", target.cpu, file->cpu))
    return error;
  if (Error error = check("features", target.features, file->features))
    return error;
  return file;
}

/// What is stored; nothing, after a warning, where that is damaged.
static std::vector<TunedKernel> read(const std::string &path,
                                     const TargetInfo &target) {
  std::unique_ptr<llvm::MemoryBuffer> bytes = readTrusted(path);
  if (!bytes)
    return {};
  Expected<TunedFile> file = parse(bytes->getBuffer(), target);
  if (file)
    return std::move(file->kernels);
  warnOfCache(quoteCache(path), file.takeError());
  return {};
}

TunedTiles Cache::readTuned(const TargetInfo &target) const {
  TunedTiles tuned;
  for (TunedKernel &kernel : read(getTunedPath(target), target))
    tuned[std::move(kernel.kernel)] = kernel.sizes;
  return tuned;
}

Expected<std::string> Cache::storeTuned(const TargetInfo &target,
                                        ArrayRef<TunedKernel> kernels) const {
  std::string path = getTunedPath(target);
  // The lock goes with the process. Without one, at worst others' results are
  // lost.
  int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  llvm::scope_exit unlock([&] { ::close(lock); });
  ::flock(lock, LOCK_EX);
  TunedFile file = {LATTN_VERSION, target.triple, target.cpu, target.features,
                    read(path, target)};
  for (const TunedKernel &kernel : kernels) {
    llvm::erase_if(file.kernels, [&](const TunedKernel &other) {
      return other.kernel == kernel.kernel;
    });
    file.kernels.push_back(kernel);
  }
  std::string text = llvm::formatv("{0:2}\n", json::Value(toJSON(file)));
  if (Error error = writeParts(path, StringRef(text), 0600))
    return createStringError("cannot write '" + path +
                             "': " + llvm::toString(std::move(error)));
  return path;
}
