//===- DifferentiationInterfaces.td - Derivatives of ops ---*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIFFERENTIATION_DIFFERENTIATIONINTERFACES_TD
#define LATTN_DIFFERENTIATION_DIFFERENTIATIONINTERFACES_TD

include "mlir/IR/OpBase.td"

def Lattn_DifferentiableOpInterface
    : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::lattn";
  let description = [{
    How to differentiate an op, on scalars, vectors or tensors. Both methods add
    ops that compute derivatives. The op itself stays where it is: the new ops may
    use its operands and results. Ops of upstream's dialects have the interface
    from external models (`registerDerivatives`).

    `buildAdjoint` reads the cotangents of the op's results from `reverse` and adds
    to those of its operands, and of values from outside that its regions use.
    `buildTangent` reads the tangents of these from `forward` and sets those of the
    results. A cotangent or tangent that is null is zero. Failure comes with an
    error that the method has emitted.
  }];
  let methods = [
    InterfaceMethod<"Adds to the cotangents of what the op reads.",
      "::llvm::LogicalResult", "buildAdjoint",
      (ins "::mlir::OpBuilder &":$builder, "::lattn::Reverse &":$reverse)>,
    InterfaceMethod<"Sets the tangents of the op's results.",
      "::llvm::LogicalResult", "buildTangent",
      (ins "::mlir::OpBuilder &":$builder, "::lattn::Forward &":$forward)>
  ];
}

#endif // LATTN_DIFFERENTIATION_DIFFERENTIATIONINTERFACES_TD
