//===- SequencePasses.td - Packed sequences ----------------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_TRANSFORMS_SEQUENCEPASSES_TD
#define LATTN_DIALECT_LATTN_TRANSFORMS_SEQUENCEPASSES_TD

include "mlir/Pass/PassBase.td"

def LattnLoopOverSequencesPass : Pass<"lattn-loop-over-sequences"> {
  let summary = "loop over packed sequences in gradients and tangents";
  let description = [{
    A `lattn.attention_grad` or `lattn.attention_jvp` of sequences that
    `lattn.pad_sequences` pads, and of which `lattn.pack_sequences` packs the
    results, becomes a loop over the sequences. It takes the rows of each sequence
    from the packed arrays and writes them there, so that the padded arrays vanish.
    What all sequences add to (the gradients of a bias, a sink and captured arrays)
    is summed up in the order of the sequences. `lattn-tile` does the same for
    `lattn.attention`, without a loop.

    ```
    %q, %n = lattn.pad_sequences ins(%packed_q, %cu ...) max_seqlen(%most) ...
    %r:3 = lattn.attention_grad query(%q ...) ...
    %dq = lattn.pack_sequences ins(%r#0, %cu ...) outs(%e ...)
    ```

    becomes

    ```
    %dq = scf.for %s = %c0 to %count step %c1 iter_args(%all = %e) ... {
      %rows = tensor.extract_slice %packed_q[0, 0, %begin, 0] [1, 8, %length, 64] ...
      %r:3 = lattn.attention_grad query(%rows : tensor<1x8x?x64xf32>) ...
               origin(%s, %c0, %c0, %c0)
      %next = tensor.insert_slice %r#0 into %all[0, 0, %begin, 0] ...
      scf.yield %next
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // LATTN_DIALECT_LATTN_TRANSFORMS_SEQUENCEPASSES_TD
