//===- Emulate.cpp - AMX and AVX512-BF16 in C++ ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulate.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace lattn::sweep;

//===----------------------------------------------------------------------===//
// The instructions
//===----------------------------------------------------------------------===//

namespace {
constexpr int64_t kRows = 16, kRowBytes = 64;
struct Tile {
  char rows[kRows][kRowBytes];
};
} // namespace

/// As the instructions take and give numbers: denormal ones are 0.
static float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
static float widen(uint16_t x) {
  uint32_t bits = uint32_t(x) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return flush(value);
}
static float addPair(float sum, const uint16_t *x, const uint16_t *y) {
  sum = flush(std::fma(widen(x[1]), widen(y[1]), sum));
  return flush(std::fma(widen(x[0]), widen(y[0]), sum));
}

static void requireTile(int64_t rows, int64_t bytes) {
  if (rows < 1 || rows > kRows || bytes < 4 || bytes > kRowBytes || bytes % 4)
    llvm::report_fatal_error("a tile of AMX has no such shape");
}

static void zeroTile(Tile *to, int16_t rows, int16_t bytes) {
  requireTile(rows, bytes);
  std::memset(to, 0, sizeof(Tile));
}

static void loadTile(Tile *to, int16_t rows, int16_t bytes, const char *from,
                     int64_t stride) {
  zeroTile(to, rows, bytes);
  for (int64_t i = 0; i < rows; ++i)
    std::memcpy(to->rows[i], from + i * stride, bytes);
}

static void storeTile(int16_t rows, int16_t bytes, char *to, int64_t stride,
                      const Tile *tile) {
  requireTile(rows, bytes);
  for (int64_t i = 0; i < rows; ++i)
    std::memcpy(to + i * stride, tile->rows[i], bytes);
}

static void multiplyTiles(Tile *to, int16_t rows, int16_t bytes, int16_t depth,
                          const Tile *sums, const Tile *left,
                          const Tile *right) {
  requireTile(rows, bytes);
  requireTile(depth / 4, depth);
  *to = *sums;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t pair = 0; pair < depth / 4; ++pair)
      for (int64_t j = 0; j < bytes / 4; ++j) {
        float sum;
        uint16_t x[2], y[2];
        char *place = to->rows[i] + 4 * j;
        std::memcpy(&sum, place, sizeof(sum));
        std::memcpy(x, left->rows[i] + 4 * pair, sizeof(x));
        std::memcpy(y, right->rows[pair] + 4 * j, sizeof(y));
        sum = addPair(sum, x, y);
        std::memcpy(place, &sum, sizeof(sum));
      }
}

static void dotPairs(float *to, const float *sum, const uint16_t *x,
                     const uint16_t *y) {
  for (int64_t i = 0; i < 16; ++i)
    to[i] = addPair(sum[i], x + 2 * i, y + 2 * i);
}

static void narrow(uint16_t *to, const float *from) {
  for (int64_t i = 0; i < 16; ++i) {
    float x = flush(from[i]);
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    if (std::isnan(x))
      to[i] = (bits >> 16) | 0x40;
    else
      to[i] = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  }
}

//===----------------------------------------------------------------------===//
// Calls of them
//===----------------------------------------------------------------------===//

/// An intrinsic without "llvm.", which LLVM keeps for itself.
static StringRef getCallee(StringRef intrinsic) {
  return intrinsic.drop_front(StringRef("llvm.").size());
}

static const std::pair<StringRef, void *> kFunctions[] = {
    {"llvm.x86.tilezero.internal", reinterpret_cast<void *>(zeroTile)},
    {"llvm.x86.tileloadd64.internal", reinterpret_cast<void *>(loadTile)},
    {"llvm.x86.tilestored64.internal", reinterpret_cast<void *>(storeTile)},
    {"llvm.x86.tdpbf16ps.internal", reinterpret_cast<void *>(multiplyTiles)},
    {"llvm.x86.avx512bf16.dpbf16ps.512", reinterpret_cast<void *>(dotPairs)},
    {"llvm.x86.avx512bf16.cvtneps2bf16.512", reinterpret_cast<void *>(narrow)},
};

static void grantTileData() {}

SmallVector<std::pair<StringRef, void *>> lattn::sweep::getEmulation() {
  SmallVector<std::pair<StringRef, void *>> functions = {
      {"lattn_request_tile_data", reinterpret_cast<void *>(grantTileData)}};
  for (auto [name, function] : kFunctions)
    functions.emplace_back(getCallee(name), function);
  return functions;
}

/// Tiles as vectors of as many bytes.
static void retypeTiles(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto bytes = VectorType::get(sizeof(Tile) / 4, IntegerType::get(context, 32));
  auto retype = [&](Value value) {
    if (isa<LLVM::LLVMX86AMXType>(value.getType()))
      value.setType(bytes);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
  });
}

/// Vectors go by pointer, a result by the first.
static void replaceByCall(LLVM::CallIntrinsicOp op) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  auto module = op->getParentOfType<ModuleOp>();
  OpBuilder b(op), entry = OpBuilder::atBlockBegin(&function.front());
  auto pointer = LLVM::LLVMPointerType::get(op.getContext());
  Value one =
      LLVM::ConstantOp::create(entry, op.getLoc(), entry.getI64IntegerAttr(1));
  auto createPlace = [&](Type type) -> Value {
    return LLVM::AllocaOp::create(entry, op.getLoc(), pointer, type, one,
                                  /*alignment=*/64);
  };
  SmallVector<Value> arguments;
  for (Type type : op.getResultTypes())
    arguments.push_back(createPlace(type));
  for (Value operand : op.getArgs()) {
    if (isa<VectorType>(operand.getType())) {
      Value place = createPlace(operand.getType());
      LLVM::StoreOp::create(b, op.getLoc(), operand, place);
      operand = place;
    }
    arguments.push_back(operand);
  }
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(op.getContext()),
      llvm::to_vector(ValueRange(arguments).getTypes()));
  StringRef name = getCallee(op.getIntrin());
  if (!module.lookupSymbol(name)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    LLVM::LLVMFuncOp::create(top, op.getLoc(), name, type);
  }
  LLVM::CallOp::create(b, op.getLoc(), type, name, arguments);
  if (op->getNumResults())
    op->replaceAllUsesWith(LLVM::LoadOp::create(
        b, op.getLoc(), op->getResult(0).getType(), arguments.front()));
  op.erase();
}

void lattn::sweep::emulateIntrinsics(ModuleOp module) {
  retypeTiles(module);
  llvm::StringSet<> known;
  for (auto [name, function] : kFunctions)
    known.insert(name);
  SmallVector<LLVM::CallIntrinsicOp> ops;
  module.walk([&](LLVM::CallIntrinsicOp op) {
    if (known.contains(op.getIntrin()))
      ops.push_back(op);
  });
  llvm::for_each(ops, replaceByCall);
}
