//===- InitAll.cpp - The only list of what lattn registers ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/InitAll.h"
#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Check/IR/Check.h"
#include "lattn/Dialect/Check/Transforms/BufferizableOpInterfaceImpl.h"
#include "lattn/Dialect/Check/Transforms/Passes.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Differentiation/Differentiation.h"
#include "lattn/Pipelines/Pipelines.h"
#include "lattn/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void lattn::registerLattnDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<check::CheckDialect, fragment::FragmentDialect, LattnDialect>();
  check::registerBufferizableOpInterfaceExternalModels(registry);
  registerBufferizableOpInterfaceExternalModels(registry);
  registerDerivatives(registry);
  registerDifferentiableOpInterfaceExternalModels(registry);
}

void lattn::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerLattnDialects(registry);
}

void lattn::registerLattnPasses() {
  check::registerCheckPasses();
  registerLattnConversionPasses();
  registerLattnFragmentTransformsPasses();
  registerLattnGeneralTransformsPasses();
  registerLattnTransformsPasses();
  registerPipelines();
}
