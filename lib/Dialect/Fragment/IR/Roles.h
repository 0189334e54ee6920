//===- Roles.h - The text of roles of warps ---------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_IR_ROLES_H
#define LATTN_LIB_DIALECT_FRAGMENT_IR_ROLES_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"

namespace lattn::fragment {

mlir::ParseResult
parseRoles(mlir::OpAsmParser &parser,
           llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &roles,
           mlir::DenseI64ArrayAttr &warps, mlir::DenseI64ArrayAttr &registers);
void printRoles(mlir::OpAsmPrinter &printer, WarpSpecializeOp op,
                llvm::MutableArrayRef<mlir::Region> roles,
                mlir::DenseI64ArrayAttr warps,
                mlir::DenseI64ArrayAttr registers);

} // namespace lattn::fragment

#endif // LATTN_LIB_DIALECT_FRAGMENT_IR_ROLES_H
