//===- HidePrivate.cpp - Private functions get internal linkage -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream does this for globals only. The translation to LLVM IR reads the
// linkage and not the visibility.

#include "lattn/Transforms/Passes.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNHIDEPRIVATEPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

namespace {
struct HidePrivate : lattn::impl::LattnHidePrivatePassBase<HidePrivate> {
  using Base::Base;
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function.isPrivate() && !function.isExternal() &&
          function.getLinkage() == LLVM::Linkage::External)
        function.setLinkage(LLVM::Linkage::Internal);
  }
};
} // namespace
