//===- Remarks.h - What raising did, and what it did not --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_REMARKS_H
#define LATTN_LIB_RAISE_REMARKS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Remarks.h"

namespace lattn::raise {

/// Where a product is that may be erased by the time remarks are made, for
/// MLIR's remark engine with its filters and files. What the engine does not
/// want becomes a diagnostic, unless all is well.
class RemarkedOp {
public:
  explicit RemarkedOp(mlir::Operation *op);

  void reportRaised();
  void reportRefused(llvm::StringRef reason);
  /// Buckets that became an attention with an axis of buckets, and the
  /// operation where the proof failed.
  void reportApart(llvm::StringRef reason, mlir::Location at);

private:
  mlir::remark::RemarkOpts getOptions();
  void report(llvm::StringRef what, llvm::StringRef reason,
              std::optional<mlir::Location> at);

  mlir::Location loc;
  llvm::StringRef function;
};

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_REMARKS_H
