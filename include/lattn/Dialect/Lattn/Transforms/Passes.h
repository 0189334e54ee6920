//===- Passes.h - Passes of the lattn dialect -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_H
#define LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace lattn {

#define GEN_PASS_DECL
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"

/// Linalg's composite ops and the dialect's own, on tensors -> attention and
/// linalg.
void addCompositePasses(mlir::OpPassManager &pm,
                        const LattnExpandLocalAttentionPassOptions &local);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_PASSES_H
