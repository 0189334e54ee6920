//===- ExpandLibraryCalls.cpp - Copies and bf16 without library calls -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNEXPANDLIBRARYCALLSPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

namespace {

/// memref.copy -> linalg.copy
struct CopyToLinalg : OpRewritePattern<memref::CopyOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, op.getSource(),
                                                op.getTarget());
    return success();
  }
};

/// truncf(x : f32) : bf16 -> the upper half of x's bits, rounded to even; NaN
/// keeps its payload and becomes quiet.
struct ExpandTruncFToBF16 : OpRewritePattern<arith::TruncFOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    if (!getElementTypeOrSelf(x.getType()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "is not from f32 to bf16");
    if (isa<TensorType>(x.getType()))
      return rewriter.notifyMatchFailure(op, "is on tensors");
    Location loc = op.getLoc();
    auto typeLike = [&](Type element) -> Type {
      if (auto vector = dyn_cast<VectorType>(x.getType()))
        return vector.clone(element);
      return element;
    };
    Type wide = typeLike(rewriter.getI32Type());
    auto constant = [&](int32_t value) -> Value {
      TypedAttr attr = rewriter.getI32IntegerAttr(value);
      if (auto vector = dyn_cast<VectorType>(wide))
        attr = DenseElementsAttr::get(vector, attr);
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    Value bits = arith::BitcastOp::create(rewriter, loc, wide, x);
    Value half = constant(16);
    Value odd = arith::ShRUIOp::create(rewriter, loc, bits, half);
    odd = arith::AndIOp::create(rewriter, loc, odd, constant(1));
    Value bias = arith::AddIOp::create(rewriter, loc, odd, constant(0x7fff));
    Value rounded = arith::AddIOp::create(rewriter, loc, bits, bias);
    Value quiet = arith::OrIOp::create(rewriter, loc, bits, constant(0x400000));
    Value isNaN =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO, x, x);
    // Selected before it is narrow: a 16-bit select would become one of bf16.
    Value chosen =
        arith::SelectOp::create(rewriter, loc, isNaN, quiet, rounded);
    chosen = arith::ShRUIOp::create(rewriter, loc, chosen, half);
    Value narrow = arith::TruncIOp::create(
        rewriter, loc, typeLike(rewriter.getI16Type()), chosen);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), narrow);
    return success();
  }
};

/// assert -> if (!condition) lattn_fail(message): upstream's lowering aborts
/// the process, which may be somebody's interpreter.
class AssertToFailure {
public:
  explicit AssertToFailure(ModuleOp module) : module(module), symbols(module) {}
  LogicalResult expand(cf::AssertOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    FailureOr<LLVM::LLVMFuncOp> fail = LLVM::lookupOrCreateFn(
        b, module, "lattn_fail", LLVM::LLVMPointerType::get(b.getContext()),
        LLVM::LLVMVoidType::get(b.getContext()));
    if (failed(fail))
      return failure();
    LLVM::GlobalOp text = getText(b, loc, op.getMsg());
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    Value broken = arith::XOrIOp::create(b, loc, op.getArg(), yes);
    auto ifOp = scf::IfOp::create(b, loc, broken, /*withElse=*/false);
    b.setInsertionPointToStart(ifOp.thenBlock());
    Value address = LLVM::AddressOfOp::create(b, loc, text);
    LLVM::CallOp::create(b, loc, *fail, address);
    op.erase();
    return success();
  }

private:
  LLVM::GlobalOp getText(OpBuilder &b, Location loc, StringRef message) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    std::string bytes = message.str();
    bytes.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    auto text = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, "lattn_message",
                                       b.getStringAttr(bytes));
    symbols.insert(text); // renames where the name is taken
    return text;
  }

  ModuleOp module;
  SymbolTable symbols;
};

struct ExpandLibraryCalls
    : lattn::impl::LattnExpandLibraryCallsPassBase<ExpandLibraryCalls> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CopyToLinalg, ExpandTruncFToBF16>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    AssertToFailure asserts(getOperation());
    SmallVector<cf::AssertOp> ops;
    getOperation()->walk([&](cf::AssertOp op) { ops.push_back(op); });
    for (cf::AssertOp op : ops)
      if (failed(asserts.expand(op)))
        return signalPassFailure();
  }
};

} // namespace
