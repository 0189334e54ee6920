//===- KernelName.cpp - What attention's kernels are specialised on -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tuned tile sizes are kept by this name: equal names, equal kernels, whatever
// the program around them. Batches, heads and strides are not in it, lengths
// only where they are constants.

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace lattn;

/// Printed text in a name's letters: what is between them becomes one '-'.
static std::string simplify(StringRef text) {
  std::string name;
  for (char c : text)
    if (llvm::isAlnum(c) || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return StringRef(name).rtrim('-').str();
}

template <typename T> static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// A region's meaning is its text.
static std::string digest(Region &region) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.useLocalScope().enableDebugInfo(false);
  for (Type type : region.getArgumentTypes())
    os << type << ' ';
  for (Operation &op : region.front()) {
    op.print(os, flags);
    os << '\n';
  }
  auto hash = llvm::BLAKE3::hash<8>(llvm::arrayRefFromStringRef<uint8_t>(text));
  return llvm::toHex(hash, /*LowerCase=*/true);
}

std::string lattn::getKernelName(AttentionOp op) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  auto value = cast<ShapedType>(op.getValue().getType());
  if (query.isDynamicDim(3) || value.isDynamicDim(3))
    return "";
  unsigned position = op.getPositionAxis();
  SmallVector<std::string> parts = {print(query.getElementType())};
  if (key.getElementType() != query.getElementType())
    parts.push_back("keys_" + print(key.getElementType()));
  parts.push_back(op.isBnhd() ? "bnhd" : "bhnd");
  parts.push_back("d" + std::to_string(query.getDimSize(3)));
  parts.push_back("v" + std::to_string(value.getDimSize(3)));
  if (!query.isDynamicDim(position))
    parts.push_back("n" + std::to_string(query.getDimSize(position)));
  if (!key.isDynamicDim(position))
    parts.push_back("m" + std::to_string(key.getDimSize(position)));
  if (WindowAttrInterface window = op.getEffectiveWindow()) {
    std::string text = print(Attribute(window));
    StringRef bare = text;
    bare.consume_front("#lattn.");
    parts.push_back(simplify(bare));
  }
  if (op.getKeyMask())
    parts.push_back("key_mask");
  if (Value bias = op.getBias())
    parts.push_back("bias_" +
                    print(cast<ShapedType>(bias.getType()).getElementType()) +
                    "_" + simplify(print(op.getEffectiveBiasMap())));
  if (!op.getScore().empty())
    parts.push_back("score_" + digest(op.getScore()));
  return llvm::join(parts, ".");
}

std::optional<TileSizes> lattn::getTunedTileSizes(AttentionOp op,
                                                  const TunedTiles &tuned) {
  auto it = tuned.find(tuned.empty() ? "" : getKernelName(op));
  if (it == tuned.end())
    return std::nullopt;
  return it->second;
}
