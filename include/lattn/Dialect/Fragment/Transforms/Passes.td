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
  let summary = "tile sizes for the blocks of a GPU";
  let description = [{
    Completes the schedule of each lattn.attention: how many queries a block takes
    and how many keys a step, from the head sizes, the warps of a block and its
    shared memory. What no kernel can be made of is an error that says why.

    For a chip with warpgroups (sm_90a) a model of costs (WarpgroupCost.cpp)
    chooses, by the window, too. The schedule then has a `fallback`: the tile sizes of the kernel for
    arrays that tensor maps do not support.
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
  let summary = "attention with tensor maps, and without where they do not reach";
  let description = [{
    An attention whose schedule has a `fallback` becomes two, in the regions of an
    `scf.if`: with its own tiles, and with those of the fallback. The condition is
    `fragment.reachable`.
  }];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::scf::SCFDialect"];
}

def LattnMapToGPUPass : Pass<"lattn-map-to-gpu"> {
  let summary = "parallel loops over tiles become launches of a grid";
  let description = [{
    A bufferized `scf.forall` that is mapped to blocks becomes a `gpu.launch` of
    as many blocks, in one dimension (the others end at 65,535), last axis first;
    of no blocks it becomes nothing. The tiles in it tell how many threads a
    block has. One that is mapped to threads becomes a grid with a thread for
    each element. `fragment.work_tile` gives the loop's indices. The kernel is
    called after the function and the loop's `lattn.grid`. Upstream does this in
    the transform dialect alone.
  }];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect"];
}

def LattnMapLinalgToGPUPass : Pass<"lattn-map-linalg-to-gpu"> {
  let summary = "linalg ops on the host become loops over elements for a GPU";
  let description = [{
    Each linalg op on buffers, and each copy, that is in no parallel loop becomes
    a `scf.forall` over its parallel dimensions that is mapped to threads, with
    its reductions as loops inside; `lattn-map-to-gpu` makes a kernel of it. Plain
    loops: products of matrices get a remark.
  }];
  let dependentDialects = [
    "::lattn::LattnDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnStageSharedPass : Pass<"lattn-stage-shared"> {
  let summary = "what fragments read goes through shared memory, ahead";
  let description = [{
    In a `gpu.launch`: queries are copied to shared memory once; the rows that the
    steps of a `lattn.sweep_keys` multiply with are copied there asynchronously,
    `stages - 1` tiles ahead of their use, in a ring. Its runs share the ring, so
    that nothing waits between them.
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
  let summary = "on Hopper, warps that copy and warps that compute";
  let description = [{
    In a `gpu.launch`: a group of four warps is added, one thread of which keeps
    copies by tensor maps (TMA) under way, to rings of `stages` tiles in shared
    memory, told by mbarriers which are full and which are free. The other groups
    multiply with what is there by `fragment.warpgroup_multiply` (wgmma). This is
    done where a `fragment.reachable` chooses the launch, which becomes the
    condition that pointers and strides allow it, or false, with a remark, where
    the tensor maps are known not to reach. Upstream has the instructions, but no
    pass that parts warps.

    With `multiprocessors` the kernel is persistent: the grid has at most as many
    blocks as they run at a time. Each walks through several work tiles, whose
    numbers it gives to `fragment.work_tile`, in an order that gives all blocks
    the same work (WorkTileOrder.h), and copies the next one's keys while it computes the last of
    this one. The region of `fragment.repeat_if_nan` follows at the end, for the
    work tiles that need it.

    An output of the queries' element type is stored by a tensor map, too, from
    the shared memory of its queries.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"2",
      "Tiles of keys in shared memory">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"0",
      "Multiprocessors that blocks stay on; 0: each work tile has a block">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnOverlapProductsPass : Pass<"lattn-overlap-products"> {
  let summary = "products run while the softmax of the next tile is computed";
  let description = [{
    Turns the runs of each `lattn.sweep_keys` in which warpgroups multiply into
    loops. In those over interior runs, the product with a tile of values is started after
    that of the queries with the next tile of keys, and waited for after its
    softmax. The first and the last step stand before and after the loop. Several
    groups of
    warps start products by ping-pong, so that one has its softmax while another
    multiplies. Source: Shah et al., "FlashAttention-3: Fast and Accurate
    Attention with Asynchrony and Low-precision", 2024, sections 3.1 and 3.2.
  }];
  let options = [
    Option<"pingPong", "ping-pong", "bool", /*default=*/"true",
      "Groups of warps start products one after another">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnCheckHostPass : Pass<"lattn-check-host", "::mlir::ModuleOp"> {
  let summary = "the host's code of kernels must not touch arrays";
  let description = [{
    What reads or writes memory outside of kernels is an error that names it: the
    arrays are in a GPU's memory.
  }];
}

def LattnSinkIntoLaunchPass : Pass<"lattn-sink-into-launch"> {
  let summary = "a kernel computes what is neither memory nor an argument";
  let description = [{
    Clones into each `gpu.launch` the pure ops whose results it uses, so that the
    outlined kernel takes what its function takes.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def LattnGatherKernelsPass
    : Pass<"lattn-gather-kernels", "::mlir::ModuleOp"> {
  let summary = "kernels stand in one gpu.module and take their function's arguments";
  let description = [{
    After `gpu-kernel-outlining`, which makes a module for each kernel and gives
    it what it uses in the order of use: one module, and kernels that take all
    arguments of the function that launches them, in order, then what else they
    use. So kernels can be called by hand. They note how many blocks are to share
    a multiprocessor, which bounds their registers, and their launches how many
    queries a tile has (`#fragment.kernel`).
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_TD
