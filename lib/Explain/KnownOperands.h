//===- KnownOperands.h - What a run's arguments tell of ops -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXPLAIN_KNOWNOPERANDS_H
#define LATTN_LIB_EXPLAIN_KNOWNOPERANDS_H

#include "lattn/Explain/Specialized.h"
#include "lattn/Explain/Work.h"

namespace lattn {

/// The operands of an attention op that decide which pairs are visible, if they
/// are arguments or constants. Others are added to `work.unknown`, and count as
/// if they were not given. Batches are the op's own.
class KnownOperands {
public:
  KnownOperands(AttentionOp op, Specialized &run, AttentionWork &work);

  /// How many of the op's keys can be seen.
  int64_t getLength(int64_t batch) const;
  /// The position of the op's first query.
  int64_t getOffset(int64_t batch, int64_t length) const;
  /// The mask of the op's keys, nonzero for visible ones. Empty if all are
  /// visible.
  llvm::ArrayRef<char> getMask(int64_t batch) const;

private:
  const NumpyArray *find(mlir::Value value, llvm::StringRef name);
  void findOrigin(mlir::OperandRange origin);
  std::optional<int64_t> readScalar(mlir::Value value);

  Specialized &run;
  AttentionWork &work;
  const NumpyArray *lens, *mask, *offsets = nullptr;
  std::optional<int64_t> constantOffset;
};

} // namespace lattn

#endif // LATTN_LIB_EXPLAIN_KNOWNOPERANDS_H
