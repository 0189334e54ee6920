//===- Compare.h - Results against the oracle -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_COMPARE_H
#define LATTN_TEST_SWEEP_COMPARE_H

#include "Call.h"

namespace lattn::sweep {

/// The first elements that are wrong, a line each; nothing where all agree.
/// Every element is compared. NaN and infinities match themselves only, and
/// where the oracle says 0 for all of a row (an empty one) it has to be 0.
std::string compare(const Case &c, const Shape &shape, const Results &got,
                    const reference::AttentionResult &expected);

/// Whether all bits agree.
bool areIdentical(const Results &a, const Results &b);

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_COMPARE_H
