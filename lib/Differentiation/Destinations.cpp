//===- Destinations.cpp - Functions that write to arguments ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Differentiation/Destinations.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

static void setArgumentTypes(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.setType(
      Builder(function.getContext())
          .getFunctionType(body.getArgumentTypes(),
                           body.getTerminator()->getOperandTypes()));
}

//===----------------------------------------------------------------------===//
// Memrefs to tensors
//===----------------------------------------------------------------------===//

/// Checks what `argument` is used for.
static LogicalResult checkUses(BlockArgument argument) {
  for (OpOperand &use : argument.getUses()) {
    auto write = dyn_cast<MaterializeInDestinationOp>(use.getOwner());
    bool isWrite = write && &use == &write.getDestMutable();
    if (!isWrite && !isa<ToTensorOp, memref::DimOp>(use.getOwner()))
      return use.getOwner()->emitOpError()
             << "has no derivative on memrefs: expected argument "
             << argument.getArgNumber()
             << " to be read by bufferization.to_tensor and written by "
                "bufferization.materialize_in_destination only";
  }
  return success();
}

FailureOr<Destinations> Destinations::remove(func::FuncOp function) {
  Destinations made;
  if (!function.getBody().hasOneBlock())
    return made; // an error of differentiation
  Block &body = function.getBody().front();
  auto isMemRef = [](BlockArgument x) { return isa<MemRefType>(x.getType()); };
  if (llvm::none_of(body.getArguments(), isMemRef))
    return made;
  if (function.getNumResults())
    return function.emitOpError("has no derivative: expected a function that "
                                "takes memrefs to return nothing");
  SmallVector<Value> results;
  SmallVector<Operation *> unused;
  SmallVector<memref::DimOp> sizes;
  for (auto op : body.getOps<MaterializeInDestinationOp>())
    if (auto dest = dyn_cast<BlockArgument>(op.getDest())) {
      if (made.isWritten(dest.getArgNumber()))
        return op.emitOpError("has no derivative: it writes argument ")
               << dest.getArgNumber() << " again";
      made.written.push_back(dest.getArgNumber());
      results.push_back(op.getSource());
      unused.push_back(op);
    }
  for (BlockArgument argument : body.getArguments()) {
    made.types.push_back(argument.getType());
    auto attributes = function.getArgAttrDict(argument.getArgNumber());
    made.attributes.push_back(
        attributes ? attributes : DictionaryAttr::get(function.getContext()));
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    if (failed(checkUses(argument)))
      return failure();
    for (Operation *user : argument.getUsers())
      if (auto read = dyn_cast<ToTensorOp>(user)) {
        read->getResult(0).replaceAllUsesWith(argument);
        unused.push_back(read);
      } else if (auto size = dyn_cast<memref::DimOp>(user)) {
        sizes.push_back(size);
      }
    argument.setType(
        RankedTensorType::get(type.getShape(), type.getElementType()));
  }
  // What was read and is written at once now is a tensor, too.
  for (Value &result : results)
    if (auto read = result.getDefiningOp<ToTensorOp>())
      result = read.getBuffer();
  for (Operation *op : unused)
    op->erase();
  for (memref::DimOp size : sizes) {
    OpBuilder b(size);
    Value ofTensor = tensor::DimOp::create(b, size.getLoc(), size.getSource(),
                                           size.getIndex());
    size->getResult(0).replaceAllUsesWith(ofTensor);
    size->erase();
  }
  body.getTerminator()->setOperands(results);
  setArgumentTypes(function);
  return made;
}

//===----------------------------------------------------------------------===//
// Tensors to memrefs
//===----------------------------------------------------------------------===//

/// {lattn.name = "d_x"} of {lattn.name = "x"}.
static DictionaryAttr nameDerivative(DictionaryAttr attributes) {
  Builder b(attributes.getContext());
  auto name = attributes.getAs<StringAttr>(kNameOfArgument);
  if (!name)
    return b.getDictionaryAttr({});
  return b.getDictionaryAttr(
      b.getNamedAttr(kNameOfArgument, b.getStringAttr("d_" + name.getValue())));
}

namespace {
/// Makes memrefs of a function's arguments and results.
class MemRefs {
public:
  explicit MemRefs(func::FuncOp function)
      : function(function), body(function.getBody().front()),
        b(OpBuilder::atBlockBegin(&body)) {
    attributes.resize(body.getNumArguments(), b.getDictionaryAttr({}));
  }

  /// Argument `i`, or what it holds if it becomes a memref of `type`.
  Value read(unsigned i, Type type, DictionaryAttr attribute,
             bool writable = false) {
    attributes[i] = attribute;
    BlockArgument argument = body.getArgument(i);
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      return argument;
    Type tensor = argument.getType();
    argument.setType(memref);
    auto read = ToTensorOp::create(b, argument.getLoc(), tensor, argument,
                                   /*restrict=*/true, writable);
    argument.replaceAllUsesExcept(read->getResult(0), read);
    return read->getResult(0);
  }

  /// Writes `value` to `argument`.
  void write(Value value, Value argument) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(body.getTerminator());
    Location loc = value.getLoc();
    if (!isa<TensorType>(value.getType()))
      value = tensor::FromElementsOp::create(
          b, loc, RankedTensorType::get({}, value.getType()), value);
    auto write =
        MaterializeInDestinationOp::create(b, loc, Type(), value, argument);
    write.setRestrict(true);
    write.setWritable(true);
  }

  /// A further argument.
  BlockArgument add(Type type, DictionaryAttr attribute) {
    attributes.push_back(attribute);
    return body.addArgument(type, function.getLoc());
  }

  void erase(SmallVector<unsigned> arguments) {
    llvm::sort(arguments);
    for (unsigned i : llvm::reverse(arguments)) {
      body.eraseArgument(i);
      attributes.erase(attributes.begin() + i);
    }
  }

  void finish() {
    body.getTerminator()->setOperands({});
    setArgumentTypes(function);
    function.setAllResultAttrs(ArrayRef<DictionaryAttr>());
    function.setAllArgAttrs(ArrayRef(attributes));
  }

  DictionaryAttr nameKept(unsigned i) {
    return b.getDictionaryAttr(
        b.getNamedAttr(kNameOfArgument, b.getStringAttr("kept_" + Twine(i))));
  }

  func::FuncOp function;
  Block &body;
  OpBuilder b;
  SmallVector<DictionaryAttr> attributes; // of the arguments
};
} // namespace

/// A memref of rows, one after another.
static MemRefType getDenseType(Type type) {
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    return MemRefType::get(shaped.getShape(), shaped.getElementType());
  return MemRefType::get({}, type);
}

void Destinations::restoreForward(const Derivative &derivative) const {
  MemRefs made(derivative.forward);
  SmallVector<Value> results(made.body.getTerminator()->getOperands());
  for (auto [i, type] : llvm::enumerate(types))
    made.read(i, type, attributes[i], isWritten(i));
  // Writing a result may end what a kept value shares memory with.
  ArrayRef all(results);
  for (auto [i, kept] : llvm::enumerate(all.drop_front(written.size())))
    made.write(kept, made.add(getDenseType(kept.getType()), made.nameKept(i)));
  for (auto [argument, result] : llvm::zip(written, all))
    made.write(result, made.body.getArgument(argument));
  made.finish();
}

/// An array of the sizes of `like` in place of one that nobody reads.
static void replaceUnread(OpBuilder &b, Value array, Value like) {
  if (array.use_empty())
    return;
  Location loc = array.getLoc();
  SmallVector<OpFoldResult> sizes = isa<MemRefType>(like.getType())
                                        ? memref::getMixedSizes(b, loc, like)
                                        : tensor::getMixedSizes(b, loc, like);
  array.replaceAllUsesWith(tensor::EmptyOp::create(
      b, loc, sizes, getElementTypeOrSelf(array.getType())));
}

void Destinations::restoreTangent(func::FuncOp tangent,
                                  const Derivative &derivative,
                                  bool keepResults) const {
  MemRefs made(tangent);
  SmallVector<Value> results(made.body.getTerminator()->getOperands());
  for (auto [n, i] : llvm::enumerate(derivative.arguments))
    made.read(types.size() + n, types[i], nameDerivative(attributes[i]));
  for (auto [i, type] : llvm::enumerate(types))
    if (keepResults || !isWritten(i))
      made.read(i, type, attributes[i], isWritten(i));
  ArrayRef tangents(results);
  if (keepResults) {
    for (auto [argument, result] : llvm::zip(written, results))
      made.write(result, made.body.getArgument(argument));
    tangents = tangents.drop_front(written.size());
  }
  for (unsigned argument : written) {
    if (!isDifferentiable(types[argument]))
      continue;
    Value array = made.body.getArgument(argument);
    BlockArgument destination =
        made.add(types[argument], nameDerivative(attributes[argument]));
    if (!keepResults)
      replaceUnread(made.b, array, destination);
    made.write(tangents.front(), destination);
    tangents = tangents.drop_front();
  }
  if (!keepResults)
    made.erase(written);
  made.finish();
}

void Destinations::restoreGradient(func::FuncOp gradient,
                                   const Derivative &derivative) const {
  MemRefs made(gradient);
  SmallVector<Value> results(made.body.getTerminator()->getOperands());
  unsigned i = types.size();
  for (unsigned kept : derivative.kept) {
    if (kept < written.size())
      made.read(i, types[written[kept]], attributes[written[kept]]);
    else
      made.read(i, getDenseType(made.body.getArgument(i).getType()),
                made.nameKept(kept - written.size()));
    ++i;
  }
  SmallVector<unsigned> unread;
  for (unsigned argument : written) {
    if (!isDifferentiable(types[argument]))
      continue;
    Value cotangent =
        made.read(i++, types[argument], nameDerivative(attributes[argument]));
    replaceUnread(made.b, made.body.getArgument(argument), cotangent);
    unread.push_back(argument);
  }
  for (auto [i, type] : llvm::enumerate(types))
    if (!llvm::is_contained(unread, i))
      made.read(i, type, attributes[i]);
  for (auto [argument, result] :
       llvm::zip_equal(derivative.arguments, results)) {
    Type type = types[argument];
    made.write(result,
               made.add(isa<MemRefType>(type) ? type : getDenseType(type),
                        nameDerivative(attributes[argument])));
  }
  made.erase(unread);
  made.finish();
}
