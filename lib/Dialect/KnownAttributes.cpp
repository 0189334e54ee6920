//===- KnownAttributes.cpp - Ops that know all of their attributes --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/KnownAttributes.h"

using namespace mlir;

StringRef lattn::getNearestName(StringRef name, ArrayRef<StringRef> known) {
  StringRef nearest;
  unsigned best = -1;
  for (StringRef candidate : known) {
    unsigned distance = candidate.edit_distance(name);
    // Names that differ in more than half of their letters are not alike.
    if (distance <= std::max(candidate.size(), name.size()) / 2 &&
        distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

LogicalResult lattn::verifyKnownAttributes(Operation *op) {
  SmallVector<StringRef> known;
  for (StringAttr name : op->getName().getAttributeNames())
    if (name != "operandSegmentSizes" && name != "resultSegmentSizes")
      known.push_back(name);
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (name.contains('.') || name.starts_with("__") ||
        llvm::is_contained(op->getName().getAttributeNames(),
                           attribute.getName()))
      continue;
    InFlightDiagnostic error = op->emitOpError("has no attribute '")
                               << name << "'";
    if (StringRef nearest = getNearestName(name, known); !nearest.empty())
      return error << "; did you mean '" << nearest << "'?";
    if (known.empty())
      return error << "; it takes only attributes with a dialect's prefix";
    error << "; it has ";
    llvm::interleaveComma(known, error, [&](StringRef s) { error << s; });
    return error;
  }
  return success();
}
