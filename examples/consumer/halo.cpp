//===- halo.cpp - Prints how far each attention of a module reaches -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a file, canonicalizes it, and prints for each lattn.attention how many
// keys a rank that holds a part of the sequence needs from its neighbours.
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

static void printCount(llvm::StringRef label, std::optional<int64_t> count) {
  llvm::outs() << label;
  if (count)
    llvm::outs() << *count << " keys";
  else
    llvm::outs() << "all keys";
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: halo FILE.mlir\n";
    return 1;
  }
  mlir::MLIRContext context;
  context.loadDialect<lattn::LattnDialect, mlir::func::FuncDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  mlir::PassManager passes(&context);
  passes.addPass(mlir::createCanonicalizerPass());
  if (mlir::failed(passes.run(*module)))
    return 1;

  module->walk([](lattn::AttentionOp op) {
    lattn::Halo halo = lattn::getHalo(op.getEffectiveWindow());
    llvm::outs() << op->getParentOfType<mlir::func::FuncOp>().getName();
    printCount(": before ", halo.before);
    printCount(", after ", halo.after);
    llvm::outs() << "\n";
  });
  return 0;
}
