//===- Explain.h - What was compiled and what it can reach ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXPLAIN_EXPLAIN_H
#define LATTN_EXPLAIN_EXPLAIN_H

#include "lattn/Explain/Work.h"
#include "lattn/Measure/Measurement.h"

namespace lattn {

/// Of all ops together.
double getUsefulFlops(llvm::ArrayRef<AttentionWork> works,
                      llvm::ArrayRef<MatmulWork> matmuls);

/// What was computed, matrix products included, as a share of the peak (null:
/// not measured) and of what the work allows.
void printRates(llvm::ArrayRef<AttentionWork> works,
                llvm::ArrayRef<MatmulWork> matmuls, bool complete,
                const Measurement &measurement, const Peak *peak,
                llvm::raw_ostream &os);

using Row = std::pair<std::string, std::string>;
/// What an attention op is, costs and can reach, as labels and values.
std::vector<Row> explainWork(const AttentionWork &work,
                             const TargetInfo &target);

/// --explain: a table for each attention op.
void printExplanation(llvm::ArrayRef<AttentionWork> works,
                      const TargetInfo &target, llvm::raw_ostream &os);

/// The same where there is no attention to explain: what there is.
void printOps(mlir::func::FuncOp entry, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_EXPLAIN_EXPLAIN_H
