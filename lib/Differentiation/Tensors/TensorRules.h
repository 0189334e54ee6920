//===- TensorRules.h - Derivatives of ops on tensors ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIFFERENTIATION_TENSORS_TENSORRULES_H
#define LATTN_LIB_DIFFERENTIATION_TENSORS_TENSORRULES_H

#include "lattn/Differentiation/Differentiation.h"

namespace lattn {

void attachBranches(mlir::MLIRContext *context);
void attachElements(mlir::MLIRContext *context);
void attachLoads(mlir::MLIRContext *context);
void attachLoops(mlir::MLIRContext *context);
void attachReshapes(mlir::MLIRContext *context);
void attachSlices(mlir::MLIRContext *context);
void attachStructured(mlir::MLIRContext *context);

/// Model<Op> is the interface of each of `Ops`.
template <template <typename> class Model, typename... Ops>
void attachAll(mlir::MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

/// `op` is linear in all its floats together. Sets the tangent of its result to
/// the same op on tangents.
void setLinearTangent(mlir::OpBuilder &b, mlir::Operation *op,
                      Forward &forward);

} // namespace lattn

#endif // LATTN_LIB_DIFFERENTIATION_TENSORS_TENSORRULES_H
