//===- TargetInfo.cpp - The CPU that code is made for, as data ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/TargetInfo.h"
#include "AllTargets.h"
#include "lattn/Runtime/TileData.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace lattn;

static constexpr StringLiteral kBF16Products[] = {"widened", "dot",
                                                  "emulated-dot", "amx"};

std::optional<BF16Products> lattn::parseBF16Products(StringRef text) {
  const auto *found = llvm::find(kBF16Products, text);
  if (found == std::end(kBF16Products))
    return std::nullopt;
  return BF16Products(found - std::begin(kBF16Products));
}

StringRef lattn::getBF16Name(BF16Products products) {
  return kBF16Products[int(products)];
}

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
  });
}

/// Vector width and registers by the target's features.
static void describeVectors(TargetInfo &info,
                            const MCSubtargetInfo &subtarget) {
  Triple triple(info.triple);
  auto has = [&](StringRef feature) {
    return subtarget.checkFeatures(("+" + feature).str());
  };
  if (triple.isAArch64()) {
    info.vectorBits = 128;
    info.vectorRegisters = 32;
    info.hasFMA = true;
    return;
  }
  if (!triple.isX86())
    return;
  info.hasFMA = has("fma");
  if (has("avx512f")) {
    info.vectorBits = 512;
    info.vectorRegisters = 32;
    // A dot product takes AMD's CPUs, which have SSE4a, no longer than an FMA,
    // and Intel's four times as long.
    if (has("avx512bf16"))
      info.bf16 = has("amx-tile") && has("amx-bf16") ? BF16Products::AMX
                  : has("sse4a")                     ? BF16Products::Dot
                                                     : BF16Products::Widened;
  } else if (has("avx")) {
    info.vectorBits = 256;
  }
}

/// The host's features; without AMX where the operating system refuses it.
static StringMap<bool> getHostFeatures() {
  StringMap<bool> features = sys::getHostCPUFeatures();
  if (features.lookup("amx-tile") && !lattn::getTileData())
    for (auto &feature : features)
      if (feature.first().starts_with("amx-"))
        feature.second = false;
  return features;
}

/// LATTN_MCPU: an older CPU that this machine is taken for, whatever it has.
static StringRef getCPUTakenAsHost() {
  const char *cpu = std::getenv("LATTN_MCPU");
  return cpu ? cpu : "";
}

static void describeMachine(TargetInfo &info) {
  if (unsigned cpus = std::thread::hardware_concurrency())
    info.cpus = cpus;
#ifdef _SC_LEVEL1_DCACHE_SIZE
  if (long bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE); bytes > 0)
    info.l1Bytes = bytes;
  if (long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0)
    info.l2Bytes = bytes;
#endif
}

static Expected<const Target *> lookupTarget(const std::string &triple) {
  std::string error;
  if (const Target *target =
          TargetRegistry::lookupTarget(Triple(triple), error))
    return target;
  return createStringError("no code generator for " + triple + ": " + error);
}

Expected<TargetInfo> lattn::getTargetInfo(StringRef cpu, StringRef attributes,
                                          StringRef triple) {
  initializeTargets();
  TargetInfo info;
  Triple native(sys::getDefaultTargetTriple());
  info.triple =
      triple.empty() ? native.str() : Triple::normalize(triple.trim());
  bool foreign = Triple(info.triple).getArch() != native.getArch();
  if (foreign)
    initializeAllTargets();
  SubtargetFeatures features;
  bool host = cpu == "native" || cpu == "host" || (cpu.empty() && !foreign);
  if (host && foreign)
    return createStringError("CPU '" + cpu.str() +
                             "': this machine's CPU is not one of " +
                             info.triple);
  StringRef asHost = host ? getCPUTakenAsHost() : "";
  info.cpu = !asHost.empty() ? asHost.str()
             : host          ? sys::getHostCPUName().str()
             : cpu.empty()   ? "generic"
                             : cpu.str();
  if (host && asHost.empty())
    for (const auto &feature : getHostFeatures())
      features.AddFeature(feature.first(), feature.second);
  if (host)
    describeMachine(info);
  SmallVector<StringRef> parts;
  attributes.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    features.AddFeature(part.trim());
  info.features = features.getString();

  Expected<const Target *> target = lookupTarget(info.triple);
  if (!target)
    return target.takeError();
  std::unique_ptr<MCSubtargetInfo> known(
      (*target)->createMCSubtargetInfo(Triple(info.triple), "", ""));
  if (!known->isCPUStringValid(info.cpu))
    return createStringError(Twine(asHost.empty() ? "" : "LATTN_MCPU: ") +
                             "unknown CPU '" + info.cpu + "' for " +
                             info.triple);
  for (StringRef part : parts) {
    StringRef name = part.trim().ltrim("+-");
    bool found = llvm::any_of(
        known->getAllProcessorFeatures(),
        [&](const SubtargetFeatureKV &feature) { return name == feature.Key; });
    if (!found)
      return createStringError("unknown CPU feature '" + name.str() + "' for " +
                               info.triple);
  }
  std::unique_ptr<MCSubtargetInfo> subtarget((*target)->createMCSubtargetInfo(
      Triple(info.triple), info.cpu, info.features));
  describeVectors(info, *subtarget);
  return info;
}

Error lattn::checkRunsHere(const TargetInfo &info) {
  if (info.triple != sys::getDefaultTargetTriple())
    return createStringError("code for " + info.triple +
                             " does not run on this machine");
  Expected<const Target *> target = lookupTarget(info.triple);
  if (!target)
    return target.takeError();
  std::unique_ptr<MCSubtargetInfo> subtarget((*target)->createMCSubtargetInfo(
      Triple(info.triple), info.cpu, info.features));
  for (const auto &feature : getHostFeatures())
    if (!feature.second &&
        subtarget->checkFeatures(("+" + feature.first()).str()))
      return createStringError("cannot run code for CPU '" + info.cpu +
                               "': this machine lacks " +
                               feature.first().str());
  return Error::success();
}

Expected<std::unique_ptr<TargetMachine>>
lattn::createTargetMachine(const TargetInfo &info) {
  initializeTargets();
  Expected<const Target *> target = lookupTarget(info.triple);
  if (!target)
    return target.takeError();
  TargetOptions options;
  std::unique_ptr<TargetMachine> machine((*target)->createTargetMachine(
      Triple(info.triple), info.cpu, info.features, options, Reloc::PIC_,
      std::nullopt, CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("no target machine for " + info.triple);
  return machine;
}
