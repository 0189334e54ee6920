//===- ConvertCheckToLoops.cpp - Checks to loops and a report -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Check/IR/Check.h"
#include "lattn/Dialect/Check/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lattn::check {
#define GEN_PASS_DEF_CONVERTCHECKTOLOOPSPASS
#include "lattn/Dialect/Check/Transforms/Passes.h.inc"
} // namespace lattn::check

using namespace mlir;
using namespace lattn::check;

static constexpr llvm::StringLiteral kReport = "lattn_check_report";

/// What has been compared so far, in the order of the report's arguments.
enum Progress { Mismatches, Elements, First, Actual, Expected };
using ProgressValues = SmallVector<Value, 5>;

using Agree =
    function_ref<Value(ImplicitLocOpBuilder &, Value actual, Value expected)>;

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIntOp::create(b, value, 64);
}

static Value constant(ImplicitLocOpBuilder &b, double value) {
  return arith::ConstantFloatOp::create(b, b.getF64Type(), APFloat(value));
}

static Value toF64(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType(), f64 = b.getF64Type();
  if (type.isF64())
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(b, f64, value);
  if (type.isInteger(1))
    return arith::UIToFPOp::create(b, f64, value);
  if (type.isIndex())
    value = arith::IndexCastOp::create(b, b.getI64Type(), value);
  return arith::SIToFPOp::create(b, f64, value);
}

/// actual = expected or |actual - expected| <= atol + rtol * |expected|, the
/// difference being finite; without the latter, any value would be close to an
/// infinite `expected`.
static Value areClose(ImplicitLocOpBuilder &b, ExpectCloseOp op, Value actual,
                      Value expected) {
  using arith::CmpFPredicate;
  actual = toF64(b, actual);
  expected = toF64(b, expected);
  auto compare = [&](CmpFPredicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpFOp::create(b, predicate, lhs, rhs);
  };
  Value difference = math::AbsFOp::create(
      b, arith::SubFOp::create(b, actual, expected).getResult());
  Value magnitude = math::AbsFOp::create(b, expected);
  Value relative = arith::MulFOp::create(
      b, constant(b, op.getRtol().convertToDouble()), magnitude);
  Value tolerance = arith::AddFOp::create(
      b, constant(b, op.getAtol().convertToDouble()), relative);
  Value infinity = constant(b, std::numeric_limits<double>::infinity());

  Value within = arith::AndIOp::create(
      b, compare(CmpFPredicate::OLE, difference, tolerance),
      compare(CmpFPredicate::OLT, difference, infinity));
  Value agree = arith::OrIOp::create(
      b, compare(CmpFPredicate::OEQ, actual, expected), within);
  if (!op.getEqualNan())
    return agree;
  Value bothNan =
      arith::AndIOp::create(b, compare(CmpFPredicate::UNO, actual, actual),
                            compare(CmpFPredicate::UNO, expected, expected));
  return arith::OrIOp::create(b, agree, bothNan);
}

static Value areSame(ImplicitLocOpBuilder &b, Value actual, Value expected) {
  if (auto type = dyn_cast<FloatType>(actual.getType())) {
    Type bits = b.getIntegerType(type.getWidth());
    actual = arith::BitcastOp::create(b, bits, actual);
    expected = arith::BitcastOp::create(b, bits, expected);
  }
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, actual, expected);
}

/// `progress` after one more element, of which only the first mismatch's values
/// are kept.
static ProgressValues compareElement(ImplicitLocOpBuilder &b,
                                     ValueRange progress, Value actual,
                                     Value expected, Agree agree) {
  Value differ = arith::XOrIOp::create(b, agree(b, actual, expected),
                                       arith::ConstantIntOp::create(b, 1, 1));
  Value noneBefore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, progress[Mismatches],
                            constant(b, int64_t(0)));
  Value isFirst = arith::AndIOp::create(b, differ, noneBefore);
  auto select = [&](Value value, Progress old) -> Value {
    return arith::SelectOp::create(b, isFirst, value, progress[old]);
  };
  Value one = arith::ExtUIOp::create(b, b.getI64Type(), differ);
  return {arith::AddIOp::create(b, progress[Mismatches], one),
          arith::AddIOp::create(b, progress[Elements], constant(b, int64_t(1))),
          select(progress[Elements], First), select(toF64(b, actual), Actual),
          select(toF64(b, expected), Expected)};
}

//===----------------------------------------------------------------------===//
// All elements
//===----------------------------------------------------------------------===//

static ProgressValues noProgress(ImplicitLocOpBuilder &b) {
  Value zero = constant(b, int64_t(0)), zeroF64 = constant(b, 0.0);
  return {zero, zero, zero, zeroF64, zeroF64};
}

static Value loadElement(ImplicitLocOpBuilder &b, Value value,
                         ValueRange indices) {
  if (!isa<MemRefType>(value.getType()))
    return value;
  return memref::LoadOp::create(b, value, indices);
}

/// Compares scalars, or all elements of memrefs whose shapes agree.
static ProgressValues compareElements(ImplicitLocOpBuilder &b, Value actual,
                                      Value expected, Agree agree) {
  SmallVector<Value> extents;
  if (auto type = dyn_cast<MemRefType>(actual.getType()))
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      extents.push_back(b.createOrFold<memref::DimOp>(actual, axis));
  SmallVector<Value> zeros, ones;
  if (!extents.empty()) {
    zeros.assign(extents.size(), arith::ConstantIndexOp::create(b, 0));
    ones.assign(extents.size(), arith::ConstantIndexOp::create(b, 1));
  }
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), zeros, extents, ones, noProgress(b),
      [&](OpBuilder &builder, Location loc, ValueRange indices,
          ValueRange progress) -> scf::ValueVector {
        ImplicitLocOpBuilder body(loc, builder);
        ProgressValues next =
            compareElement(body, progress, loadElement(body, actual, indices),
                           loadElement(body, expected, indices), agree);
        return scf::ValueVector(next.begin(), next.end());
      });
  return ProgressValues(nest.results.begin(), nest.results.end());
}

/// Compares the extents that are not known to agree; null where all are.
static std::optional<ProgressValues>
compareShapes(ImplicitLocOpBuilder &b, Value actual, Value expected) {
  auto actualType = dyn_cast<MemRefType>(actual.getType());
  auto expectedType = dyn_cast<MemRefType>(expected.getType());
  if (!actualType ||
      (actualType.hasStaticShape() && expectedType.hasStaticShape()))
    return std::nullopt;
  ProgressValues progress = noProgress(b);
  for (int64_t axis = 0; axis < actualType.getRank(); ++axis)
    if (actualType.isDynamicDim(axis) || expectedType.isDynamicDim(axis))
      progress = compareElement(
          b, progress, b.createOrFold<memref::DimOp>(actual, axis),
          b.createOrFold<memref::DimOp>(expected, axis), areSame);
  progress[Elements] = constant(b, actualType.getRank());
  progress[First] = constant(b, int64_t(-1));
  return progress;
}

static ProgressValues compareAll(ImplicitLocOpBuilder &b, Value actual,
                                 Value expected, Agree agree) {
  std::optional<ProgressValues> shapes = compareShapes(b, actual, expected);
  if (!shapes)
    return compareElements(b, actual, expected, agree);
  Value sameShape =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, (*shapes)[Mismatches],
                            constant(b, int64_t(0)));
  auto branch = scf::IfOp::create(
      b, sameShape,
      [&](OpBuilder &builder, Location loc) {
        ImplicitLocOpBuilder then(loc, builder);
        scf::YieldOp::create(then,
                             compareElements(then, actual, expected, agree));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, *shapes);
      });
  return ProgressValues(branch.getResults());
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static FunctionType getReportType(MLIRContext *context) {
  Type i64 = IntegerType::get(context, 64), f64 = Float64Type::get(context);
  return FunctionType::get(context, {i64, i64, i64, f64, f64}, {});
}

/// Why `op` cannot be lowered where it stands; empty if it can.
static StringRef findObstacle(Operation *op) {
  if (!isa<ExpectTrueOp, ExpectCloseOp, ExpectEqOp>(op))
    return "expected an op of the check dialect";
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>))
    return "expected memrefs or scalars; bufferize tensors first";
  auto module =
      dyn_cast_if_present<ModuleOp>(SymbolTable::getNearestSymbolTable(op));
  if (!module)
    return "expected to be in a builtin.module directly, for the runtime's "
           "declaration";
  Operation *symbol = SymbolTable::lookupSymbolIn(module, kReport);
  auto function = dyn_cast_if_present<func::FuncOp>(symbol);
  if (symbol && (!function ||
                 function.getFunctionType() != getReportType(op->getContext())))
    return "expected the symbol 'lattn_check_report' to be the runtime's "
           "function";
  return {};
}

static void declareReport(RewriterBase &rewriter, Operation *op) {
  auto module = cast<ModuleOp>(SymbolTable::getNearestSymbolTable(op));
  if (SymbolTable::lookupSymbolIn(module, kReport))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  func::FuncOp::create(rewriter, module.getLoc(), kReport,
                       getReportType(rewriter.getContext()))
      .setPrivate();
}

static ProgressValues compareOperands(ImplicitLocOpBuilder &b, Operation *op) {
  return TypeSwitch<Operation *, ProgressValues>(op)
      .Case([&](ExpectTrueOp check) {
        Value wanted = arith::ConstantIntOp::create(b, 1, 1);
        return compareAll(b, check.getCondition(), wanted, areSame);
      })
      .Case([&](ExpectEqOp check) {
        return compareAll(b, check.getActual(), check.getExpected(), areSame);
      })
      .Case([&](ExpectCloseOp check) {
        auto agree = [&](ImplicitLocOpBuilder &b, Value actual,
                         Value expected) {
          return areClose(b, check, actual, expected);
        };
        return compareAll(b, check.getActual(), check.getExpected(), agree);
      });
}

LogicalResult lattn::check::lowerCheck(RewriterBase &rewriter, Operation *op) {
  StringRef obstacle = findObstacle(op);
  if (!obstacle.empty())
    return rewriter.notifyMatchFailure(op, obstacle);
  declareReport(rewriter, op);

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  ProgressValues result = compareOperands(b, op);
  Value failed =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, result[Mismatches],
                            constant(b, int64_t(0)));
  scf::IfOp::create(b, failed, [&](OpBuilder &builder, Location loc) {
    func::CallOp::create(builder, loc, kReport, TypeRange(), result);
    scf::YieldOp::create(builder, loc);
  });
  rewriter.eraseOp(op);
  return success();
}

namespace {

/// Makes an error of a match failure's reason.
struct ReasonAsError : RewriterBase::Listener {
  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> reason) override {
    Diagnostic text(loc, DiagnosticSeverity::Error);
    reason(text);
    emitError(loc) << text.str();
  }
};

struct ConvertCheckToLoops
    : lattn::check::impl::ConvertCheckToLoopsPassBase<ConvertCheckToLoops> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> checks;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<CheckDialect>(op->getDialect()))
        checks.push_back(op);
    });
    ReasonAsError listener;
    IRRewriter rewriter(&getContext(), &listener);
    for (Operation *op : checks)
      if (failed(lowerCheck(rewriter, op)))
        return signalPassFailure();
  }
};

} // namespace
