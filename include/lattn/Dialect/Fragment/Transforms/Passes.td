//===- Passes.td - Kernels of tiles for GPUs ---------------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_TD
#define LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LattnChooseGPUTilesPass : Pass<"lattn-choose-gpu-tiles"> {
  let summary = "choose tile sizes for the blocks of a GPU";
  let description = [{
    Completes the schedule of each lattn.attention: the queries of a block and the
    keys of a step. They follow from the head sizes, the warps of a block and its
    shared memory. If an attention cannot become a kernel, an error says why.

    Of lattn.attention_grad, the query tile is the rows that a block sums the gradients
    of, which are queries or keys. The key tile is the positions of a step: keys or
    queries.

    For a chip with warpgroups (sm_90a), a cost model chooses (WarpgroupCost.cpp). It
    also knows the window. The schedule then has a `fallback`: the tile sizes of the
    kernel for arrays that tensor maps do not support.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"kDefaultChip",
      "GPU to choose for, e.g. sm_90a">,
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"0",
      "Queries of a block; 0: chosen">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"0",
      "Keys per step; 0: chosen">,
    Option<"warps", "warps", "int64_t", /*default=*/"4",
      "Warps of a block; 0: one for each 16 queries">,
    Option<"stages", "stages", "int64_t", /*default=*/"2",
      "Tiles of keys in shared memory">,
    Option<"sharedBytes", "shared-bytes", "int64_t", /*default=*/"0",
      "Shared memory of a block for tiles; 0: the chip's">
  ];
}

def LattnBranchTensorMapsPass : Pass<"lattn-branch-tensor-maps"> {
  let summary = "add a branch without tensor maps, for arrays that they do not support";
  let description = [{
    An attention whose schedule has a `fallback` becomes two, in the regions of an
    `scf.if`: one with its own tiles, and one with those of the fallback. The
    condition is `fragment.reachable`.
  }];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::scf::SCFDialect"];
}

def LattnMapToGPUPass : Pass<"lattn-map-to-gpu"> {
  let summary = "turn parallel loops over tiles into launches of a grid";
  let description = [{
    A bufferized `scf.forall` that is mapped to blocks becomes a `gpu.launch` with a
    block for each iteration. The grid has one dimension, because the others end at
    65,535. The last axis varies fastest. A loop without iterations launches nothing.
    A block has as many threads as the tiles in the loop's body need. A loop that is mapped
    to threads becomes a grid with a thread for each element. `fragment.work_tile`
    gives the loop's indices. The kernel has the name of the function and that of the
    loop's `lattn.grid`. Upstream does this only in the transform dialect.
  }];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def LattnMapLinalgToGPUPass : Pass<"lattn-map-linalg-to-gpu"> {
  let summary = "turn linalg ops on the host into loops over elements for a GPU";
  let description = [{
    Each linalg op on buffers, and each copy, outside of parallel loops becomes an
    `scf.forall` over its parallel dimensions, mapped to threads. Its reductions become
    loops inside, in their order, also if the op names them first. A sum of f32 along one
    dimension is computed by the lanes of a warp: lane i adds the terms i, i + 32, ...,
    and shuffles add the sums of lanes. `lattn-map-to-gpu` makes a kernel of the loop.
    Matrix products become plain loops, too, and get a remark.
  }];
  let dependentDialects = [
    "::lattn::LattnDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnMergeBranchesPass : Pass<"lattn-merge-branches"> {
  let summary = "give both sides of a GPU's branch the same arrays to write";
  let description = [{
    If the condition of an `scf.if` on the host is in a GPU's memory, the host does not
    know which arrays the results are. And kernels that read results can be launched by
    hand only if it is always the same array. The pass makes each result one array from
    before the branch. A side that allocates the result writes into that array; a side
    that passes on an array from elsewhere copies it. The allocations of results move
    before the branch. Branches whose condition the host knows, and whose sides have results
    of different sizes, stay as they are; for others, the program checks sizes that the
    code does not tell. `lattn-branch-in-kernels` does the rest.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LattnBranchInKernelsPass : Pass<"lattn-branch-in-kernels"> {
  let summary = "let kernels read the condition of a branch on the host";
  let description = [{
    An `scf.if` on the host whose condition is a `memref.load` becomes the launches of
    both of its sides. Each kernel first reads the condition, and ends if its side is
    not taken. So the host does not wait for the GPU.

    ```mlir
    %yes = memref.load %flag[] : memref<i1>
    scf.if %yes {
      gpu.launch ... { body }
    }
    ```

    becomes

    ```
    gpu.launch ... {
      %yes = memref.load %flag[] : memref<i1>
      scf.if %yes { body }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def LattnStageSharedPass : Pass<"lattn-stage-shared"> {
  let summary = "copy what fragments read to shared memory, some tiles ahead";
  let description = [{
    Works on a `gpu.launch`. Operands from outside of a `lattn.sweep_keys`, as queries,
    are copied to shared memory once. The right operands of its steps' products, as
    keys and values, and vectors of numbers for columns are copied asynchronously to a
    ring each, `stages - 1` tiles ahead of their use. All runs share the rings, so no
    thread waits between runs.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"2",
      "Tiles of keys in shared memory">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

def LattnSpecializeWarpsPass : Pass<"lattn-specialize-warps"> {
  let summary = "specialise warps of Hopper: some copy, the others compute";
  let description = [{
    Adds a group of four warps to a `gpu.launch` with one `lattn.sweep_keys`: the
    producer. One of its threads copies by tensor maps (TMA). Left operands of products
    from outside of the sweep, as queries, are copied once for each work tile. Right
    operands, and vectors of numbers for columns, go through rings of `stages` tiles in
    shared memory. mbarriers say which tiles are full and which are free. The other
    groups, the consumers, multiply by `fragment.warpgroup_multiply` (wgmma). A product
    is waited for before its result is used, while later ones run. Any number of
    products and results is possible.

    The pass does this for launches that a `fragment.reachable` chooses. It replaces
    that op by a condition on pointers and strides. If tensor maps are known not to
    support the arrays, it replaces the op by false and emits a remark. Upstream has
    the instructions, but no pass that specialises warps.

    With `multiprocessors` the kernel is persistent: the grid has at most as many
    blocks as run at a time. Each block walks through several work tiles, in an order
    that gives all blocks the same work (WorkTileOrder.h), and gives their numbers to
    `fragment.work_tile`. It copies the keys of the next work tile while it computes
    the last steps of this one. The region of `fragment.repeat_if_nan` runs at the end,
    for the work tiles that need it.

    An output of the element type of what was copied once, and no larger, is also
    stored by a tensor map, from that shared memory.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"2",
      "Tiles of keys in shared memory">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"0",
      "Multiprocessors of a persistent kernel; 0: each work tile has a block">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnOverlapProductsPass : Pass<"lattn-overlap-products"> {
  let summary = "overlap products with the computation of the next step";
  let description = [{
    Turns the runs of each `lattn.sweep_keys` in which warpgroups multiply into loops.
    In an interior run, late products, whose left operand a step computes, run beside
    the next step. In attention that is the product of weights and values: a step of
    the loop starts the product of queries and the next tile of keys, then the one of
    weights and this tile of values. It computes the softmax of the next tile while
    the second product runs, and waits for that product afterwards. The first and the
    last step stand before and after the loop. With two groups of warps, ping-pong
    lets one group compute while another multiplies.

    A late product must read other stages than the products before it. Where they read
    the same ones, as in gradients, the loop stays as it is: such a stage would be held
    for longer, and the copy of the next step would wait for it. Source: Shah et al.,
    "FlashAttention-3: Fast and Accurate Attention with Asynchrony and Low-precision",
    2024, sections 3.1 and 3.2.
  }];
  let options = [
    Option<"pingPong", "ping-pong", "bool", /*default=*/"true",
      "Two groups of warps start products one after another">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnCheckHostPass : Pass<"lattn-check-host", "::mlir::ModuleOp"> {
  let summary = "report code of the host that reads or writes arrays";
  let description = [{
    Reports an error for each op outside of kernels that reads or writes memory,
    because the arrays are in a GPU's memory.
  }];
}

def LattnSinkIntoLaunchPass : Pass<"lattn-sink-into-launch"> {
  let summary = "move pure ops into the kernels that use them";
  let description = [{
    Clones the pure ops whose results a `gpu.launch` uses into the launch, so that
    the outlined kernel takes the same arguments as its function.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def LattnGatherKernelsPass
    : Pass<"lattn-gather-kernels", "::mlir::ModuleOp"> {
  let summary = "put kernels into one gpu.module, with their function's arguments";
  let description = [{
    Runs after `gpu-kernel-outlining`, which makes a module for each kernel, with
    parameters in the order of their use. This pass puts all kernels into one module.
    The parameters of each kernel become all arguments of the function that launches
    it, in order, and then other values that it uses. So kernels can be launched by
    hand. The pass also writes to each kernel how many blocks share a multiprocessor,
    which bounds its registers, and to each launch how many queries a tile has
    (`#fragment.kernel`).
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_TD
