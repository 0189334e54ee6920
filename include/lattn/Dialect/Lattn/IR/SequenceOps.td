//===- SequenceOps.td - Sequences behind one another -------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td, whose constraints and classes it uses.

#ifndef LATTN_DIALECT_LATTN_IR_SEQUENCEOPS_TD
#define LATTN_DIALECT_LATTN_IR_SEQUENCEOPS_TD

defvar Lattn_FloatTensor = RankedTensorOf<[F16, BF16, F32, F64]>;

def Lattn_CuSeqlens : 1DTensorOf<[I32, I64]>;

//===----------------------------------------------------------------------===//
// pad_sequences
//===----------------------------------------------------------------------===//

def Lattn_PadSequencesOp : Lattn_Op<"pad_sequences", [
    Pure,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "packed sequences as a batch of padded ones";
  let description = [{
    `packed` (1, H, T, D) holds S sequences behind one another. Sequence s has the
    rows from `cu_seqlens[s]` to `cu_seqlens[s + 1]`, the cumulated lengths that
    variable-length attention takes. `padded` (S, H, max_seqlen, D) has a batch for
    each sequence, and 0 in the rows after its last one. `lengths` (S) is the number
    of rows of each sequence. With `layout = bnhd` heads and rows change places. An
    array without an axis of elements, as the log-sum-exp (1, H, T), has rank 3.

    Sequences end where `packed` does, and after `max_seqlen` rows. A sequence whose
    entries of cu_seqlens fall has no rows.

    An attention of padded sequences whose output is packed again reads and writes
    the packed arrays in place: no padding is computed, and no tile crosses the
    border of two sequences. Its `kv_lens` must be the `lengths` of its keys. A window
    needs an offset. This one puts a sequence's last query at its last key:

    ```mlir
    %most_q = arith.constant 512 : index
    %most_k = arith.constant 800 : index
    %q, %n = lattn.pad_sequences ins(%packed_q, %cu_q : tensor<1x8x?x64xf32>,
        tensor<?xi32>) max_seqlen(%most_q) -> tensor<?x8x?x64xf32>, tensor<?xi64>
    %k, %m = lattn.pad_sequences ins(%packed_k, %cu_k : tensor<1x2x?x64xf32>,
        tensor<?xi32>) max_seqlen(%most_k) -> tensor<?x2x?x64xf32>, tensor<?xi64>
    %offset = arith.subi %m, %n : tensor<?xi64>
    ```

    Source: Dao, FlashAttention-2 (2023), `flash_attn_varlen_func`. Constraints:
    pad_sequences_c1 to pad_sequences_c3 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatTensor:$packed /*pad_sequences_c1*/,
    Lattn_CuSeqlens:$cu_seqlens /*pad_sequences_c2*/,
    Index:$max_seqlen,
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
  );
  let results = (outs
    Lattn_FloatTensor:$padded /*pad_sequences_c3*/,
    1DTensorOf<[I64]>:$lengths /*pad_sequences_c3*/);
  let assemblyFormat = [{
    `ins` `(` $packed `,` $cu_seqlens `:` type($packed) `,` type($cu_seqlens) `)`
    `max_seqlen` `(` $max_seqlen `)` attr-dict
    `->` type($padded) `,` type($lengths)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Axis of rows, in packed and padded.
    unsigned getRowAxis();
  }];
}

//===----------------------------------------------------------------------===//
// pack_sequences
//===----------------------------------------------------------------------===//

def Lattn_PackSequencesOp : Lattn_Op<"pack_sequences", [
    Pure, DestinationStyleOpInterface,
    AllTypesMatch<["output", "result"]>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "a batch of padded sequences as packed ones";
  let description = [{
    The rows of `padded` (S, H, N, D) that belong to a sequence, behind one another,
    as `lattn.pad_sequences` takes them apart: row `cu_seqlens[s] + i` of the result
    is row i of batch s. Rows of `output` (1, H, T, D) that belong to no sequence keep
    what they hold. With `layout = bnhd` heads and rows change places. Arrays without
    an axis of elements have rank 3. `cu_seqlens` must not fall.

    ```mlir
    %0 = lattn.pack_sequences ins(%o, %cu_q : tensor<?x8x?x64xf32>, tensor<?xi32>)
           outs(%e : tensor<1x8x?x64xf32>)
    ```

    Source: as `lattn.pad_sequences`. Constraints: pack_sequences_c1 to
    pack_sequences_c3 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatTensor:$padded /*pack_sequences_c1*/,
    Lattn_CuSeqlens:$cu_seqlens /*pack_sequences_c2*/,
    Lattn_FloatTensor:$output /*pack_sequences_c3*/,
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
  );
  let results = (outs Lattn_FloatTensor:$result);
  let assemblyFormat = [{
    `ins` `(` $padded `,` $cu_seqlens `:` type($padded) `,` type($cu_seqlens) `)`
    `outs` `(` $output `:` type($output) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getRowAxis();
    mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_SEQUENCEOPS_TD
