//===- FewRowsKernel.h - Matrix products with few rows ---------*- C++ -*- ===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_FEWROWSKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_FEWROWSKERNEL_H

#include "KernelBuilder.h"

namespace lattn {

/// The body of a kernel that reads a weight once, in order, for at most
/// kFewRows rows. `arguments` are rows (M, K) of unit stride, the weight (N, K)
/// of unit stride, the destination (M, N), and whether the destination's old
/// contents do not count.
void buildFewDots(KernelBuilder &k, mlir::ValueRange arguments);

/// The same for a weight (K, N) of unit stride. Rows may have any strides.
void buildFewSums(KernelBuilder &k, mlir::ValueRange arguments);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_FEWROWSKERNEL_H
