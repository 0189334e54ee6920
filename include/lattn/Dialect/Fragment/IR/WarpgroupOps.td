//===- WarpgroupOps.td - Products by groups of four warps -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_IR_WARPGROUPOPS_TD
#define LATTN_DIALECT_FRAGMENT_IR_WARPGROUPOPS_TD

def Fragment_TMATiles : MemRefRankOf<[F16, BF16], [3]>;

def Fragment_WarpgroupMultiplyOp : Fragment_Op<"warpgroup_multiply"> {
  let summary = "a matrix product by groups of four warps, asynchronously";
  let description = [{
    Starts accumulator + left * right, or left * right^T with `transposed`, and
    without an accumulator from 0. `inner` columns of left are summed over.
    Each 64 rows of the tiles are of one group of four warps.

    Right, and left where it is not a tile of registers, lie in shared memory in
    TMA tiles of 64 columns, [tile, row, column], as `nvgpu.tma.async.load` puts them
    with a swizzle of 128 bytes. The result and the operands belong to the
    machine until `fragment.warpgroup_wait`. Each op is a group of its own.

    ```mlir
    %s = fragment.warpgroup_multiply %q, %keys {inner = 80, transposed}
      : memref<2x128x64xbf16, 3>, memref<2x128x64xbf16, 3> -> !scores
    %o = fragment.warpgroup_multiply %p, %values, %acc {inner = 128}
      : !weights, memref<2x128x64xbf16, 3>, !acc -> !acc
    ```

    Source: PTX ISA, "Asynchronous warpgroup level matrix instructions".
  }];
  let arguments = (ins AnyTypeOf<[Fragment_Tile, Fragment_TMATiles]>:$left,
                       Fragment_TMATiles:$right,
                       Optional<Fragment_Tile>:$accumulator, I64Attr:$inner,
                       UnitAttr:$transposed);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = [{
    $left `,` $right (`,` $accumulator^)? attr-dict `:` type($left) `,`
    type($right) (`,` type($accumulator)^)? `->` type($result)
  }];
}

def Fragment_WarpgroupWaitOp : Fragment_Op<"warpgroup_wait", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "waits for products by groups of warps";
  let description = [{
    Waits until at most `pending` of the `fragment.warpgroup_multiply`s before
    are under way. The results are the inputs, results and operands of those
    that are done, to be used from here on.

    ```mlir
    %1 = fragment.warpgroup_wait %0 {pending = 0} : !acc
    ```
  }];
  let arguments = (ins Variadic<Fragment_Tile>:$inputs, I64Attr:$pending);
  let results = (outs Variadic<Fragment_Tile>:$results);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

def Fragment_StoreTMATilesOp : Fragment_Op<"store_tma_tiles"> {
  let summary = "writes a tile to TMA tiles of shared memory";
  let description = [{
    Rounds an accumulator to the TMA tiles' elements and puts it where
    `fragment.warpgroup_multiply` would read it and `nvgpu.tma.async.store`
    takes it from: in TMA tiles of 64 columns, [tile, row, column], with a swizzle of
    128 bytes.

    ```mlir
    fragment.store_tma_tiles %acc, %tiles : !acc, memref<2x128x64xbf16, 3>
    ```
  }];
  let arguments = (ins Fragment_Tile:$source,
                       Arg<Fragment_TMATiles, "", [MemWrite]>:$tiles);
  let assemblyFormat = [{
    $source `,` $tiles attr-dict `:` type($source) `,` type($tiles)
  }];
}

def Fragment_HasNaNOp : Fragment_Op<"has_nan", [Pure]> {
  let summary = "whether a thread's part of a tile may hold a NaN";
  let description = [{
    True in the threads that hold one, maybe where elements are infinite. As
    `fragment.any_nan`, but nobody waits.

    ```mlir
    %1 = fragment.has_nan %acc : !acc
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let results = (outs I1:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fragment_SettleOp : Fragment_Op<"settle"> {
  let summary = "keeps what a tile is computed by before what follows";
  let description = [{
    ptxas moves a wait for products before arithmetic that could run meanwhile.
    It does not move it before this: a branch that is never taken, for elements
    must not be negative (a NaN may be).

    ```mlir
    fragment.settle %sum : !row
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fragment_WarpSpecializeOp : Fragment_Op<"warp_specialize", [
    NoTerminator, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "warps of a block that copy, and warps that compute";
  let description = [{
    The first `consumers` warps of a block run the second region, the `producers`
    warps after them the first one. Each thread of a role has as many registers as
    its number says, where both are given: what the role that copies leaves, the
    other takes. In a `persistent` kernel a block computes several query tiles,
    one after another: both regions loop over them.

    ```mlir
    fragment.warp_specialize persistent producers(4, registers = 24) {
      ...
    } consumers(8, registers = 240) {
      ...
    }
    ```

    Source: PTX ISA, "setmaxnreg"; Shah et al., "FlashAttention-3: Fast and
    Accurate Attention with Asynchrony and Low-precision", 2024, section 3.1.
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntPositive]>:$producers,
    ConfinedAttr<I64Attr, [IntPositive]>:$consumers,
    OptionalAttr<I64Attr>:$producer_registers,
    OptionalAttr<I64Attr>:$consumer_registers,
    UnitAttr:$persistent);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = [{
    (`persistent` $persistent^)?
    `producers` `(` $producers (`,` `registers` `=` $producer_registers^)? `)`
    $producer
    `consumers` `(` $consumers (`,` `registers` `=` $consumer_registers^)? `)`
    $consumer attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Registers of all threads of a block; none where roles ask for none.
    std::optional<int64_t> getBlockRegisters();
  }];
}

class Fragment_PingPongOp<string mnemonic> : Fragment_Op<mnemonic> {
  let arguments = (ins I64Attr:$groups);
  let assemblyFormat = "attr-dict";
}

def Fragment_PingPongWaitOp : Fragment_PingPongOp<"ping_pong_wait"> {
  let summary = "a group of warps waits for its turn to multiply";
  let description = [{
    Of `groups` groups of four warps one starts products at a time, in their
    order: the others have their softmax meanwhile. Each group waits until the
    one before it has passed its turn as often as it takes one itself.

    ```mlir
    fragment.ping_pong_wait {groups = 2}
    ```

    Source: Shah et al., "FlashAttention-3: Fast and Accurate Attention with
    Asynchrony and Low-precision", 2024, section 3.2.
  }];
}

def Fragment_PingPongArriveOp : Fragment_PingPongOp<"ping_pong_arrive"> {
  let summary = "a group of warps lets the next one multiply";
  let description = [{
    See `fragment.ping_pong_wait`. The last of `groups` passes to the first.

    ```mlir
    fragment.ping_pong_arrive {groups = 2}
    ```
  }];
}

def Fragment_TensorMapParameterOp : Fragment_Op<"tensor_map_parameter", [
    AllTypesMatch<["argument", "result"]>]> {
  let summary = "a tensor map that a kernel takes by value";
  let description = [{
    The address of a tensor map that is a parameter of the kernel: of `argument`
    the launch makes 128 bytes at a multiple of 64, and instructions take them
    where the launch put them. `lattn-finish-kernels` writes that into the
    argument's attributes (`llvm.byval`, `llvm.align`, `nvvm.grid_constant`) and
    replaces this op by the argument. A gpu.func cannot say it, and upstream's
    conversion of it moves arguments, for a memref becomes several.

    ```mlir
    gpu.func @kernel(%arg0: !llvm.ptr) kernel {
      %map = fragment.tensor_map_parameter %arg0 : !llvm.ptr
      ...
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$argument);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = "$argument attr-dict `:` type($argument)";
}

def Fragment_ReachableOp : Fragment_Op<"reachable"> {
  let summary = "whether tensor maps reach what a branch reads";
  let description = [{
    The condition of an `scf.if` whose first region has a kernel with tensor
    maps, and the second one without. `lattn-specialize-warps`, which knows what
    the maps are of, replaces it.

    ```mlir
    %fits = fragment.reachable
    scf.if %fits { ... } else { ... }
    ```
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

#endif // LATTN_DIALECT_FRAGMENT_IR_WARPGROUPOPS_TD
