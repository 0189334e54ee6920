//===- RaisePasses.td - Attention in foreign programs ------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_RAISEPASSES_TD
#define LATTN_DIALECT_LATTN_TRANSFORMS_RAISEPASSES_TD

include "mlir/Pass/PassBase.td"

def LattnRaisePass : Pass<"lattn-raise"> {
  let summary = "find attention in linalg ops, and turn it into lattn.attention";
  let description = [{
    Finds softmax(scores of queries and keys) * values in linalg on tensors, as
    torch-mlir and other frontends write it. There may be reshapes, transposes,
    broadcasts and elementwise ops in between. The pass follows an element of the
    weights back through them, as an expression of its coordinates, to the products
    and the arrays.

    The part of a mask that is proven to be a window becomes a `#lattn.window`. The
    proof uses bounds of coordinates and of their buckets. A constant mask is checked
    element by element. The rest of the mask goes to key_mask, bias or the score
    region. A large negative
    number counts as -inf if each query is proven to see a key. Rows that may see no
    key stay NaN where the program makes them NaN.

    The score region of a `lattn.attention` or of its gradients can hide keys by
    -inf, too. It becomes a window in the same way, if the operation has none yet.

    Ops for which there is no proof stay as they are, with a remark that says why.
    lattn.attention sums in another order than the program, and at least in the
    accumulator type.

    Pipelines with the option `raise` run the pass with `warn-if-none`. It then warns
    of a program that has no attention afterwards.

    ```mlir
    !t = tensor<8x128x64xf32>
    !s = tensor<8x128x128xf32>
    func.func @attend(%q: !t, %kt: tensor<8x64x128xf32>, %v: !t) -> !t {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : !s
      %f = linalg.fill ins(%zero : f32) outs(%e : !s) -> !s
      %s = linalg.batch_matmul ins(%q, %kt : !t, tensor<8x64x128xf32>)
          outs(%f : !s) -> !s
      %w = linalg.softmax dimension(2) ins(%s : !s) outs(%e : !s) -> !s
      %o = tensor.empty() : !t
      %g = linalg.fill ins(%zero : f32) outs(%o : !t) -> !t
      %r = linalg.batch_matmul ins(%w, %v : !s, !t) outs(%g : !t) -> !t
      return %r : !t
    }
    ```

    becomes

    ```
    %r = lattn.attention query(... : tensor<1x8x128x64xf32>)
    ```
  }];
  let options = [Option<"warnIfNone", "warn-if-none", "bool", "false",
                        "Warn of a program that has no attention afterwards">];
  let dependentDialects = [
    "::lattn::LattnDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_RAISEPASSES_TD
