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

def Fragment_Loaded : AnyTypeOf<[RankedTensorOf<[F16, BF16, F32]>,
                                 MemRefOf<[F16, BF16, F32]>]>;

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
    Loads the matrix `source` as the first operand of `fragment.multiply`, or a vector
    of f32 as one value for each row or column. `source` has at most the tile's
    extents. Elements beyond its edges are 0.

    ```mlir
    %q = fragment.load %rows : memref<?x80xbf16>
      -> !fragment.tile<64x80xbf16, #fragment.mma<operand, warps = 4>>
    %l = fragment.load %lse : memref<?xf32>
      -> !fragment.tile<64xf32, #fragment.mma<column, warps = 4>>
    ```
  }];
  let arguments = (ins Fragment_Loaded:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_LoadFlagsOp : Fragment_ReadingOp<"load_flags", "Source"> {
  let summary = "a flag for each column, from memory";
  let description = [{
    Loads a vector of i1 as one flag for each column. Flags beyond its end are 0. The
    threads of a warp read each element once and tell it to the others by a vote. So a
    tile of 32 columns costs a thread one load and a byte of a register.

    ```mlir
    %f = fragment.load_flags %mask : memref<?xi1>
      -> !fragment.tile<64xi1, #fragment.mma<column, warps = 4>>
    ```
  }];
  let arguments = (ins AnyTypeOf<[1DTensorOf<[I1]>, MemRefRankOf<[I1], [1]>]>:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_MultiplyOp : Fragment_ReadingOp<"multiply", "Right", [
    AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "a matrix product on tensor cores";
  let description = [{
    Computes accumulator + left * right, or accumulator + left * right^T with
    `transposed`. right is in memory: in shared memory once `-lattn-stage-shared`
    has run. Elements beyond its edges count as 0. Products accumulate in f32.

    With `skip_zeros`, an element of left that is 0 adds nothing, even if the
    element of right is NaN. This is slower. It is for tiles with hidden keys whose
    values are not finite.

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
    Computes each element of the results from its coordinates in the tile and the
    elements of the inputs there. An input with one value for each row has this
    value in all columns, and one with a value for each column in all rows. The region takes (row, column, elements...), with
    coordinates of type index. It must not depend on the order of elements.

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

def Fragment_MapFoursOp : Fragment_Op<"map_fours", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "four neighbours at once, from their coordinates";
  let description = [{
    Computes a tile of flags. The region takes the coordinates (row, column) of the
    first of four neighbours, and yields one flag for each. Neighbours lie in one row,
    in columns 4 n to 4 n + 3, or with `in_column` in one column, in rows 4 n to
    4 n + 3. Threads that hold elements of the same four share the work: each region
    runs once, and flags move to the other threads. So it is for what four elements
    cost as much as one, like a random number generator with four results.

    ```mlir
    %kept = fragment.map_fours -> !fragment.tile<64x64xi1, ...> {
    ^bb0(%row: index, %column: index):
      ...
      fragment.yield %0, %1, %2, %3 : i1, i1, i1, i1
    }
    ```
  }];
  let arguments = (ins UnitAttr:$in_column);
  let results = (outs Fragment_Tile:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`in_column` $in_column^)? `->` type($result) $body attr-dict";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "TileType":$result, "bool":$inColumn,
    "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>("
    "::mlir::OpBuilder &, ::mlir::ValueRange)>":$body)>];
  let hasRegionVerifier = 1;
}

def Fragment_YieldOp : Op<Fragment_Dialect, "yield", [
    Pure, Terminator, ParentOneOf<["MapOp", "MapFoursOp", "RepeatIfNaNOp"]>, ReturnLike]> {
  let summary = "what a region computes: elements, or tiles";
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
    Computes the largest element of each row, where NaN is ignored, or the sum of
    each row. The tile's type alone decides the order of a sum.

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
  let summary = "sums of columns that a thread holds itself";
  let description = [{
    Column c of a result with n columns is the sum of columns c, c + n, c + 2 n, ...
    of the source. No element moves to another thread. So a loop can fold in each
    step and use `fragment.reduce` once, at its end. The tiles' types alone decide
    the order of a sum.

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
    True in all threads of the block if an element is NaN. It may also be true if
    elements are infinite. The op is a barrier: after it, shared memory that was
    read before it may be overwritten.

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
    Returns the tiles `state` if none of their accumulators holds a NaN
    (`fragment.any_nan`), else the tiles that the region yields. All threads of the
    block take the same branch. `convert-lattn-to-fragment` makes the op. Its region
    holds the slow code: it skips hidden values, and it subtracts the largest score of
    a row before it scales. The fast code gives NaN where one of the two matters.
    `lattn-specialize-warps` moves the region out of its loop over work tiles.

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
    Returns the indices of work tile `number` in a grid of `extents`. The last axis
    varies fastest. All numbers are unsigned. `lattn-map-to-gpu` makes the op with
    the number of the block, or of the thread if a tile is one element. A pass that
    gives a block other tiles replaces `number`.

    `block_per_tile` says that there are about as many tiles as blocks that run at
    once. Then each tile keeps a block of its own, and the kernel does not become
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
    Returns the first column of a tile of `#fragment.mma` that this thread holds.
    The distances from it to the thread's other columns are the same in all threads.
    `convert-fragment-to-nvvm` makes and lowers the op. It shows that a comparison of
    columns can be a comparison with a constant.

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
    Rounds to nearest, ties to even. No element moves to another thread.

    ```mlir
    %w = fragment.narrow %p : !scores -> !weights
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Fragment_WidenOp : Fragment_Op<"widen", [Pure]> {
  let summary = "an operand as an accumulator";
  let description = [{
    Gives the elements of an operand as f32. No element moves to another thread.

    ```mlir
    %b = fragment.widen %bias : !operand -> !scores
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
    Writes the rows and columns that exist in `dest`, rounded to its type.

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
    Starts to copy `source`, rows of a matrix or a vector of f32 in global memory, to
    `dest` in shared memory. Elements of `dest` beyond the edges of `source` become 0. `threads`
    threads take part. If rows of `source` are not aligned to 16 bytes, elements are
    copied one by one. The chunks of 16 bytes of a row are permuted so that
    `fragment.multiply`, which knows the order, reads them without bank conflicts.
    The copy is complete after nvvm.cp.async.commit.group, nvvm.cp.async.wait.group
    and a barrier.

    ```mlir
    fragment.copy %rows, %stage {threads = 128}
      : memref<?x64xbf16>, memref<64x64xbf16, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins MemRefOf<[F16, BF16, F32]>:$source,
                       MemRefOf<[F16, BF16, F32]>:$dest, I64Attr:$threads);
  let assemblyFormat =
    "$source `,` $dest attr-dict `:` type($source) `,` type($dest)";
}

include "lattn/Dialect/Fragment/IR/WarpgroupOps.td"

#endif // LATTN_DIALECT_FRAGMENT_IR_FRAGMENTOPS_TD
