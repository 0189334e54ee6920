//===- Fragment.h - The fragment dialect ------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_IR_FRAGMENT_H
#define LATTN_DIALECT_FRAGMENT_IR_FRAGMENT_H

#include "lattn/Dialect/KnownAttributes.h"
#include "lattn/Target/GPUTarget.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lattn/Dialect/Fragment/IR/FragmentDialect.h.inc"
#include "lattn/Dialect/Fragment/IR/FragmentEnums.h.inc"

namespace lattn::fragment {
/// The named barrier of the warps that hold tiles, for kernels in which other
/// warps have another role.
constexpr int64_t kTileBarrier = 1;
/// A group of four warps, which holds 64 rows.
constexpr int64_t kGroupWarps = 4, kGroupRows = 64;
constexpr int64_t kGroupThreads = kGroupWarps * GPUTarget::warpThreads;
/// The most columns of a product by such a group. Source: PTX ISA,
/// "wgmma.mma_async".
constexpr int64_t kMostGroupColumns = 256;

/// Columns of a TMA tile: the widest swizzle is 128 bytes.
constexpr int64_t kTMATileColumns = 64, kTMARowBytes = 128;
/// The most rows of a TMA tile. Source: CUDA Driver API,
/// cuTensorMapEncodeTiled.
constexpr int64_t kMostTMARows = 256;
/// The alignment of TMA tiles in shared memory. The swizzle repeats at
/// multiples of it.
constexpr int64_t kTMATileAlignment = 1024;

/// The most stages of a ring. Shared memory is too small for more.
constexpr int64_t kMostStages = 256;
/// The first barrier of the ping-pong, and the first of those that belong to
/// one group. There are up to three groups.
constexpr int64_t kPingPongBarrier = 2, kGroupBarrier = 5;
/// A barrier of the `threads` threads that hold tiles. These are all threads of
/// a block, or, if warps have roles, the threads of this role.
void createTileBarrier(mlir::OpBuilder &b, mlir::Location loc, int64_t threads);
/// The barrier of one group of four warps. `group` is its number, an index.
void createBarrierOfGroup(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value group);

/// The attribute of a `gpu.launch_func` that describes its kernel.
inline constexpr llvm::StringLiteral kKernelDescription = "fragment.kernel";

/// The place of a register's element among the rows and columns of its thread.
struct ElementPosition {
  int64_t row, column;
};
} // namespace lattn::fragment

#include "lattn/Dialect/Fragment/IR/FragmentAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "lattn/Dialect/Fragment/IR/FragmentAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lattn/Dialect/Fragment/IR/FragmentTypes.h.inc"

#define GET_OP_CLASSES
#include "lattn/Dialect/Fragment/IR/FragmentOps.h.inc"

#endif // LATTN_DIALECT_FRAGMENT_IR_FRAGMENT_H
