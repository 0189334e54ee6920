//===- AddCompositePasses.cpp - Composite ops become attention ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

void lattn::addCompositePasses(
    mlir::OpPassManager &pm,
    const LattnExpandLocalAttentionPassOptions &local) {
  pm.addPass(createLattnDecomposeLinalgPass());
  pm.addPass(createLattnExpandLocalMHAPass());
  pm.addPass(createLattnExpandMultiheadAttentionPass());
  pm.addPass(createLattnExpandLocalAttentionPass(local));
}
