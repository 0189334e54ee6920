//===- WorkJson.cpp - Attention ops for programs --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Elements.h"
#include "lattn/Explain/Explain.h"

using namespace lattn;
namespace json = llvm::json;

static llvm::StringRef getProductsName(const AttentionWork &work) {
  return work.hasWideScores ? "dot-values" : getBF16Name(work.products);
}

static const char *getLanesName(const AttentionWork &work) {
  return work.isOfFeatures ? "features"
         : work.valueRows  ? "mixed"
         : work.isGrouped  ? "heads"
                           : "queries";
}

/// Null for naive loops, which have no tiles.
static json::Value describeTiles(const AttentionWork &work,
                                 const TargetInfo &target) {
  if (!work.sizes.query)
    return nullptr;
  unsigned bits = work.kind == ElementKind::F64 ? 64 : 32;
  return json::Object{{"queries", work.sizes.query},
                      {"keys", work.sizes.key},
                      {"measured", work.isTuned},
                      {"split_kv_parts", work.parts},
                      {"lanes", getLanesName(work)},
                      {"lanes_of_vector", target.getLanes(bits)},
                      {"vector_registers", target.vectorRegisters}};
}

json::Object lattn::describeWork(const AttentionWork &work,
                                 const TargetInfo &target) {
  json::Object object{
      {"batches", work.batches},
      {"heads", work.heads},
      {"kv_heads", work.kvHeads},
      {"queries", work.queries},
      {"keys", work.keys},
      {"head_dim", work.headDim},
      {"value_dim", work.valueDim},
      {"type", getElementName(work.kind)},
      {"layout", work.layout},
      {"window", work.hasWindow ? json::Value(work.window) : nullptr},
      {"tiles", describeTiles(work, target)},
      {"useful_flop", work.getUsefulFlops()},
      {"executed_flop", work.getExecutedFlops()},
      {"computed_operands", json::Array(work.unknown)},
      {"least_bytes", work.getLeastBytes()},
      {"bound_share_of_peak", getBound(work)},
      {"peak", getPeakName(getPeakKind(work))}};
  object["origin"] = nullptr;
  if (work.origin)
    object["origin"] = json::Array(*work.origin);
  if (work.kind == ElementKind::BF16 || work.hasWideScores)
    object["products"] = getProductsName(work);
  return object;
}
