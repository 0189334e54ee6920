//===- Dialects.cpp - lattn in somebody else's context --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/Dialects.h"
#include "RegisterPasses.h"
#include "lattn/Dialect/Check/IR/Check.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/InitAll.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Lattn, lattn, lattn::LattnDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(LattnFragment, fragment,
                                      lattn::fragment::FragmentDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(LattnCheck, check,
                                      lattn::check::CheckDialect)

void lattnRegisterDialects(MlirDialectRegistry registry) {
  lattn::registerLattnDialects(*unwrap(registry));
}

void lattnRegisterAllDialects(MlirDialectRegistry registry) {
  lattn::registerAllDialects(*unwrap(registry));
}

void lattnRegisterPasses(void) { lattn::registerPassesOnce(); }
