//===- ScheduleAttr.cpp - The schedule attribute --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"

using namespace mlir;
using namespace lattn;

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   std::optional<int64_t> queryTile,
                                   std::optional<int64_t> keyTile,
                                   std::optional<Products> products,
                                   std::optional<Lanes> lanes,
                                   std::optional<int64_t> leastQueries,
                                   ScheduleAttr fallback) {
  // schedule_c1
  auto inRange = [&](StringRef name, std::optional<int64_t> value,
                     int64_t most) -> LogicalResult {
    if (!value || (*value >= 1 && *value <= most))
      return success();
    return emitError() << "schedule " << name << " must be in [1, " << most
                       << "], got " << *value;
  };
  if (failed(inRange("query_tile", queryTile, TileSizes::mostQueries)) ||
      failed(inRange("key_tile", keyTile, TileSizes::mostKeys)))
    return failure();
  // schedule_c4
  if (leastQueries && *leastQueries < 0)
    return emitError() << "schedule least_queries must not be negative, got "
                       << *leastQueries;
  // schedule_c2
  if (fallback && (!fallback.getQueryTile() || !fallback.getKeyTile() ||
                   fallback.getProducts() || fallback.getLanes() ||
                   fallback.getLeastQueries() || fallback.getFallback()))
    return emitError() << "schedule fallback must have query_tile and key_tile "
                          "and nothing else, got "
                       << fallback;
  // schedule_c3
  Products given = products.value_or(Products::Widened);
  bool isDot = lanes == Lanes::Features && given == Products::Dot;
  if (lanes.value_or(Lanes::Queries) != Lanes::Queries &&
      given != Products::Widened && !isDot)
    return emitError() << "schedule with lanes = " << stringifyLanes(*lanes)
                       << " must have widened "
                       << (lanes == Lanes::Features ? "or dot " : "")
                       << "products, got " << stringifyProducts(given);
  return success();
}

TileSizes ScheduleAttr::getTileSizes(TileSizes otherwise) {
  return {getQueryTile().value_or(otherwise.query),
          getKeyTile().value_or(otherwise.key)};
}

ScheduleAttr ScheduleAttr::withTileSizes(TileSizes sizes) {
  return get(getContext(), sizes.query, sizes.key, getProducts(), getLanes(),
             getLeastQueries(), getFallback());
}

ScheduleAttr ScheduleAttr::withProducts(std::optional<Products> products) {
  return get(getContext(), getQueryTile(), getKeyTile(), products, getLanes(),
             getLeastQueries(), getFallback());
}

ScheduleAttr ScheduleAttr::withLanes(std::optional<Lanes> lanes) {
  return get(getContext(), getQueryTile(), getKeyTile(), getProducts(), lanes,
             getLeastQueries(), getFallback());
}

ScheduleAttr ScheduleAttr::withFallback(ScheduleAttr fallback) {
  return get(getContext(), getQueryTile(), getKeyTile(), getProducts(),
             getLanes(), getLeastQueries(), fallback);
}

ScheduleAttr AttentionOp::getEffectiveSchedule() {
  if (std::optional<ScheduleAttr> schedule = getSchedule())
    return *schedule;
  return ScheduleAttr::get(getContext(), std::nullopt, std::nullopt,
                           std::nullopt, std::nullopt, std::nullopt,
                           ScheduleAttr());
}

static Products getProducts(ScheduleAttr schedule) {
  std::optional<Products> products;
  if (schedule)
    products = schedule.getProducts();
  return products.value_or(Products::Widened);
}
Products OnlineAttentionOp::getProducts() {
  return ::getProducts(getScheduleAttr());
}
Products AttentionGradOp::getProducts() {
  return ::getProducts(getScheduleAttr());
}
Products AttentionGradStepOp::getProducts() {
  return ::getProducts(getScheduleAttr());
}

/// attention_c22, online_attention_c10
LogicalResult lattn::verifyProducts(AttentionOpInterface op,
                                    ScheduleAttr schedule, Value dOutput) {
  Products products = ::getProducts(schedule);
  if (products == Products::Widened)
    return success();
  SmallVector<std::pair<Value, StringRef>> operands = {
      {op.getValue(), "value"}, {op.getQuery(), "query"}, {op.getKey(), "key"}};
  if (products == Products::DotValues)
    operands.resize(1);
  if (dOutput)
    operands.emplace_back(dOutput, "d_output");
  for (auto [value, name] : operands)
    if (Type type = getElementTypeOrSelf(value.getType()); !type.isBF16())
      return op->emitOpError()
             << "expected " << name << " of bf16 for the schedule's products = "
             << stringifyProducts(products) << ", got " << type;
  return success();
}
