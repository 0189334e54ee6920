//===- Bytecode.h - The lattn dialect in MLIR's bytecode --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_BYTECODE_H
#define LATTN_LIB_DIALECT_LATTN_IR_BYTECODE_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir {
class DialectBytecodeReader;
class DialectBytecodeWriter;
} // namespace mlir

namespace lattn {
class LattnDialect;

/// Adds the interface that writes and reads the dialect's version.
void addBytecodeInterface(LattnDialect &dialect);

/// Reads the inherent attributes of an op. Older versions may have written them
/// in another form; they are converted to today's form. Every op of the dialect
/// uses this.
mlir::LogicalResult readAttributes(mlir::DialectBytecodeReader &reader,
                                   mlir::StringRef op,
                                   mlir::DictionaryAttr &attributes);

/// `attributes` is null or a dictionary.
void writeAttributes(mlir::DialectBytecodeWriter &writer,
                     mlir::MLIRContext *context, mlir::Attribute attributes);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_BYTECODE_H
