//===- Lattn.h - The lattn dialect ------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The dialect's one header: attributes, interfaces and ops.

#ifndef LATTN_DIALECT_LATTN_IR_LATTN_H
#define LATTN_DIALECT_LATTN_IR_LATTN_H

#include "lattn/Dialect/KnownAttributes.h"
#include "lattn/Target/TileSizes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

// The generated declarations of upstream's interfaces use these names without a
// namespace.
namespace lattn {
using mlir::FailureOr;
using mlir::Location;
using mlir::MergeResult;
using mlir::OpBuilder;
using mlir::ReductionTilingStrategy;
using mlir::SmallVector;
using mlir::TilingResult;
using mlir::Value;
using mlir::ValueRange;
} // namespace lattn

#include "lattn/Dialect/Lattn/IR/LattnDialect.h.inc"

#include "lattn/Dialect/Lattn/IR/LattnEnums.h.inc"

#include "lattn/Dialect/Lattn/IR/LattnAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lattn/Dialect/Lattn/IR/LattnAttrs.h.inc"

namespace lattn {

/// The attribute of a parallel loop that describes the GPU kernel made of it.
inline constexpr llvm::StringLiteral kGrid = "lattn.grid";
/// The attribute of a function with what its attention's schedules lack.
inline constexpr llvm::StringLiteral kSchedule = "lattn.schedule";
/// The attribute of a function's arguments and results that names them.
inline constexpr llvm::StringLiteral kNameOfArgument = "lattn.name";

/// `#lattn.window<right = 0>`.
WindowAttrInterface getCausalWindow(mlir::MLIRContext *context);

/// The type of scores, sums and log-sum-exp for operands of `shaped`'s type.
mlir::FloatType getAccumulatorType(mlir::Type shaped);

/// `map`, or, if it is null, the map from (batch, head, query, key) that
/// broadcasts `bias`: axes are aligned at the right, and an axis of extent 1
/// repeats.
mlir::AffineMap getEffectiveBiasMap(mlir::Value bias, mlir::AffineMapAttr map);

} // namespace lattn

#include "lattn/Dialect/Lattn/IR/LattnOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "lattn/Dialect/Lattn/IR/LattnOps.h.inc"

#endif // LATTN_DIALECT_LATTN_IR_LATTN_H
