//===- WindowAttr.cpp - The window attribute ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace lattn;

LogicalResult WindowAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 std::optional<int64_t> left,
                                 std::optional<int64_t> right,
                                 std::optional<int64_t> bucket, int64_t back,
                                 int64_t forward) {
  // window_c1
  auto inRange = [&](StringRef name, std::optional<int64_t> value,
                     int64_t least) -> LogicalResult {
    if (!value || (*value >= least && *value <= kMaxExtent))
      return success();
    return emitError() << "window " << name << " must be in [" << least
                       << ", 2^40], got " << *value;
  };
  if (failed(inRange("left", left, 0)) || failed(inRange("right", right, 0)) ||
      failed(inRange("back", back, 0)) ||
      failed(inRange("forward", forward, 0)))
    return failure();
  // window_c2
  if (failed(inRange("bucket", bucket, 1)))
    return failure();
  // window_c3
  if (!bucket && (back || forward))
    return emitError() << "window back and forward count buckets and need "
                          "'bucket', got back = "
                       << back << ", forward = " << forward << " without it";
  // window_c4
  if (bucket && *bucket > kMaxExtent / (std::max(back, forward) + 1))
    return emitError() << "window spans more than 2^40 keys: bucket = "
                       << *bucket << ", back = " << back
                       << ", forward = " << forward;
  return success();
}

AffineMap WindowAttr::getLowerBounds() const {
  AffineExpr p = getAffineDimExpr(0, getContext());
  SmallVector<AffineExpr> bounds;
  if (getLeft())
    bounds.push_back(p - *getLeft());
  if (getBucket())
    bounds.push_back((p.floorDiv(*getBucket()) - getBack()) * *getBucket());
  return AffineMap::get(1, 0, bounds, getContext());
}

AffineMap WindowAttr::getUpperBounds() const {
  AffineExpr p = getAffineDimExpr(0, getContext());
  SmallVector<AffineExpr> bounds;
  if (getRight())
    bounds.push_back(p + *getRight() + 1);
  if (getBucket())
    bounds.push_back((p.floorDiv(*getBucket()) + getForward() + 1) *
                     *getBucket());
  return AffineMap::get(1, 0, bounds, getContext());
}

int64_t WindowAttr::getPeriod() const { return getBucket().value_or(1); }

WindowAttrInterface WindowAttr::getCausal() const {
  return WindowAttr::get(getContext(), getLeft(), 0, getBucket(), getBack(),
                         getForward());
}
