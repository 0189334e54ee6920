//===- AttentionGradProducts.cpp - Products of attention's derivatives ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionGradProducts.h"
#include "StageRows.h"

using namespace mlir;
using namespace lattn;

AttentionGradProducts::AttentionGradProducts(KernelBuilder &k,
                                             KernelFunctions &functions,
                                             AttentionOpInterface op,
                                             VectorUnit unit, int64_t queries,
                                             int64_t maxKeys)
    : k(k), functions(functions), unit(unit),
      block(chooseAttentionBlock(unit.bits, unit.registers, queries / k.lanes)),
      queries(queries), maxKeys(maxKeys),
      hasZeroWeights(op.hasMask() || op.getBias() || !op.getScore().empty()) {}

KeyRows AttentionGradProducts::getKeyRows(Value tile) {
  Type element = pairs ? Type(k.b.getBF16Type()) : k.element;
  return KeyRows(k, stageRows(k, functions, tile, maxKeys, element));
}

void AttentionGradProducts::multiplyKeys(
    ArrayRef<KeyProducts::Factors> products, Value target) {
  KeyProducts(k, block, pairs ? unit.bf16 : BF16Products::Widened)
      .multiply(functions, products, target, group, numKeys);
}
