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

void lattn::registerDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachArithmetic(context);
  });
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachStructured(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachExponentials(context);
    attachPowers(context);
    attachRounding(context);
    attachTrigonometry(context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    attachLoads(context);
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attachBranches(context);
    attachLoops(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attachElements(context);
    attachReshapes(context);
    attachSlices(context);
  });
}
