//===- Passes.td - Conversions out of the lattn dialect ----*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_CONVERSION_PASSES_TD
#define LATTN_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLattnToVectorPass
    : Pass<"convert-lattn-to-vector", "::mlir::ModuleOp"> {
  let summary = "lattn's tile ops on buffers become vector micro-kernels";
  let description = [{
    online_attention, pack_query and finalize, packed as `lattn-tile` makes them
    and bufferized, become calls of kernel functions: loops over vectors with
    queries on the lanes. Equal ops share a function. The target is described by
    data: vector width and registers.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"256",
      "Width of a vector register">,
    Option<"registers", "registers", "int64_t", /*default=*/"16",
      "Number of vector registers">,
    Option<"bf16", "bf16", "std::string", /*default=*/"\"widened\"",
      "Products of bf16 queries and keys: widened, dot, emulated-dot or amx">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::amx::AMXDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::x86vector::X86VectorDialect"];
}

def ConvertLattnToFragmentPass : Pass<"convert-lattn-to-fragment"> {
  let summary = "attention's tiles become fragments in a block's registers";
  let description = [{
    In every scf.forall that `lattn-tile=gpu` mapped to blocks: the state of the
    online softmax becomes `!fragment.tile`s, carried by the loops over keys as
    values; online_attention becomes products, maps and reductions of fragments;
    finalize stores them. What hides keys is built only in the runs over edges.
  }];
  let options = [
    Option<"warps", "warps", "int64_t", /*default=*/"4",
      "Warps of a block; 0: one for each 16 queries">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def LattnMapToGPUPass : Pass<"lattn-map-to-gpu"> {
  let summary = "parallel loops over tiles become launches of a grid";
  let description = [{
    A bufferized `scf.forall` that is mapped to blocks becomes a `gpu.launch` of
    as many blocks, in one dimension (the others end at 65,535), last axis first;
    of no blocks it becomes nothing. The tiles in it tell how many threads a
    block has. One that is mapped to threads becomes a grid with a thread for
    each element. The kernel is called after the function and the loop's
    `lattn.kernel`. Upstream does this in the transform dialect alone.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect"];
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
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
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
    a multiprocessor, which bounds their registers.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def LattnStageSharedPass : Pass<"lattn-stage-shared"> {
  let summary = "what fragments read goes through shared memory, ahead";
  let description = [{
    In a `gpu.launch`: queries are copied to shared memory once; the rows that the
    loops over keys multiply with are copied there asynchronously, `stages - 1`
    tiles ahead of their use, in a ring. Loops that follow each other (the edges
    and the interior) share the ring, so that nothing waits between them.
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

    With `multiprocessors` the grid has at most as many blocks as they run at a
    time: each walks items that had a block of their own, in an order that gives
    all blocks the same work (ItemOrder.h), and copies the next item's keys while
    it computes the last of this one. What repeats an item for
    values that are not finite follows at the end.

    An output of the queries' element type is stored by a tensor map, too, from
    the shared memory of its queries.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"2",
      "Tiles of keys in shared memory">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"0",
      "Multiprocessors that blocks stay on; 0: each item has a block">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"];
}

def ConvertFragmentToNVVMPass
    : Pass<"convert-fragment-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "fragments become registers and tensor core instructions";
  let description = [{
    A tile becomes the scalars that each thread holds of it; a product becomes
    `ldmatrix` and `mma.sync`, a copy `cp.async`, a reduction shuffles between
    the threads of a row. exp2 and log2 that allow approximations become the
    machine's own.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LattnOverlapProductsPass : Pass<"lattn-overlap-products"> {
  let summary = "products run while the softmax of the next tile is computed";
  let description = [{
    In a loop over tiles of keys in which warpgroups multiply and nothing is
    hidden: the product with a tile of values is started after that of the
    queries with the next tile of keys, and waited for after its softmax. The
    first and the last step stand before and after the loop. Several groups of
    warps start products by turns, so that one has its softmax while another
    multiplies. Source: Shah et al., "FlashAttention-3: Fast and Accurate
    Attention with Asynchrony and Low-precision", 2024, sections 3.1 and 3.2.
  }];
  let options = [
    Option<"turns", "turns", "bool", /*default=*/"true",
      "Groups of warps start products by turns">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
}

def LattnFinishKernelsPass
    : Pass<"lattn-finish-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "kernels take tensor maps where the launch put them";
  let description = [{
    After `convert-gpu-to-nvvm`: parameters by value become `grid_constant`, so
    that their address may be taken, and dynamic shared memory begins where the
    swizzle of its boxes does. gpu.func and upstream's conversion can say neither.
    In a loop over items, which `lattn-specialize-warps` annotates, what depends
    on the thread's number is computed for each item: LLVM moves it out of no
    such loop, and no register holds it while products take all of them.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def LattnExpandLibraryCallsPass
    : Pass<"lattn-expand-library-calls", "::mlir::ModuleOp"> {
  let summary = "strided copies and f32 to bf16 without library calls";
  let description = [{
    Operations that upstream lowers to calls which compiled code must not need: a
    copy between strided buffers (`memrefCopy`), `arith.truncf` to bf16, whose
    upstream expansion ends in a select that LLVM turns into `__truncsfbf2`, and
    `cf.assert`, which aborts the process: it becomes a call of `lattn_fail` with
    the message, which whoever called the code is told.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def LattnPromoteScratchPass : Pass<"lattn-promote-scratch"> {
  let summary = "buffers of known size in parallel loops go to the stack";
  let description = [{
    memref.alloc of static size directly in the body of an `scf.forall` becomes
    memref.alloca. Upstream's promote-buffers-to-stack promotes in sequential
    loops too, where the stack would grow with every iteration; here
    `lattn-outline-parallel` makes them the work function's own.

    ```mlir
    func.func private @use(memref<16xf32>)
    func.func @scratch(%n: index) {
      scf.forall (%i) in (%n) {
        %0 = memref.alloc() : memref<16xf32>
        func.call @use(%0) : (memref<16xf32>) -> ()
        memref.dealloc %0 : memref<16xf32>
      }
      return
    }
    ```

    becomes

    ```
    scf.forall (%i) in (%n) {
      %s = memref.alloca() : memref<16xf32>
      func.call @use(%s) : (memref<16xf32>) -> ()
    }
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"262144",
      "Largest buffer to promote">
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def LattnPrefetchTilesPass : Pass<"lattn-prefetch-tiles"> {
  let summary = "rows of the next query tile are asked for in the key loop";
  let description = [{
    Between a `lattn.pack_query` and its `lattn.finalize` on buffers, the first
    steps over key tiles prefetch some rows each of the output tile and of the
    next query tile. Upstream has no pass that places `memref.prefetch`.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def LattnOutlineParallelPass
    : Pass<"lattn-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "scf.forall on buffers becomes calls of lattn_parallel_for";
  let description = [{
    The body of every bufferized `scf.forall` becomes a function of a range of
    work items; captured values travel in a struct. Buffers of known size inside
    are the function's stack. `lattn_parallel_for(body, context, items)` runs
    them. With `parallel=false` the caller runs all of them.

    ```mlir
    func.func @fill(%a: memref<?xf32>, %x: f32, %n: index) {
      scf.forall (%i) in (%n) {
        memref.store %x, %a[%i] : memref<?xf32>
      }
      return
    }
    ```

    becomes

    ```
    func.func @fill(%a: memref<?xf32>, %x: f32, %n: index) {
      %f = constant @fill_parallel : (!llvm.ptr, i64, i64) -> ()
      %context = llvm.alloca %one x !llvm.struct<(f32, ...
      llvm.store %x, %field : f32, !llvm.ptr
      %body = builtin.unrealized_conversion_cast %f : ...
      call @lattn_parallel_for(%body, %context, %items) : ...
    func.func private @fill_parallel(%c: !llvm.ptr, %begin: i64, %end: i64) {
      %y = llvm.load ... -> f32
      scf.for %item = %from to %to step %c1 {
        memref.store %y, %b[%item] : memref<?xf32>
    ```
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"true",
      "Call lattn_parallel_for; else run the items in order">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif // LATTN_CONVERSION_PASSES_TD
