//===- FragmentInterfaces.td - Layouts of tiles ------------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_IR_FRAGMENTINTERFACES_TD
#define LATTN_DIALECT_FRAGMENT_IR_FRAGMENTINTERFACES_TD

include "mlir/IR/OpBase.td"

def Fragment_LayoutAttrInterface : AttrInterface<"LayoutAttrInterface"> {
  let cppNamespace = "::lattn::fragment";
  let description = [{
    Says which part of a tile each thread of a block holds. Each family of tensor
    core instructions has a layout. All warps hold the same number of adjacent
    rows. A thread holds whole registers. Its rows and columns are numbered in the
    order in which it holds them.
  }];
  let methods = [
    InterfaceMethod<"What a tile is to the instructions.",
      "::lattn::fragment::Part", "getPart">,
    InterfaceMethod<"Warps that hold a tile.", "int64_t", "getWarps">,
    InterfaceMethod<"Rows of a tile that one instruction of a warp computes.",
      "int64_t", "getInstructionRows">,
    InterfaceMethod<"The layout of another part of the same products.",
      "::lattn::fragment::LayoutAttrInterface", "withPart",
      (ins "::lattn::fragment::Part":$part)>,
    InterfaceMethod<"Whether there are tiles of this shape and element type.",
      "::llvm::LogicalResult", "verifyTile",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
           "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$element)>,
    InterfaceMethod<"Registers of a thread that hold its part of a tile.",
      "int64_t", "getNumRegisters", (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<[{
      The element in register `number`, as (row, column) among the thread's rows and
      columns. Only for parts that hold one element in each register.
    }], "::lattn::fragment::ElementPosition", "getElement",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "int64_t":$number)>
  ];
}

#endif // LATTN_DIALECT_FRAGMENT_IR_FRAGMENTINTERFACES_TD
