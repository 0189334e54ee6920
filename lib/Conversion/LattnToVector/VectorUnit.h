//===- VectorUnit.h - The vector unit that kernels are made for -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_VECTORUNIT_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_VECTORUNIT_H

#include "lattn/Target/TargetInfo.h"
#include "mlir/IR/Types.h"

namespace lattn {

/// The vector unit that kernels are made for.
struct VectorUnit {
  int64_t bits, registers;
  BF16Products bf16 = BF16Products::Widened;
  int64_t l2Bytes = 512 * 1024;
  int64_t getLanes(mlir::Type element) const {
    return std::max<int64_t>(1, bits / element.getIntOrFloatBitWidth());
  }
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_VECTORUNIT_H
