//===- Register.cpp - Which ops have derivatives --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars/ScalarRule.h"
#include "Tensors/TensorRules.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// Derivatives of ops of `Dialect`, attached when it is loaded.
template <typename Dialect, void (*...attach)(MLIRContext *)>
static void add(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, Dialect *) { (attach(context), ...); });
}

void lattn::registerDerivatives(DialectRegistry &registry) {
  add<arith::ArithDialect, attachArithmetic>(registry);
  add<linalg::LinalgDialect, attachStructured>(registry);
  add<math::MathDialect, attachExponentials, attachPowers, attachRounding,
      attachTrigonometry>(registry);
  add<memref::MemRefDialect, attachLoads>(registry);
  add<scf::SCFDialect, attachBranches, attachLoops>(registry);
  add<tensor::TensorDialect, attachElements, attachReshapes, attachSlices>(
      registry);
}
