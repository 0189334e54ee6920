//===- Check.h - The check dialect ------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_CHECK_IR_CHECK_H
#define LATTN_DIALECT_CHECK_IR_CHECK_H

#include "lattn/Dialect/KnownAttributes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lattn/Dialect/Check/IR/CheckDialect.h.inc"

#define GET_OP_CLASSES
#include "lattn/Dialect/Check/IR/CheckOps.h.inc"

#endif // LATTN_DIALECT_CHECK_IR_CHECK_H
