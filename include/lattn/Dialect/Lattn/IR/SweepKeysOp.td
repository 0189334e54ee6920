//===- SweepKeysOp.td - The steps of a tile over its keys --*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td, whose constraints and classes it uses.

#ifndef LATTN_DIALECT_LATTN_IR_SWEEPKEYSOP_TD
#define LATTN_DIALECT_LATTN_IR_SWEEPKEYSOP_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"

def Lattn_SweepRunEdge : I32EnumAttrCase<"Edge", 0, "edge">;
def Lattn_SweepRunInterior : I32EnumAttrCase<"Interior", 1, "interior">;
def Lattn_SweepRun : I32EnumAttr<"SweepRun",
    "a run over key tiles: at an edge of the visible keys, with a mask and a "
    "smaller last tile (edge), or in the interior, where all queries see all keys "
    "and all tiles are whole (interior)",
    [Lattn_SweepRunEdge, Lattn_SweepRunInterior]> {
  let cppNamespace = "::lattn";
  let genSpecializedAttr = 0;
}
def Lattn_SweepRunAttr : EnumAttr<Lattn_Dialect, Lattn_SweepRun, "sweep_run"> {
  let assemblyFormat = "`<` $value `>`";
}
def Lattn_SweepRunArrayAttr : TypedArrayAttrBase<Lattn_SweepRunAttr, "runs over keys">;

def Lattn_SweepKeysOp : Lattn_Op<"sweep_keys", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, [
      "getInitsMutable", "getRegionIterArgs", "getYieldedValuesMutable",
      "getLoopResults"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
      ["getEntrySuccessorOperands"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "the steps of a tile of queries over its key tiles";
  let description = [{
    Loops over the keys that a tile of queries may see, with `key_tile` keys in each
    step. The loop carries a state from step to step. `bounds` cut the keys into runs:
    run i covers the keys from bound i to bound i + 1. There are two kinds of runs:

    - `edge`: the window or a mask may hide some of its keys, and its last tile may
      be smaller.
    - `interior`: every query of the tile sees every key, and every tile is whole.

    A run whose bounds do not increase has no steps.

    The body does one step of any run. Its arguments are the first key of the step
    (index), the number of keys in it (index), whether the run is at an edge (i1)
    and the state. It yields the next state. `lattn-decompose` turns each run into a
    `scf.for`. An interior run hides nothing, so its loop drops the window and key mask
    of each `lattn.online_attention`. In every loop, each `scf.if` on the third argument
    is replaced by the branch that is taken.

    ```mlir
    func.func @count(%begin: index, %left: index, %right: index, %end: index) -> index {
      %0 = arith.constant 0 : index
      %visited = lattn.sweep_keys (%key, %size, %edge)
          in (%begin edge %left interior %right edge %end) by 64
          iter_args(%count = %0) -> (index) {
        %next = arith.addi %count, %size : index
        lattn.yield %next : index
      }
      return %visited : index
    }
    ```

    For bufferization, the body must update the tensors of the state in place. On
    buffers, the op carries only the other values of the state.

    Constraints: sweep_keys_c1 to sweep_keys_c5 in docs/spec.md.
  }];
  let arguments = (ins
    Variadic<Index>:$bounds /*sweep_keys_c1*/,
    Variadic<AnyType>:$init_args /*sweep_keys_c3*/,
    Lattn_SweepRunArrayAttr:$runs /*sweep_keys_c1*/,
    I64Attr:$key_tile /*sweep_keys_c2*/
  );
  let results = (outs Variadic<AnyType>:$results /*sweep_keys_c3*/);
  let regions = (region SizedRegion<1>:$body /*sweep_keys_c4, sweep_keys_c5*/);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$bounds,
    "::llvm::ArrayRef<::lattn::SweepRun>":$runs, "int64_t":$keyTile,
    "::mlir::ValueRange":$inits)>];
  let extraClassDeclaration = [{
    ::mlir::Value getFirstKey() { return getBounds().front(); }
    ::mlir::Value getEndKey() { return getBounds().back(); }
    ::llvm::SmallVector<SweepRun> getRunKinds();
    /// Arguments of the body.
    ::mlir::Value getKey() { return getBody().getArgument(0); }
    ::mlir::Value getSize() { return getBody().getArgument(1); }
    ::mlir::Value getEdge() { return getBody().getArgument(2); }
    ::mlir::ValueRange getState() {
      return getBody().getArguments().drop_front(3);
    }
    /// The loops (scf.for) that the runs become, in their order. The caller
    /// replaces this op by the last one's results.
    ::llvm::SmallVector<::mlir::LoopLikeOpInterface>
    buildLoops(::mlir::OpBuilder &b);
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_SWEEPKEYSOP_TD
