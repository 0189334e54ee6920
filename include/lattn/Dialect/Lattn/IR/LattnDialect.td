//===- LattnDialect.td - The lattn dialect -----------------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_LATTNDIALECT_TD
#define LATTN_DIALECT_LATTN_IR_LATTNDIALECT_TD

include "lattn/Dialect/KnownAttributes.td"
include "mlir/IR/OpBase.td"

def Lattn_Dialect : Dialect {
  let name = "lattn";
  let cppNamespace = "::lattn";
  let summary = "Local (windowed) and multi-head attention";
  let description = [{
    Attention is one operation. Scores, window, masks and softmax are part of its
    meaning, so passes can skip what a window hides instead of computing and
    masking it. `docs/spec.md` states the meaning of every op and numbers its
    constraints. Verifiers and tests use the same labels.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  // conventions_c2
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Lattn_Op<string mnemonic, list<Trait> traits = []>
  : Op<Lattn_Dialect, mnemonic,
       !listconcat([KnownAttributes /*conventions_c1*/], traits)> {
  // In bytecode attributes have names: Bytecode.cpp.
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult
    $cppClass::readProperties(::mlir::DialectBytecodeReader &reader,
                              ::mlir::OperationState &state) {
      ::mlir::DictionaryAttr attributes;
      if (failed(::lattn::readAttributes(reader, getOperationName(), attributes)))
        return ::mlir::failure();
      return setPropertiesFromAttr(state.getOrAddProperties<Properties>(),
                                   attributes,
                                   [&] { return reader.emitError(); });
    }
    void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
      ::lattn::writeAttributes(writer, getContext(),
                               getPropertiesAsAttr(getContext(), getProperties()));
    }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_LATTNDIALECT_TD
