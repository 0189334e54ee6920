//===- FragmentDialect.td - The fragment dialect and its type -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_IR_FRAGMENTDIALECT_TD
#define LATTN_DIALECT_FRAGMENT_IR_FRAGMENTDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "lattn/Dialect/Fragment/IR/FragmentInterfaces.td"

def Fragment_Dialect : Dialect {
  let name = "fragment";
  let cppNamespace = "::lattn::fragment";
  let summary = "Tiles that the threads of a GPU's block hold in registers";
  let description = [{
    A tile is a value of the whole block. Each thread holds a part of it, which the
    tile's layout defines. Ops work on tiles, so a kernel reads like its mathematics.
    `-convert-fragment-to-nvvm` turns them into registers and tensor core
    instructions. All threads of the block must reach every op.
  }];
  let hasOperationAttrVerify = 1; // conventions_c3
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def Fragment_PartAccumulator : I32EnumAttrCase<"Accumulator", 0, "accumulator">;
def Fragment_PartOperand : I32EnumAttrCase<"Operand", 1, "operand">;
def Fragment_PartRow : I32EnumAttrCase<"Row", 2, "row">;
def Fragment_PartColumn : I32EnumAttrCase<"Column", 3, "column">;
def Fragment_Part : I32EnumAttr<"Part", "what a tile is to mma instructions",
    [Fragment_PartAccumulator, Fragment_PartOperand, Fragment_PartRow,
     Fragment_PartColumn]> {
  let cppNamespace = "::lattn::fragment";
}

def Fragment_MmaAttr : AttrDef<Fragment_Dialect, "Mma", [
    DeclareAttrInterfaceMethods<Fragment_LayoutAttrInterface>]> {
  let mnemonic = "mma";
  let summary = "how m16n8k16 instructions hold a tile";
  let description = [{
    Each of `warps` warps holds as many rows, a multiple of 16: the first warp the
    first rows, and so on. Thread 4 * g + t of a warp holds these (row, column) of each block
    of 16 rows:

    - `accumulator`: in blocks of 8 columns, (g, 2t), (g, 2t + 1), (g + 8, 2t) and
      (g + 8, 2t + 1);
    - `operand`: in blocks of 16 columns, the pairs that start at (g, 2t),
      (g + 8, 2t), (g, 2t + 8) and (g + 8, 2t + 8). These are the elements of two
      accumulators side by side;
    - `row`, with one value for each row: rows g and g + 8. The four threads of
      equal g hold the same values.
    - `column`, with one value for each column of an accumulator: of each 8 columns,
      2t and 2t + 1. All warps, and all threads of equal t, hold the same values.

    Source: PTX ISA, "Matrix fragments for mma.m16n8k16".
  }];
  let parameters = (ins
    EnumParameter<Fragment_Part>:$part,
    "int64_t":$warps
  );
  let assemblyFormat = "`<` $part `,` `warps` `=` $warps `>`";
  let genVerifyDecl = 1;
}

def Fragment_KernelAttr : AttrDef<Fragment_Dialect, "Kernel"> {
  let mnemonic = "kernel";
  let summary = "what a kernel with tiles does";
  let description = [{
    The attribute `fragment.kernel = #fragment.kernel<query_tile = 64>` of a
    `gpu.launch_func` says how many queries of a head each work tile of the kernel
    has. `lattn-gather-kernels` writes it.
  }];
  let parameters = (ins "int64_t":$queryTile);
  let assemblyFormat = "`<` `query_tile` `=` $queryTile `>`";
  let genVerifyDecl = 1;
}

def Fragment_Tile : TypeDef<Fragment_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary =
    "a matrix, or one value for each of its rows or columns, held by a block";
  let description = [{
    ```mlir
    !fragment.tile<64x64xf32, #fragment.mma<accumulator, warps = 4>>
    !fragment.tile<64x128xbf16, #fragment.mma<operand, warps = 4>>
    !fragment.tile<64xf32, #fragment.mma<row, warps = 4>>
    !fragment.tile<128xf32, #fragment.mma<column, warps = 4>>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::lattn::fragment::LayoutAttrInterface":$layout
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// 1 for a value of each column.
    int64_t getRows() const { return isColumn() ? 1 : getShape()[0]; }
    /// 1 for a value of each row.
    int64_t getColumns() const { return isRow() ? 1 : getShape().back(); }
    Part getPart() const { return getLayout().getPart(); }
    bool isRow() const { return getPart() == Part::Row; }
    bool isColumn() const { return getPart() == Part::Column; }
    int64_t getWarps() const { return getLayout().getWarps(); }
    int64_t getThreads() const { return GPUTarget::warpThreads * getWarps(); }
    /// How many groups of an instruction's rows a warp holds.
    int64_t getRowGroups() const {
      return getRows() / (getLayout().getInstructionRows() * getWarps());
    }
    int64_t getNumRegisters() const {
      return getLayout().getNumRegisters(getShape());
    }
    ElementPosition getElement(int64_t number) const {
      return getLayout().getElement(getShape(), number);
    }
    TileType withElement(::mlir::Type element) const {
      return get(getContext(), getShape(), element, getLayout());
    }
    /// The type of a tile with one value for each row of this one.
    TileType getRowType(::mlir::Type element) const;
  }];
}

#endif // LATTN_DIALECT_FRAGMENT_IR_FRAGMENTDIALECT_TD
