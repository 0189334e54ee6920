//===- LaunchRecord.cpp - How kernels are launched, as data ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/LaunchRecord.h"
#include "HostExpression.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

namespace {
/// One function's host code.
class Recorder {
public:
  Recorder(func::FuncOp function, const Signature &signature)
      : function(function), signature(signature) {}
  Expected<json::Object> run();

private:
  Error visit(Block &block);
  Error visit(Operation &op);
  Error addCheck(cf::AssertOp check);
  Error addBuffer(memref::AllocOp alloc);
  Error addLaunch(gpu::LaunchFuncOp launch);
  Error addParameter(Value operand, json::Array &to);
  Error addTensorMap(Value operand, json::Array &to);
  Error addResult(Value value, const ValueInfo &info);
  Error visitBranches(scf::IfOp branch, function_ref<Error(Block &)> visit);

  func::FuncOp function;
  const Signature &signature;
  HostExpressions expressions;
  json::Array conditions; // of the branches that are being visited
  json::Array checks, buffers, launches, results;
};
} // namespace

static json::Array describe(const std::vector<ValueInfo> &values) {
  json::Array all;
  for (const ValueInfo &info : values) {
    json::Object value{{"name", info.name},
                       {"element", getElementName(info.kind)}};
    if (info.isShaped) {
      json::Array sizes;
      for (int64_t size : info.shape)
        sizes.push_back(ShapedType::isDynamic(size) ? json::Value(nullptr)
                                                    : json::Value(size));
      value["sizes"] = std::move(sizes);
    }
    all.push_back(std::move(value));
  }
  return all;
}

static Error refuse(Operation &op, const llvm::Twine &why) {
  return createStringError("'" + op.getName().getStringRef() +
                           "' on the host has no launch record: " + why);
}

//===----------------------------------------------------------------------===//
// Checks, buffers and results
//===----------------------------------------------------------------------===//

Error Recorder::addCheck(cf::AssertOp check) {
  Expected<json::Value> expected = expressions.get(check.getArg());
  if (!expected)
    return expected.takeError();
  json::Object record{{"expected", std::move(*expected)},
                      {"message", check.getMsg()}};
  if (!conditions.empty())
    record["if"] = json::Array(conditions);
  checks.push_back(std::move(record));
  return Error::success();
}

Error Recorder::addBuffer(memref::AllocOp alloc) {
  auto type = cast<MemRefType>(alloc.getType());
  if (!type.getLayout().isIdentity())
    return refuse(*alloc, "expected a buffer that is dense");
  std::string name = "buffer" + std::to_string(buffers.size());
  expressions.nameArray(alloc.getResult(), name);
  json::Value bytes =
      int64_t(llvm::divideCeil(type.getElementTypeBitWidth(), 8u));
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Expected<json::Value> size = expressions.getSize(alloc.getResult(), axis);
    if (!size)
      return size.takeError();
    bytes = json::Array{"*", std::move(bytes), std::move(*size)};
  }
  json::Object buffer{{"name", name}, {"bytes", std::move(bytes)}};
  if (!conditions.empty())
    buffer["if"] = json::Array(conditions);
  buffers.push_back(std::move(buffer));
  return Error::success();
}

/// A branch's is one of two, each under the condition of its own.
Error Recorder::addResult(Value value, const ValueInfo &info) {
  value = HostExpressions::skipCasts(value);
  if (std::optional<std::string> name = expressions.findArray(value)) {
    json::Object result{{"name", info.name}, {"array", *name}};
    if (!conditions.empty())
      result["if"] = json::Array(conditions);
    results.push_back(std::move(result));
    return Error::success();
  }
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return createStringError("the result '" + info.name +
                             "' is neither an argument nor a buffer: it has no "
                             "launch record");
  unsigned number = cast<OpResult>(value).getResultNumber();
  return visitBranches(branch, [&](Block &block) {
    return addResult(block.getTerminator()->getOperand(number), info);
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static int64_t getBytes(nvgpu::TensorMapSwizzleKind swizzle) {
  int64_t step = int64_t(swizzle);
  return step ? 16 << step : 0;
}

static int64_t getBytes(nvgpu::TensorMapL2PromoKind promotion) {
  int64_t step = int64_t(promotion);
  return step ? 32 << step : 0;
}

/// Axes from the innermost, as the driver takes them.
Error Recorder::addTensorMap(Value operand, json::Array &to) {
  auto create = operand.getDefiningOp<nvgpu::TmaCreateDescriptorOp>();
  std::optional<std::string> name;
  if (create)
    name = expressions.findArray(create.getTensor());
  if (!name)
    return createStringError("a kernel takes a tensor map of no argument and "
                             "no buffer: it has no launch record");
  Value array = HostExpressions::skipCasts(create.getTensor());
  auto type = cast<MemRefType>(array.getType());
  json::Array sizes, strides, box;
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    auto size = expressions.getSize(array, axis),
         stride = expressions.getStride(array, axis),
         extent = expressions.get(create.getBoxDimensions()[axis]);
    if (!size || !stride || !extent) {
      Error error = Error::success();
      for (auto *number : {&size, &stride, &extent})
        if (!*number)
          error = llvm::joinErrors(std::move(error), number->takeError());
      return error;
    }
    sizes.push_back(std::move(*size));
    box.push_back(std::move(*extent));
    if (axis + 1 < type.getRank())
      strides.push_back(json::Array{
          "*", int64_t(type.getElementTypeBitWidth() / 8), std::move(*stride)});
  }
  auto map = cast<nvgpu::TensorMapDescriptorType>(operand.getType());
  to.push_back(json::Array{
      "tensor_map", json::Object{{"array", *name},
                                 {"element", HostExpressions::getTypeName(
                                                 type.getElementType())},
                                 {"sizes", std::move(sizes)},
                                 {"strides", std::move(strides)},
                                 {"box", std::move(box)},
                                 {"swizzle", getBytes(map.getSwizzle())},
                                 {"promotion", getBytes(map.getL2promo())}}});
  return Error::success();
}

/// Of a memref the fields of its descriptor.
Error Recorder::addParameter(Value operand, json::Array &to) {
  if (isa<nvgpu::TensorMapDescriptorType>(operand.getType()))
    return addTensorMap(operand, to);
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type) {
    Expected<json::Value> value = expressions.get(operand);
    if (!value)
      return value.takeError();
    to.push_back(json::Array{HostExpressions::getTypeName(operand.getType()),
                             std::move(*value)});
    return Error::success();
  }
  std::optional<std::string> name = expressions.findArray(operand);
  if (!name)
    return createStringError("a kernel takes an array that is neither an "
                             "argument nor a buffer: it has no launch record");
  to.push_back(json::Array{"pointer", *name});
  to.push_back(json::Array{"pointer", *name});
  to.push_back(json::Array{"i64", 0});
  for (bool strides : {false, true})
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      auto field = strides ? expressions.getStride(operand, axis)
                           : expressions.getSize(operand, axis);
      if (!field)
        return field.takeError();
      to.push_back(json::Array{"i64", std::move(*field)});
    }
  return Error::success();
}

Error Recorder::addLaunch(gpu::LaunchFuncOp launch) {
  Error error = Error::success();
  auto get = [&](Value value) -> json::Value {
    Expected<json::Value> found = expressions.get(value);
    if (found)
      return std::move(*found);
    error = llvm::joinErrors(std::move(error), found.takeError());
    return nullptr;
  };
  auto getAll = [&](gpu::KernelDim3 extents) {
    return json::Array{get(extents.x), get(extents.y), get(extents.z)};
  };
  json::Object record{{"kernel", launch.getKernelName().str()},
                      {"grid", getAll(launch.getGridSizeOperandValues())},
                      {"block", getAll(launch.getBlockSizeOperandValues())},
                      {"shared", 0}};
  if (launch.hasClusterSize())
    record["cluster"] = getAll(launch.getClusterSizeOperandValues());
  if (Value shared = launch.getDynamicSharedMemorySize())
    record["shared"] = get(shared);
  if (!conditions.empty())
    record["if"] = json::Array(conditions);
  json::Array parameters;
  for (Value operand : launch.getKernelOperands())
    if (Error failed = addParameter(operand, parameters))
      error = llvm::joinErrors(std::move(error), std::move(failed));
  record["parameters"] = std::move(parameters);
  launches.push_back(std::move(record));
  return error;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

Error Recorder::visit(Operation &op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return addLaunch(launch);
  if (auto check = dyn_cast<cf::AssertOp>(op))
    return addCheck(check);
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return addBuffer(alloc);
  if (auto end = dyn_cast<func::ReturnOp>(op)) {
    for (auto [value, info] :
         llvm::zip_equal(end.getOperands(), signature.results))
      if (Error error = addResult(value, info))
        return error;
    return Error::success();
  }
  if (isa<scf::YieldOp, memref::DeallocOp, nvgpu::TmaCreateDescriptorOp>(op) ||
      isMemoryEffectFree(&op))
    return Error::success(); // read where it is used
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return refuse(op, isa<CallOpInterface>(op)
                          ? "expected a function that calls no other one"
                          : "expected checks, launches, buffers and branches "
                            "only");
  return visitBranches(branch, [&](Block &block) { return visit(block); });
}

Error Recorder::visitBranches(scf::IfOp branch,
                              function_ref<Error(Block &)> visitBlock) {
  Expected<json::Value> condition =
      expressions.getShared(branch.getCondition());
  if (!condition)
    return condition.takeError();
  conditions.push_back(*condition);
  if (Error error = visitBlock(*branch.thenBlock()))
    return error;
  conditions.back() = json::Array{"==", *condition, 0};
  if (branch.elseBlock())
    if (Error error = visitBlock(*branch.elseBlock()))
      return error;
  conditions.pop_back();
  return Error::success();
}

Error Recorder::visit(Block &block) {
  for (Operation &op : block)
    if (Error error = visit(op))
      return error;
  return Error::success();
}

Expected<json::Object> Recorder::run() {
  for (auto [argument, info] :
       llvm::zip_equal(function.getArguments(), signature.arguments)) {
    if (info.isShaped)
      expressions.nameArray(argument, info.name);
    else
      expressions.nameScalar(argument, info.name);
  }
  if (!function.getBody().hasOneBlock())
    return createStringError("the function '" + signature.entry +
                             "' branches: it has no launch record");
  if (Error error = visit(function.getBody().front()))
    return error;
  return json::Object{{"name", signature.entry},
                      {"arguments", describe(signature.arguments)},
                      {"numbers", expressions.takeNumbers()},
                      {"checks", std::move(checks)},
                      {"buffers", std::move(buffers)},
                      {"launches", std::move(launches)},
                      {"results", std::move(results)}};
}

Expected<json::Array> lattn::describeLaunches(ModuleOp lowered,
                                              ArrayRef<Signature> signatures) {
  json::Array all;
  for (const Signature &signature : signatures) {
    auto function = lowered.lookupSymbol<func::FuncOp>(signature.entry);
    Expected<json::Object> record = Recorder(function, signature).run();
    if (!record)
      return record.takeError();
    all.push_back(std::move(*record));
  }
  return all;
}
