//===- CacheKey.cpp - What compiled code depends on -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Cache.h"
#include "lattn/Target/PTXAssembler.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include <link.h>
#include <sys/stat.h>

using namespace lattn;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The running code
//===----------------------------------------------------------------------===//

static bool contains(const dl_phdr_info &file, uintptr_t address) {
  for (const ElfW(Phdr) &part : llvm::ArrayRef(file.dlpi_phdr, file.dlpi_phnum))
    if (part.p_type == PT_LOAD && address >= file.dlpi_addr + part.p_vaddr &&
        address < file.dlpi_addr + part.p_vaddr + part.p_memsz)
      return true;
  return false;
}

/// The linker's hash of the file, if it wrote one.
static StringRef getBuildId(const dl_phdr_info &file) {
  for (const ElfW(Phdr) &part :
       llvm::ArrayRef(file.dlpi_phdr, file.dlpi_phnum)) {
    if (part.p_type != PT_NOTE)
      continue;
    StringRef notes(
        reinterpret_cast<const char *>(file.dlpi_addr + part.p_vaddr),
        part.p_memsz);
    uint64_t alignment = std::max<uint64_t>(part.p_align, 4);
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, notes.data(), sizeof(note));
      uint64_t begin = sizeof(note) + llvm::alignTo(note.n_namesz, 4);
      StringRef name = notes.substr(sizeof(note), note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && name == StringRef("GNU", 4))
        return notes.substr(begin, note.n_descsz);
      notes = notes.drop_front(std::min<uint64_t>(
          notes.size(), llvm::alignTo(begin + note.n_descsz, alignment)));
    }
  }
  return {};
}

/// Failing a build id: which file, and from when.
static std::string getFileId(const dl_phdr_info &file) {
  StringRef name = file.dlpi_name;
  std::string path = name.empty() ? "/proc/self/exe" : name.str();
  struct stat status;
  if (::stat(path.c_str(), &status))
    return "";
  return llvm::join_items(" ", path, std::to_string(status.st_ino),
                          std::to_string(status.st_size),
                          std::to_string(status.st_mtim.tv_sec),
                          std::to_string(status.st_mtim.tv_nsec));
}

namespace {
struct Search {
  uintptr_t address;
  std::string id;
};
} // namespace

static int visitFile(dl_phdr_info *file, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!contains(*file, search.address))
    return 0;
  StringRef buildId = getBuildId(*file);
  search.id = buildId.empty() ? getFileId(*file) : llvm::toHex(buildId);
  return 1;
}

/// Identifies the build of the file that `function` is in; "" if nothing does.
template <typename Function> static std::string getBuild(Function *function) {
  Search search{reinterpret_cast<uintptr_t>(function), ""};
  dl_iterate_phdr(visitFile, &search);
  return search.id;
}

/// Builds of what makes code: lattn, MLIR and LLVM.
static const std::optional<std::vector<std::string>> &getCompiler() {
  static const auto compiler = []() -> std::optional<std::vector<std::string>> {
    std::vector<std::string> builds = {
        LATTN_VERSION, getBuild(&getCacheKey),
        getBuild(&mlir::applyPassManagerCLOptions),
        getBuild(&llvm::sys::getHostCPUName)};
    if (llvm::is_contained(builds, ""))
      return std::nullopt;
    return builds;
  }();
  return compiler;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

namespace {
class Hasher {
public:
  Hasher(const std::vector<std::string> &compiler) {
    for (const std::string &build : compiler)
      add(build);
  }
  /// With its length: "ab", "c" is not "a", "bc".
  void add(StringRef part) {
    hasher.update((llvm::Twine(part.size()) + " ").str());
    hasher.update(part);
  }
  std::string finish() {
    return llvm::toHex(hasher.final<32>(), /*LowerCase=*/true);
  }

private:
  llvm::BLAKE3 hasher;
};
} // namespace

std::optional<std::string>
lattn::getCacheKey(StringRef text, StringRef bufferName, StringRef entry,
                   const CompileOptions &options, const TargetInfo &target) {
  const auto &compiler = getCompiler();
  if (!compiler)
    return std::nullopt;
  // All members by name: a new one does not compile until it is thought of.
  const auto &[pipeline, cpu, attributes, device, chip, queryTile, keyTile,
               parts, bf16, raise, tuned, useCommandLine, cache, quiet] =
      options;
  const auto &[triple, targetCpu, features, vectorBits, vectorRegisters,
               l1Bytes, l2Bytes, cpus, hasFMA, targetBF16] = target;
  Hasher hasher(*compiler);
  // The target is what cpu and attributes mean; warnings name the buffer.
  for (StringRef part :
       {text, bufferName, entry, StringRef(triple), StringRef(targetCpu),
        StringRef(features), StringRef(bf16), getBF16Name(targetBF16)})
    hasher.add(part);
  for (int64_t number : {int64_t(pipeline), queryTile, keyTile, parts,
                         vectorBits, vectorRegisters, l1Bytes, l2Bytes, cpus,
                         int64_t(hasFMA), int64_t(raise)})
    hasher.add(std::to_string(number));
  hasher.add(chip);
  for (const auto &[kernel, sizes] : tuned.value_or(TunedTiles())) {
    hasher.add(kernel);
    hasher.add(std::to_string(sizes.query));
    hasher.add(std::to_string(sizes.key));
  }
  return hasher.finish();
}

std::optional<KernelKeys> lattn::getKernelKeys(StringRef bytecode,
                                               StringRef chip) {
  const auto &compiler = getCompiler();
  if (!compiler)
    return std::nullopt;
  Hasher hasher(*compiler);
  hasher.add(bytecode);
  hasher.add(chip);
  KernelKeys keys;
  keys.machineCode = Hasher(hasher).finish();
  Expected<std::string> assembler = findCUDATool("ptxas");
  hasher.add(assembler ? *assembler : "");
  consumeError(assembler.takeError());
  keys.ptx = hasher.finish();
  return keys;
}
