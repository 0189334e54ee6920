//===- Integers.h - Which integers an entry's arguments can take *- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_INTEGERS_H
#define LATTN_LIB_RUNNER_INTEGERS_H

#include "lattn/Execution/NumpyFiles.h"
#include "lattn/Execution/Program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lattn {

/// A range of random integers for an argument of a run, both ends included.
struct IntegerRange {
  int64_t least, most;
};

/// The integers that `entry` can take as argument `number`, which `info`
/// describes, given all arguments' shapes. The lengths and offsets of an
/// attention op fit its keys; other integers are small. An error if the
/// integers might be out of bounds: if they become an index, a size or a
/// divisor, or if the analysis cannot follow them.
llvm::Expected<IntegerRange>
findIntegerRange(mlir::func::FuncOp entry, llvm::ArrayRef<NumpyArray> arguments,
                 unsigned number, const ValueInfo &info);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_INTEGERS_H
