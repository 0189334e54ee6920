//===- KnownAttributes.td - Ops that know all of their attributes -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_KNOWNATTRIBUTES_TD
#define LATTN_DIALECT_KNOWNATTRIBUTES_TD

include "mlir/IR/OpBase.td"

/// Every op of the project's dialects has this trait, from its base class. It is
/// structural so that a misspelt attribute is reported before the one that is
/// missing for it.
def KnownAttributes
  : NativeOpTrait<"KnownAttributes">, StructuralOpTrait {
  let cppNamespace = "::lattn";
}

#endif // LATTN_DIALECT_KNOWNATTRIBUTES_TD
