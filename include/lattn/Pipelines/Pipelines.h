//===- Pipelines.h - From lattn to LLVM -------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every tool, the C API, Python and the plugin build their pipelines here.

#ifndef LATTN_PIPELINES_PIPELINES_H
#define LATTN_PIPELINES_PIPELINES_H

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Target/GPUTarget.h"
#include "lattn/Target/TargetInfo.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace lattn {

/// Options of `lattn-to-llvm`. A size of 0 is chosen from the target.
struct LattnToLLVMOptions : mlir::PassPipelineOptions<LattnToLLVMOptions> {
  Option<bool> raise{*this, "raise", llvm::cl::desc("Run lattn-raise first"),
                     llvm::cl::init(false)};
  Option<int64_t> queryTile{*this, "query-tile",
                            llvm::cl::desc("Queries per tile; 0: chosen"),
                            llvm::cl::init(0)};
  Option<int64_t> keyTile{*this, "key-tile",
                          llvm::cl::desc("Keys per step; 0: chosen"),
                          llvm::cl::init(0)};
  Option<int64_t> parts{
      *this, "split-kv",
      llvm::cl::desc("Parts along keys; 1: not split; 0: chosen by shape"),
      llvm::cl::init(0)};
  ListOption<std::string> tuned{
      *this, "tuned",
      llvm::cl::desc("Measured tile sizes: KERNEL=QUERIESxKEYS, ...")};
  Option<std::string> triple{
      *this, "mtriple",
      llvm::cl::desc("Target to compile for, e.g. aarch64-linux-gnu; default: "
                     "host"),
      llvm::cl::init("")};
  Option<std::string> cpu{*this, "mcpu",
                          llvm::cl::desc("CPU to compile for; default: host"),
                          llvm::cl::init("")};
  Option<std::string> attributes{
      *this, "mattr", llvm::cl::desc("CPU features, e.g. +avx2,-avx512f"),
      llvm::cl::init("")};
  Option<std::string> bf16{
      *this, "bf16",
      llvm::cl::desc("Products of bf16: widened, dot, emulated-dot or amx; "
                     "default: by the CPU"),
      llvm::cl::init("")};
  Option<bool> parallel{*this, "parallel",
                        llvm::cl::desc("Run parallel loops on threads"),
                        llvm::cl::init(true)};
  Option<bool> genericAlloc{
      *this, "generic-alloc",
      llvm::cl::desc("Allocate through _mlir_memref_to_llvm_alloc/free, which "
                     "the host program supplies, instead of malloc/free"),
      llvm::cl::init(false)};
};

/// Options of `lattn-to-loops`.
struct LattnToLoopsOptions : mlir::PassPipelineOptions<LattnToLoopsOptions> {
  Option<bool> raise{*this, "raise", llvm::cl::desc("Run lattn-raise first"),
                     llvm::cl::init(false)};
  Option<bool> genericAlloc{
      *this, "generic-alloc",
      llvm::cl::desc("Allocate through _mlir_memref_to_llvm_alloc/free"),
      llvm::cl::init(false)};
};

/// Options of `lattn-to-nvvm`.
struct LattnToNVVMOptions : mlir::PassPipelineOptions<LattnToNVVMOptions> {
  Option<bool> raise{*this, "raise", llvm::cl::desc("Run lattn-raise first"),
                     llvm::cl::init(false)};
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("GPU to compile for, e.g. sm_80"),
                           llvm::cl::init(kDefaultChip)};
  Option<int64_t> queryTile{*this, "query-tile",
                            llvm::cl::desc("Queries of a block; 0: chosen"),
                            llvm::cl::init(0)};
  Option<int64_t> keyTile{*this, "key-tile",
                          llvm::cl::desc("Keys per step; 0: chosen"),
                          llvm::cl::init(0)};
  Option<int64_t> warps{*this, "warps",
                        llvm::cl::desc("Warps of a block that hold tiles; 0: "
                                       "chosen"),
                        llvm::cl::init(0)};
  Option<int64_t> stages{*this, "stages",
                         llvm::cl::desc("Tiles of keys in shared memory"),
                         llvm::cl::init(2)};
  Option<int64_t> parts{
      *this, "parts",
      llvm::cl::desc("Parts of the keys for few queries; 0: chosen, 1: none"),
      llvm::cl::init(0)};
  Option<int64_t> multiprocessors{
      *this, "multiprocessors",
      llvm::cl::desc(
          "Multiprocessors whose blocks with warpgroups stay and walk "
          "the work; -1: the chip's, 0: each block has one item"),
      llvm::cl::init(-1)};
  Option<bool> pingPong{
      *this, "ping-pong",
      llvm::cl::desc("Two groups of warps start products one after another"),
      llvm::cl::init(true)};
};

/// Measured sizes as the pipeline's and lattn-choose-tiles' option.
std::vector<std::string> formatTuned(const TunedTiles &tuned);

/// The properties of `target` by which tile sizes are chosen.
TileModel getTileModel(const TargetInfo &target);

/// lattn -> LLVM dialect, tiled, vectorised, parallel. An unknown CPU or
/// feature is an error.
llvm::Error buildLattnToLLVMPipeline(mlir::OpPassManager &pm,
                                     const LattnToLLVMOptions &options);

/// The first step of pipelines with the option `raise`: linalg -> attention. It
/// warns if there is no attention afterwards.
void addRaise(mlir::OpPassManager &pm);

/// The first steps of all pipelines: composite ops on memrefs or tensors ->
/// attention and linalg on tensors.
void addCompositeExpansion(mlir::OpPassManager &pm, bool gpu = false);

/// The part of that pipeline that ends with lattn-choose-tiles: lattn -> lattn,
/// with tile sizes in the schedules.
llvm::Error buildTileChoicePipeline(mlir::OpPassManager &pm,
                                    const LattnToLLVMOptions &options);

/// lattn -> LLVM dialect, by naive sequential loops, to compare the fast path
/// with.
void buildLattnToLoopsPipeline(mlir::OpPassManager &pm,
                               const LattnToLoopsOptions &options);

/// lattn -> launches on the host and kernels on fragments.
llvm::Error buildLattnToKernelsPipeline(mlir::OpPassManager &pm,
                                        const LattnToNVVMOptions &options);

/// These kernels -> the NVVM dialect. Each can be lowered alone.
llvm::Error buildKernelsToNVVMPipeline(mlir::OpPassManager &pm,
                                       llvm::StringRef chip);

/// Both: launches on the host and kernels in the NVVM dialect.
llvm::Error buildLattnToNVVMPipeline(mlir::OpPassManager &pm,
                                     const LattnToNVVMOptions &options);

/// Registers them as `--lattn-to-llvm`, `--lattn-to-nvvm`, `--lattn-to-loops`.
void registerPipelines();

} // namespace lattn

#endif // LATTN_PIPELINES_PIPELINES_H
