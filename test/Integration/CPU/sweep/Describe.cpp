//===- Describe.cpp - Cases and runs in one line ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using namespace lattn::sweep;
using llvm::formatv;

static std::string describeWindow(const reference::Window &w) {
  std::string text;
  auto add = [&](const char *name, std::optional<int64_t> value) {
    if (value)
      text += formatv(" {0}={1}", name, *value);
  };
  add("left", w.left);
  add("right", w.right);
  add("bucket", w.bucket);
  if (w.bucket) {
    add("back", w.back);
    add("forward", w.forward);
  }
  return text;
}

static void addFlags(const Case &c, llvm::raw_ostream &os) {
  if (c.causal)
    os << " causal";
  if (c.bnhd)
    os << " bnhd";
  if (c.memrefs)
    os << " memrefs";
  if (c.lse)
    os << " lse";
  if (c.mask)
    os << " mask";
  if (c.lens)
    os << " lens:" << getElementName(*c.lens);
  if (c.origin)
    os << " origin";
  if (c.dropout)
    os << " dropout";
  if (c.isMixed)
    os << " mixed";
  if (c.scale)
    os << formatv(" scale={0}", *c.scale);
}

std::string sweep::describe(const Case &c) {
  static const char *extents[] = {"static", "sequence", "outer", "all"};
  static const char *biases[] = {"",      "full",  "head-key", "key",
                                 "query", "batch", "mod",      "floordiv"};
  static const char *scores[] = {"",          "softcap",  "alibi",   "table",
                                 "documents", "constant", "per-head"};
  static const char *offsets[] = {"", "scalar", "per-batch"};
  static const char *sinks[] = {"", "element", "accumulator"};
  std::string text;
  llvm::raw_string_ostream os(text);
  os << formatv("{0} D={1} Dv={2} {3}-extents", getElementName(c.kind),
                c.headDim, c.valueDim,
                c.extents == Extents::Static
                    ? "static"
                    : "open-" + std::string(extents[int(c.extents)]))
     << describeWindow(c.window);
  addFlags(c, os);
  if (c.offset != Offset::None)
    os << " offset:" << offsets[int(c.offset)];
  if (c.sink != Sink::None)
    os << " sink:" << sinks[int(c.sink)];
  if (c.bias != Bias::None)
    os << " bias:" << biases[int(c.bias)]
       << (c.biasIsAccumulator ? ":accumulator" : "");
  if (c.score != Score::None)
    os << " score:" << scores[int(c.score)];
  const CompileOptions &options = c.options;
  if (!options.cpu.empty())
    os << " mcpu=" << options.cpu;
  if (!options.attributes.empty())
    os << " mattr=" << options.attributes;
  if (options.queryTile)
    os << " query-tile=" << options.queryTile;
  if (options.keyTile)
    os << " key-tile=" << options.keyTile;
  if (options.parts)
    os << " split-kv=" << options.parts;
  return text;
}

std::string sweep::describe(const Run &run) {
  static const char *strides[] = {"dense", "padded", "permuted", "page",
                                  "unaligned"};
  static const char *lens[] = {"random", "zero", "beyond", "negative", "mixed"};
  static const char *masks[] = {"random", "all-false", "all-true",
                                "one-batch-false"};
  static const char *offsets[] = {"aligned", "zero", "negative", "positive",
                                  "huge"};
  static const char *poisons[] = {"none", "hidden", "visible"};
  static const char *ranges[] = {"plain", "extreme"};
  const Shape &s = run.shape;
  return formatv("B={0} H={1} Hkv={2} N={3} M={4} strides:{5} lens:{6} "
                 "mask:{7} offsets:{8} poison:{9} range:{10} before:{11}",
                 s.batch, s.heads, s.kvHeads, s.queries, s.keys,
                 strides[int(run.strides)], lens[int(run.lens)],
                 masks[int(run.mask)], offsets[int(run.offsets)],
                 poisons[int(run.poison)], ranges[int(run.range)],
                 llvm::make_range(run.before.begin(), run.before.end()));
}
