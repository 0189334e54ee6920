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
    Starts to compute accumulator + left * right, or accumulator + left * right^T
    with `transposed`. A missing accumulator counts as 0. The sum runs over `inner`
    columns of left. Each group of four warps holds 64 rows of the tiles.

    right is in shared memory, and so is left if it is not a tile of registers. They
    are TMA tiles of 64 columns, [tile, row, column], as `nvgpu.tma.async.load` stores
    them with a swizzle of 128 bytes. Nothing may use the result or change the operands
    before `fragment.warpgroup_wait`. Each op commits a wgmma group of its own.

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
    Waits until at most `pending` of the earlier `fragment.warpgroup_multiply` ops
    are still running. `inputs` are results and operands of the ops that are done.
    The results of this op are the same tiles; use them from here on.

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
    Rounds an accumulator to the element type of the TMA tiles and stores it in
    shared memory, in TMA tiles of 64 columns, [tile, row, column], with a swizzle of
    128 bytes. `fragment.warpgroup_multiply` and `nvgpu.tma.async.store` read this
    form.

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

def Fragment_LoadTMATilesOp : Fragment_Op<"load_tma_tiles"> {
  let summary = "an operand from TMA tiles of shared memory";
  let description = [{
    Loads an operand from TMA tiles of 64 columns, [tile, row, column], which have a
    swizzle of 128 bytes.

    ```mlir
    %b = fragment.load_tma_tiles %tiles : memref<2x128x64xbf16, 3> -> !operand
    ```
  }];
  let arguments = (ins Arg<Fragment_TMATiles, "", [MemRead]>:$tiles);
  let results = (outs Fragment_Tile:$result);
  let assemblyFormat = "$tiles attr-dict `:` type($tiles) `->` type($result)";
}

def Fragment_HasNaNOp : Fragment_Op<"has_nan", [Pure]> {
  let summary = "whether a thread's part of a tile may hold a NaN";
  let description = [{
    True in the threads that hold a NaN. It may also be true if elements are
    infinite. Unlike `fragment.any_nan`, it is no barrier.

    ```mlir
    %1 = fragment.has_nan %acc : !acc
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let results = (outs I1:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fragment_SettleOp : Fragment_Op<"settle"> {
  let summary = "keeps the computation of a tile before the ops that follow";
  let description = [{
    ptxas moves a wait for products up, before arithmetic that could run during the
    wait. It does not move the wait above this op, which becomes a branch on a
    negative element. The branch is never taken: elements must not be negative, but
    may be NaN.

    ```mlir
    fragment.settle %sum : !row
    ```
  }];
  let arguments = (ins Fragment_Tile:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Fragment_WarpSpecializeOp : Fragment_Op<"warp_specialize", [
    NoTerminator, RecursiveMemoryEffects]> {
  let summary = "warps of a block with roles";
  let description = [{
    Each region is a role. The first role's warps are the first ones of the block, and
    so on. If a role says how many registers, each of its threads gets that many: some
    roles take registers that others give up. In a `persistent` kernel, a block
    computes several work tiles one after another, and each role loops over them.

    ```mlir
    fragment.warp_specialize persistent warps(8, registers = 240) {
      ... // multiplies
    } warps(4, registers = 24) {
      ... // copies
    }
    ```

    Source: PTX ISA, "setmaxnreg"; Shah et al., "FlashAttention-3: Fast and
    Accurate Attention with Asynchrony and Low-precision", 2024, section 3.1.
  }];
  let arguments = (ins DenseI64ArrayAttr:$warps,
                       OptionalAttr<DenseI64ArrayAttr>:$registers,
                       UnitAttr:$persistent);
  let regions = (region VariadicRegion<SizedRegion<1>>:$roles);
  let assemblyFormat = [{
    (`persistent` $persistent^)? custom<Roles>($roles, $warps, $registers) attr-dict
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::ArrayRef<int64_t>":$warps,
    "::llvm::ArrayRef<int64_t>":$registers, "bool":$persistent)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Registers of all threads of a block; none if the roles do not ask for any.
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
    `groups` groups of four warps take turns: one group at a time starts products,
    in a fixed order, while the others compute their softmax. For its n-th turn, a
    group waits until the group before it has passed on its n-th turn.

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
    Ends a turn that began at `fragment.ping_pong_wait`. The last of `groups` groups
    passes the turn to the first.

    ```mlir
    fragment.ping_pong_arrive {groups = 2}
    ```
  }];
}

def Fragment_TensorMapParameterOp : Fragment_Op<"tensor_map_parameter", [
    AllTypesMatch<["argument", "result"]>]> {
  let summary = "a tensor map that a kernel takes by value";
  let description = [{
    Returns the address of a tensor map that is a parameter of the kernel. The launch
    passes `argument` by value, as 128 bytes aligned to 64, and instructions read the
    parameter in place. `lattn-finish-kernels` writes that into the argument's
    attributes (`llvm.byval`, `llvm.align`, `nvvm.grid_constant`) and replaces this
    op by the argument. A gpu.func cannot have these attributes, and upstream's
    conversion changes the positions of arguments, because a memref becomes several.

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
  let summary = "whether tensor maps support the arrays that a branch reads";
  let description = [{
    The condition of an `scf.if`. Its first region has a kernel with tensor maps, its
    second region a kernel without them. `lattn-specialize-warps`
    knows the arrays of the maps and replaces the op.

    ```mlir
    %fits = fragment.reachable
    scf.if %fits { ... } else { ... }
    ```
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict";
}

#endif // LATTN_DIALECT_FRAGMENT_IR_WARPGROUPOPS_TD
