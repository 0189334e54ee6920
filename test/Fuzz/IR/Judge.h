//===- Judge.h - What a program may do, and what not ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_FUZZ_JUDGE_H
#define LATTN_TEST_FUZZ_JUDGE_H

#include "Program.h"

namespace mlir {
class DialectRegistry;
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace lattn::fuzz {

enum class Verdict {
  Refused,      // by parser or verifier, with a diagnostic
  RefusedLater, // by a pass, with a diagnostic
  Compiled,     // by the passes of both pipelines
  Executed,     // that, and the results agree
  Failed,
  Count
};

struct Judgement {
  Verdict verdict = Verdict::Failed;
  std::string message; // of the refusal or the failure
};

/// Told where the judge is, for when it does not come back.
using OnPhase = llvm::function_ref<void(const char *)>;

Judgement judge(TestProgram &program, const mlir::DialectRegistry &registry,
                uint64_t seed, OnPhase onPhase);

/// Runs @main after both pipelines and compares; what differs, or nothing.
llvm::Error runBoth(mlir::ModuleOp module, const TestProgram &program,
                    uint64_t seed, OnPhase onPhase);

/// Changes an op of the module: attributes, operands, types.
void mutateIR(mlir::ModuleOp module, Random &random);

/// Where the numbers of a mutant mean something whatever it does: fills in how
/// to run it.
void chooseMutantRun(mlir::ModuleOp module, TestProgram &program);

} // namespace lattn::fuzz

#endif // LATTN_TEST_FUZZ_JUDGE_H
