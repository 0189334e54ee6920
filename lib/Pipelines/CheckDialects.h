//===- CheckDialects.h - Which dialects the pipelines take ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_PIPELINES_CHECKDIALECTS_H
#define LATTN_LIB_PIPELINES_CHECKDIALECTS_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace lattn {

/// An error for each op that no pass will lower: to be added before
/// bufferization and deallocation, whose errors would not name it.
void addCheckOfDialects(mlir::OpPassManager &pm);

} // namespace lattn

#endif // LATTN_LIB_PIPELINES_CHECKDIALECTS_H
