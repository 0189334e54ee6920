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
  let summary = "turn lattn's tile ops on buffers into vector kernels";
  let description = [{
    Bufferized online_attention, pack_query and finalize, in the packed form of
    `lattn-tile`, become calls of kernel functions: loops over vectors with queries
    on the lanes. Matrix products become kernels, too. Equal ops share a function.
    Other linalg ops on buffers become loops over vectors of a row, as far as their
    bodies and layouts allow. The options describe the target.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"256",
      "Width of a vector register">,
    Option<"registers", "registers", "int64_t", /*default=*/"16",
      "Number of vector registers">,
    Option<"l2Bytes", "l2-bytes", "int64_t", /*default=*/"524288",
      "Bytes of the L2 cache, which operands of matrix products are packed for">,
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
  let summary = "turn attention's tiles into fragments in a block's registers";
  let description = [{
    Works on every scf.forall that `lattn-tile=gpu` mapped to blocks. The state of the
    online softmax becomes `!fragment.tile`s, which `lattn.sweep_keys` carries as
    values. online_attention becomes products, maps and reductions of fragments.
    finalize stores them. The mask is in an `scf.if` for steps at edges.

    The same with every sweep of `lattn-tile-grad=gpu`, whose state is sums of gradients.
    attention_grad_step becomes the products that the sums need.
  }];
  let options = [
    Option<"warps", "warps", "int64_t", /*default=*/"4",
      "Warps of a block; 0: one for each 16 queries">
  ];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def ConvertFragmentToNVVMPass
    : Pass<"convert-fragment-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "turn fragments into registers and tensor core instructions";
  let description = [{
    A tile becomes the scalars that each thread holds of it. A product becomes
    `ldmatrix` and `mma.sync`. A copy becomes `cp.async`. A reduction becomes shuffles
    between the threads of a row. exp2 and log2 that allow approximations become
    machine instructions. In a persistent `fragment.warp_specialize`, each query tile
    computes anew what depends on the thread's number, so that no register holds it
    while products need all registers.
  }];
  let dependentDialects = [
    "::lattn::fragment::FragmentDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LattnFinishKernelsPass
    : Pass<"lattn-finish-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make tensor maps parameters of kernels";
  let description = [{
    Runs after `convert-gpu-to-nvvm`. `fragment.tensor_map_parameter` names arguments
    of kernels. They become parameters by value that are `grid_constant`, so that the
    kernel may take their address. The pass aligns dynamic shared memory to the
    swizzle of its TMA tiles. gpu.func and upstream's conversion cannot express either.
    The annotation of a loop moves to its branch.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // LATTN_CONVERSION_PASSES_TD
