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

/// Remembers where a product is, for remarks. When they are made, it may be
/// erased. Remarks go to MLIR's remark engine, with its filters and files.
/// Those that the engine does not want become diagnostics, except for remarks
/// of success.
class RemarkedOp {
public:
  explicit RemarkedOp(mlir::Operation *op);

  void reportRaised();
  void reportRefused(llvm::StringRef reason);
  /// Reports that buckets became an attention with an axis of buckets, and the
  /// operation at which the proof failed.
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
