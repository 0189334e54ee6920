//===- TargetInfo.h - The CPU that code is made for, as data ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The properties of a CPU that tiling and the micro-kernels need. Everything
// about a target that a kernel depends on is here; no other file asks for
// features.

#ifndef LATTN_TARGET_TARGETINFO_H
#define LATTN_TARGET_TARGETINFO_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace lattn {

/// How products of bf16 are computed: widened to f32; by dot products of pairs
/// with f32 sums, either the target's (AVX512-BF16) or f32 code for any CPU,
/// which tests use; or by AMX tiles if they are cheaper than pairs.
enum class BF16Products { Widened, Dot, EmulatedDot, AMX };

/// "widened", "dot", "emulated-dot" or "amx".
std::optional<BF16Products> parseBF16Products(llvm::StringRef text);
llvm::StringRef getBF16Name(BF16Products products);

struct TargetInfo {
  std::string triple, cpu, features; // as LLVM names them
  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  int64_t l1Bytes = 32 * 1024;
  int64_t l2Bytes = 512 * 1024;
  int64_t cpus = 8; // work is cut for these; threads may be more or fewer
  bool hasFMA = false;
  BF16Products bf16 = BF16Products::Widened;

  /// Lanes of a vector of elements of `bits` bits.
  int64_t getLanes(unsigned bits) const { return vectorBits / bits; }
};

/// The host, or the named CPU and features. An empty or "native" `cpu` is the
/// CPU that LATTN_MCPU names, or else the host's. `attributes` has the form of
/// llc's -mattr and is added to the CPU's own. With a `triple` of another
/// architecture, an empty `cpu` is its baseline. An unknown target, CPU or
/// feature is an error.
llvm::Expected<TargetInfo> getTargetInfo(llvm::StringRef cpu = {},
                                         llvm::StringRef attributes = {},
                                         llvm::StringRef triple = {});

/// An error that names the first feature of `target` that this machine lacks.
/// Code for it would end in an illegal instruction.
llvm::Error checkRunsHere(const TargetInfo &target);

/// LLVM's target machine for `target`, at -O3, position independent.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const TargetInfo &target);

} // namespace lattn

#endif // LATTN_TARGET_TARGETINFO_H
