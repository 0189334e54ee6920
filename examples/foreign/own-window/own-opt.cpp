//===- own-opt.cpp - An opt tool of another project, with its own window --===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// #own.chunk<size, left> is the window of streaming speech recognition: a query
// sees its own chunk of `size` positions and the `left` keys before the chunk.
// #lattn.window counts either keys before the query or whole chunks.

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/InitAll.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

namespace {

/// The parameters, which MLIR stores once for all equal attributes.
struct ChunkStorage : AttributeStorage {
  using KeyTy = std::tuple<int64_t, int64_t, unsigned>; // size, left, causal
  explicit ChunkStorage(const KeyTy &key) : key(key) {}
  bool operator==(const KeyTy &other) const { return key == other; }
  static ChunkStorage *construct(AttributeStorageAllocator &allocator,
                                 const KeyTy &key) {
    return new (allocator.allocate<ChunkStorage>()) ChunkStorage(key);
  }
  KeyTy key;
};

struct ChunkAttr : Attribute::AttrBase<ChunkAttr, Attribute, ChunkStorage,
                                       lattn::WindowAttrInterface::Trait> {
  using Base::Base;
  static constexpr StringLiteral name = "own.chunk";
  int64_t getSize() const { return std::get<0>(getImpl()->key); }
  int64_t getLeft() const { return std::get<1>(getImpl()->key); }
  bool isCausal() const { return std::get<2>(getImpl()->key); }

  // The interface: bounds on the keys that the query at position p sees.
  AffineMap getLowerBounds() const {
    return AffineMap::get(1, 0, getChunk() * getSize() - getLeft());
  }
  AffineMap getUpperBounds() const {
    SmallVector<AffineExpr> bounds = {(getChunk() + 1) * getSize()};
    if (isCausal())
      bounds.push_back(getAffineDimExpr(0, getContext()) + 1);
    return AffineMap::get(1, 0, bounds, getContext());
  }
  int64_t getPeriod() const { return getSize(); }
  lattn::WindowAttrInterface getCausal() const {
    return Base::get(getContext(), getSize(), getLeft(), 1u);
  }

private:
  AffineExpr getChunk() const {
    return getAffineDimExpr(0, getContext()).floorDiv(getSize());
  }
};

struct OwnDialect : Dialect {
  explicit OwnDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<OwnDialect>()) {
    addAttributes<ChunkAttr>();
  }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OwnDialect)
  static constexpr StringLiteral getDialectNamespace() { return "own"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const final {
    int64_t size, left;
    if (parser.parseKeyword("chunk") || parser.parseLess() ||
        parser.parseInteger(size) || parser.parseComma() ||
        parser.parseInteger(left))
      return {};
    bool isCausal = succeeded(parser.parseOptionalComma());
    if ((isCausal && parser.parseKeyword("causal")) || parser.parseGreater())
      return {};
    if (size < 1 || left < 0) {
      parser.emitError(parser.getNameLoc())
          << "own.chunk: expected a size >= 1 and left >= 0, got " << size
          << " and " << left;
      return {};
    }
    return ChunkAttr::get(getContext(), size, left, unsigned(isCausal));
  }
  void printAttribute(Attribute attr, DialectAsmPrinter &printer) const final {
    auto chunk = cast<ChunkAttr>(attr);
    printer << "chunk<" << chunk.getSize() << ", " << chunk.getLeft()
            << (chunk.isCausal() ? ", causal>" : ">");
  }
};

} // namespace

MLIR_DECLARE_EXPLICIT_TYPE_ID(ChunkAttr)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ChunkAttr)

int main(int argc, char **argv) {
  DialectRegistry registry;
  lattn::registerAllDialects(registry);
  registry.insert<OwnDialect>();
  lattn::registerLattnPasses();
  return asMainReturnCode(MlirOptMain(
      argc, argv, "a compiler with lattn and a window of its own\n", registry));
}
