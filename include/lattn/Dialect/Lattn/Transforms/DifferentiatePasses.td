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
  let summary = "adds the gradient function or the tangent function";
  let description = [{
    Beside each function `f` that `functions` names comes its gradient function
    `f_grad` (mode `reverse`): of the arguments of `f` and the cotangents of its
    float results, to the cotangents of the arguments that `arguments` numbers. Or
    its tangent function `f_jvp` (mode `forward`): of the arguments and the
    tangents of those, to the tangents of the float results. With `results` both
    return first what `f` returns.

    Composite ops are expanded in the new function. Each op there is differentiated
    by its DifferentiableOpInterface: arith and math, linalg, tensor and lattn ops.
    An op without a derivative on a path from a chosen argument to a result is an
    error that names it. Applied to `f_grad`, the pass gives second derivatives.

    `f_grad` computes again what it needs of `f`, but for the results of the
    operations that `keep` names, such as `lattn.attention`: it takes these in front
    of the cotangents. A function `f_fwd` computes `f` and returns these, too, behind
    the results of `f`; those that `f` returns anyway are not repeated.

    A function on memrefs that reads arrays by `bufferization.to_tensor` and writes
    others by `bufferization.materialize_in_destination` gives functions of that
    kind: in place of an array that `f` writes `f_grad` takes its cotangent, and it
    writes gradients to further arguments, without a choice those by all arrays. An argument's `lattn.name = "x"` names
    them `"d_x"`; kept values that `f` does not write are `"kept_0"`, `"kept_1"`, ...

    ```mlir
    func.func @f(%x: f32, %y: f32) -> f32 {
      %0 = math.exp %x : f32
      %1 = arith.mulf %0, %y : f32
      return %1 : f32
    }
    ```

    becomes

    ```
    func.func @f_grad(%x: f32, %y: f32, %g: f32) -> (f32, f32) {
      %0 = math.exp %x : f32
      %de = arith.mulf %g, %y : f32
      %dy = arith.mulf %g, %0 : f32
      %dx = arith.mulf %de, %0 : f32
      return %dx, %dy : f32, f32
    ```
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
