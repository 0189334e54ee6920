//===- DifferentiatePasses.td - Derivatives of functions ---*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_DIFFERENTIATEPASSES_TD
#define LATTN_DIALECT_LATTN_TRANSFORMS_DIFFERENTIATEPASSES_TD

include "mlir/Pass/PassBase.td"

def LattnDifferentiatePass : Pass<"lattn-differentiate", "::mlir::ModuleOp"> {
  let summary = "add gradient functions or tangent functions";
  let description = [{
    Adds a function for each function `f` that `functions` names:

    - mode `reverse`: the gradient function `f_grad`. It takes the arguments of `f`
      and the cotangents of its float results. It returns the cotangents of the
      arguments that `arguments` numbers.
    - mode `forward`: the tangent function `f_jvp`. It takes the arguments of `f` and
      the tangents of those that `arguments` numbers. It returns the tangents of the
      float results.

    With `results` both first return what `f` returns.

    Composite ops are expanded in the new function. The DifferentiableOpInterface of
    each op differentiates it; arith, math, linalg, tensor and lattn ops have one. If
    an op on a path from a chosen argument to a result has no derivative, an error
    names it. Applied to `f_grad`, the pass gives second derivatives.

    `f_grad` computes again what it needs of `f`. `keep` names operations, such as
    `lattn.attention`, whose results are not computed again: `f_grad` takes them in
    front of the cotangents. A function `f_fwd` then computes `f` and returns them
    behind the results of `f`, unless `f` returns them anyway.

    A function may be on memrefs, if it reads arrays by `bufferization.to_tensor` and
    writes others by `bufferization.materialize_in_destination`. Its derivatives are
    then on memrefs, too; the default is derivatives by all arrays. `f_grad` takes the
    cotangent of an array in place of each array that `f` writes, and writes gradients
    to further arguments. `f_jvp` takes tangents behind the arguments of `f`, and
    writes tangents to further arguments; it takes the arrays that `f` writes only with
    `results`. For an argument with `lattn.name = "x"` this argument is
    named `"d_x"`. Kept values that `f` does not write are `"kept_0"`, `"kept_1"`, ...

    ```mlir
    func.func @f(%x: f32, %y: f32) -> f32 {
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %0, %x : f32
      return %1 : f32
    }
    ```

    becomes

    ```
    func.func @f_grad(%x: f32, %y: f32, %g: f32) -> (f32, f32) {
      %0 = arith.mulf %g, %y : f32
      %dx = arith.addf %g, %0 : f32
      %dy = arith.mulf %g, %x : f32
      return %dx, %dy : f32, f32
    ```

    Products with other values than arguments are followed by a select: 0 times an
    infinite derivative is 0 (derivatives_d5 in docs/spec.md).
  }];
  let options = [
    ListOption<"functions", "functions", "std::string",
      "Names of the functions; none: all that have a body">,
    Option<"mode", "mode", "std::string", /*default=*/"\"reverse\"",
      "reverse: gradient functions; forward: tangent functions">,
    ListOption<"arguments", "arguments", "unsigned",
      "Numbers of the arguments to differentiate by; none: all floats and tensors of floats">,
    Option<"results", "results", "bool", /*default=*/"false",
      "Also return what the function returns">,
    ListOption<"keep", "keep", "std::string",
      "Names of operations whose results the gradient function takes and does not compute again">
  ];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_DIFFERENTIATEPASSES_TD
