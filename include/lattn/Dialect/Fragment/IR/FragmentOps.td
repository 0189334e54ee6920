//===- FragmentOps.td - Operations of the fragment dialect -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_IR_FRAGMENTOPS_TD
#define LATTN_DIALECT_FRAGMENT_IR_FRAGMENTOPS_TD

include "lattn/Dialect/Fragment/IR/FragmentDialect.td"
include "lattn/Dialect/KnownAttributes.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fragment_Op<string mnemonic, list<Trait> traits = []>
  : Op<Fragment_Dialect, mnemonic, !listconcat([KnownAttributes], traits)> {
  let hasVerifier = 1;
}

def Fragment_Array : AnyTypeOf<[RankedTensorOf<[AnyType]>, MemRefOf<[AnyType]>]>;
def Fragment_Matrix
  : AnyTypeOf<[RankedTensorOf<[F16, BF16]>, MemRefOf<[F16, BF16]>]>;

/// Only reads its operand `matrix`, a tensor or memref, into tiles.
class Fragment_ReadingOp<string mnemonic, string matrix, list<Trait> traits = []>
  : Fragment_Op<mnemonic, !listconcat(traits, [
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "bufferize"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let extraClassDefinition = [{
    bool $cppClass::bufferizesToMemoryRead(
        OpOperand &, const bufferization::AnalysisState &) {
      return true;
    }
    bool $cppClass::bufferizesToMemoryWrite(
        OpOperand &, const bufferization::AnalysisState &) {
      return false;
    }
    bufferization::AliasingValueList $cppClass::getAliasingValues(
        OpOperand &, const bufferization::AnalysisState &) {
      return {};
    }
    LogicalResult
    $cppClass::bufferize(RewriterBase &rewriter,
                         const bufferization::BufferizationOptions &options,
                         bufferization::BufferizationState &state) {
      return readBuffer(rewriter, get}] # matrix # [{Mutable(), options, state);
    }
    void $cppClass::getEffects(Effects &effects) {
      addRead(effects, get}] # matrix # [{Mutable());
    }
  }];
}

def Fragment_SplatOp : Fragment_Op<"splat", [Pure]> {
  let summary = "a tile of equal elements";
  let description = [{
    ```mlir
    %t = fragment.splat %zero : f32 -> !fragment.tile<64x64xf32, ...>
    ```
  }];
  let arguments = (ins AnyType:$scalar);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$scalar attr-dict `:` type($scalar) `->` type($result)";
}

def Fragment_LoadOp : Fragment_ReadingOp<"load", "Source"> {
  let summary = "a tile from memory, zero beyond its edges";
  let description = [{
    The matrix `source` of at most the tile's rows and columns as the first
    operand of `fragment.multiply`. Elements that `source` has not are 0.

    ```mlir
    %q = fragment.load %rows : memref<?x80xbf16>
      -> !fragment.tile<64x80xbf16, #fragment.mma<operand, warps = 4>>
    ```
  }];
  let arguments = (ins Fragment_Matrix:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_MultiplyOp : Fragment_ReadingOp<"multiply", "Right", [
    AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "a matrix product on tensor cores";
  let description = [{
    accumulator + left * right, or left * right^T with `transposed`; right lies
    in memory: in shared memory once `-lattn-stage-shared` has run. What `right`
    lacks of the product's extents counts as 0. Products accumulate in f32.
    With `skip_zeros` what is 0 in left takes nothing from right, not even NaN:
    slower, for tiles with hidden keys whose values turn out not to be finite.

    ```mlir
    %s = fragment.multiply %q, %keys, %zero {transposed}
      : !q, memref<?x64xbf16> -> !scores
    ```
  }];
  let arguments = (ins Fragment_Tile:$left, Fragment_Matrix:$right,
                       Fragment_Tile:$accumulator, UnitAttr:$transposed,
                       UnitAttr:$skip_zeros);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = [{
    $left `,` $right `,` $accumulator attr-dict `:` type($left) `,` type($right)
    `->` type($result)
  }];
}

def Fragment_MapOp : Fragment_Op<"map", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "elementwise, with coordinates";
  let description = [{
    One element of each result from its coordinates in the tile and the elements
    of the inputs there; an input of one value for each row is the same in all
    columns. The region takes (row, column, elements...), coordinates as index.
    The region must not depend on the order of elements.

    ```mlir
    %p = fragment.map ins(%s, %m : !scores, !row) -> !scores {
    ^bb0(%row: index, %column: index, %score: f32, %max: f32):
      %difference = arith.subf %score, %max : f32
      %exp = math.exp2 %difference : f32
      fragment.yield %exp : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Fragment_Tile>:$inputs);
  let results = (outs Fragment_Tile:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `->` type($result) $body attr-dict
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "TileType":$result, "::mlir::ValueRange":$inputs,
    "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::ValueRange)>":$body)>];
  let hasRegionVerifier = 1;
}

def Fragment_YieldOp : Op<Fragment_Dialect, "yield", [
    Pure, Terminator, ParentOneOf<["MapOp", "RepeatIfNaNOp"]>, ReturnLike]> {
  let summary = "what a region computes: an element, or tiles";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

def Fragment_KindMax : I32EnumAttrCase<"Max", 0, "max">;
def Fragment_KindAdd : I32EnumAttrCase<"Add", 1, "add">;
def Fragment_Kind : I32EnumAttr<"Kind", "how a row is reduced",
    [Fragment_KindMax, Fragment_KindAdd]> {
  let cppNamespace = "::lattn::fragment";
  let genSpecializedAttr = 0;
}
def Fragment_KindAttr : EnumAttr<Fragment_Dialect, Fragment_Kind, "kind"> {
  let assemblyFormat = "$value";
}

def Fragment_ReduceOp : Fragment_Op<"reduce", [Pure]> {
  let summary = "one value for each row";
  let description = [{
    The largest element of each row (a NaN counts as none) or their sum. The
    order of a sum is fixed by the tile's type.

    ```mlir
    %m = fragment.reduce max %s : !scores -> !row
    ```
  }];
  let arguments = (ins Fragment_KindAttr:$kind, Fragment_Tile:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat =
    "$kind $source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_FoldOp : Fragment_Op<"fold", [Pure]> {
  let summary = "sums of columns that threads hold already";
  let description = [{
    Column c of the result, of n columns, is the sum of columns c, c + n,
    c + 2 n... of the source. No element moves to another thread, so that a loop
    can leave `fragment.reduce` to its end. The order of a sum is fixed by the
    tiles' types.

    ```mlir
    %s = fragment.fold %p : !scores -> !fragment.tile<64x8xf32, ...>
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_AnyNaNOp : Fragment_Op<"any_nan"> {
  let summary = "whether a tile may hold a NaN";
  let description = [{
    True in all threads of the block if an element is NaN; it may be true where
    elements are infinite. A barrier: what was read of shared memory before it is
    not needed any more.

    ```mlir
    %1 = fragment.any_nan %acc : !acc
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let results = (outs I1:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fragment_RepeatIfNaNOp : Fragment_Op<"repeat_if_nan", [
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "repeats the work of a tile whose result may hold a NaN";
  let description = [{
    The tiles `state`, unless the first of them may hold a NaN
    (`fragment.any_nan`): then the tiles that the region yields. All threads of
    the block take the same way. `convert-lattn-to-fragment` makes the op around
    the slow way that skips hidden values. `lattn-specialize-warps` moves the
    region out of its loop over work tiles.

    ```mlir
    %2:2 = fragment.repeat_if_nan %1#0, %1#1 : !acc, !row {
      ...
      fragment.yield %acc, %max : !acc, !row
    }
    ```
  }];
  let arguments = (ins Variadic<Fragment_Tile>:$state);
  let results = (outs Variadic<Fragment_Tile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$state `:` type($state) $body attr-dict";
  let hasRegionVerifier = 1;
}

def Fragment_WorkTileOp : Fragment_Op<"work_tile", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "the place of a work tile in its grid";
  let description = [{
    The indices of work tile `number` in a grid of `extents`, whose last axis
    runs first. All of them are unsigned. `lattn-map-to-gpu` makes the op, where
    `number` is a block, or a thread whose tile is one element. A pass that has a
    block take other tiles replaces `number`.

    With `block_per_tile` there are about as many tiles as blocks that run at
    once, so each tile keeps a block of its own: the kernel does not become
    persistent.

    ```mlir
    %part, %head, %tile = fragment.work_tile %block in (%parts, %heads, %tiles)
        {block_per_tile}
    ```
  }];
  let arguments = (ins Index:$number, Variadic<Index>:$extents,
                       UnitAttr:$block_per_tile);
  let results = (outs Variadic<Index>:$indices);
  let assemblyFormat = "$number `in` `(` $extents `)` attr-dict";
}

def Fragment_ThreadColumnOp : Fragment_Op<"thread_column", [Pure]> {
  let summary = "the first column that a thread has elements of";
  let description = [{
    The first column of a tile of `#fragment.mma` that this thread holds. Its
    other columns are as far from it as those of any other thread.
    `convert-fragment-to-nvvm` makes and lowers it: comparisons of columns know
    by it that they can be comparisons of constants.

    ```mlir
    %column = fragment.thread_column
    ```
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 0;
}

def Fragment_NarrowOp : Fragment_Op<"narrow", [Pure]> {
  let summary = "an accumulator rounded to an operand";
  let description = [{
    Rounds to the nearest even. No element moves to another thread.

    ```mlir
    %w = fragment.narrow %p : !scores -> !weights
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_StoreOp : Fragment_Op<"store", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "bufferize"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile to memory, cut at its edges";
  let description = [{
    Writes the rows and columns that `dest` has, rounded to its type.

    ```mlir
    fragment.store %o, %rows : !acc, memref<?x64xbf16>
    %1 = fragment.store %o, %0 : !acc, tensor<?x64xbf16> -> tensor<?x64xbf16>
    ```
  }];
  let arguments = (ins Fragment_Tile:$source, Fragment_Array:$dest);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $source `,` $dest attr-dict `:` type($source) `,` type($dest)
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestMutable(); }
  }];
}

def Fragment_CopyOp : Fragment_Op<"copy", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "rows from global to shared memory, asynchronously";
  let description = [{
    Starts to copy `source`, rows of a matrix in global memory, to `dest` in
    shared memory; what `source` lacks of the rows and columns of `dest` becomes
    0. `threads` threads take part. Where rows of `source` are not aligned to 16
    bytes, elements are copied one by one. The chunks of 16 bytes of a row stand
    in the order that reads without bank conflicts (`fragment.multiply` knows
    it). What is copied is there after nvvm.cp.async.commit.group,
    nvvm.cp.async.wait.group and a barrier.

    ```mlir
    fragment.copy %rows, %stage {threads = 128}
      : memref<?x64xbf16>, memref<64x64xbf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins MemRefOf<[F16, BF16]>:$source,
                       MemRefOf<[F16, BF16]>:$dest, I64Attr:$threads);
  let assemblyFormat =
    "$source `,` $dest attr-dict `:` type($source) `,` type($dest)";
}

include "lattn/Dialect/Fragment/IR/WarpgroupOps.td"

#endif // LATTN_DIALECT_FRAGMENT_IR_FRAGMENTOPS_TD
