//===- WarpgroupOps.td - Products by groups of four warps -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_IR_WARPGROUPOPS_TD
#define LATTN_DIALECT_FRAGMENT_IR_WARPGROUPOPS_TD

def Fragment_Boxes : MemRefRankOf<[F16, BF16], [3]>;

def Fragment_WarpgroupMultiplyOp : Fragment_Op<"warpgroup_multiply"> {
  let summary = "a matrix product by groups of four warps, asynchronously";
  let description = [{
    Starts accumulator + left * right, or left * right^T with `transposed`, and
    without an accumulator from 0. `inner` columns of left are summed over.
    Each 64 rows of the tiles are of one group of four warps.

    Right, and left where it is not a tile of registers, lie in shared memory in
    boxes of 64 columns, [box, row, column], as `nvgpu.tma.async.load` puts them
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
  let arguments = (ins AnyTypeOf<[Fragment_Tile, Fragment_Boxes]>:$left,
                       Fragment_Boxes:$right,
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

def Fragment_StoreBoxesOp : Fragment_Op<"store_boxes"> {
  let summary = "writes a tile to boxes of shared memory";
  let description = [{
    Rounds an accumulator to the boxes' elements and puts it where
    `fragment.warpgroup_multiply` would read it and `nvgpu.tma.async.store`
    takes it from: in boxes of 64 columns, [box, row, column], with a swizzle of
    128 bytes.

    ```mlir
    fragment.store_boxes %acc, %boxes : !acc, memref<2x128x64xbf16, 3>
    ```
  }];
  let arguments = (ins Fragment_Tile:$source,
                       Arg<Fragment_Boxes, "", [MemWrite]>:$boxes);
  let assemblyFormat = [{
    $source `,` $boxes attr-dict `:` type($source) `,` type($boxes)
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

class Fragment_TurnOp<string mnemonic> : Fragment_Op<mnemonic> {
  let arguments = (ins I64Attr:$groups);
  let assemblyFormat = "attr-dict";
}

def Fragment_TakeTurnOp : Fragment_TurnOp<"take_turn"> {
  let summary = "a group of warps waits for its turn to multiply";
  let description = [{
    Of `groups` groups of four warps one starts products at a time, in their
    order: the others have their softmax meanwhile. Each group waits until the
    one before it has passed its turn as often as it takes one itself.

    ```mlir
    fragment.take_turn {groups = 2}
    ```

    Source: Shah et al., "FlashAttention-3: Fast and Accurate Attention with
    Asynchrony and Low-precision", 2024, section 3.2.
  }];
}

def Fragment_PassTurnOp : Fragment_TurnOp<"pass_turn"> {
  let summary = "a group of warps lets the next one multiply";
  let description = [{
    See `fragment.take_turn`. The last of `groups` passes to the first.

    ```mlir
    fragment.pass_turn {groups = 2}
    ```
  }];
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
