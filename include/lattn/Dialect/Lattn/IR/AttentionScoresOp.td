//===- AttentionScoresOp.td - Scores or weights, stored ----*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td, whose constraints and classes it uses.

#ifndef LATTN_DIALECT_LATTN_IR_ATTENTIONSCORESOP_TD
#define LATTN_DIALECT_LATTN_IR_ATTENTIONSCORESOP_TD

def Lattn_StageProducts : I32EnumAttrCase<"Products", 0, "products">;
def Lattn_StageScores : I32EnumAttrCase<"Scores", 1, "scores">;
def Lattn_StageMasked : I32EnumAttrCase<"Masked", 2, "masked">;
def Lattn_StageWeights : I32EnumAttrCase<"Weights", 3, "weights">;
def Lattn_Stage : I32EnumAttr<"Stage",
    "how far a score has come: scale * query.key (products), the score region "
    "(scores), bias and masks (masked), softmax (weights)",
    [Lattn_StageProducts, Lattn_StageScores, Lattn_StageMasked,
     Lattn_StageWeights]> {
  let cppNamespace = "::lattn";
  let genSpecializedAttr = 0;
}
def Lattn_StageAttr : EnumAttr<Lattn_Dialect, Lattn_Stage, "stage"> {
  let assemblyFormat = "`<` $value `>`";
}

def Lattn_AttentionScoresOp : Lattn_DestinationOp<"attention_scores", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "the scores or weights of lattn.attention, stored";
  let description = [{
    Stores all (B, H, N, M) scores, or weights, of the lattn.attention with the same
    operands and attributes. lattn.attention itself never stores them. `stage` says
    what is stored:

    - `products`: scale * query.key
    - `scores`: the same after the score region
    - `masked`: the same plus bias; -inf where the key is hidden
    - `weights`: the softmax of the masked scores along the keys, with the sink. These
      are the factors of the values, before dropout. A row without visible keys is 0.

    Operands that only later stages use have no effect. The destination is (batch,
    head, query, key) for both layouts of query and key. It is rounded once, from
    f32 (f64 for f64). Use the op if a program returns the scores. Attention itself
    does not need them.

    ```mlir
    %0 = lattn.attention_scores query(%q : tensor<1x8x?x64xf32>)
           key(%k : tensor<1x2x?x64xf32>) outs(%e : tensor<1x8x?x?xf32>)
           {causal, stage = #lattn.stage<weights>}
    ```

    Source: the ONNX Attention operator's `qk_matmul_output` and TorchScale's
    returned weights. Constraints: attention_scores_c1 to attention_scores_c8 in
    docs/spec.md.
  }];
  let arguments = !con((ins
    Lattn_FloatArray:$query /*attention_scores_c2*/,
    Lattn_FloatArray:$key /*attention_scores_c2*/,
    Optional<Lattn_FloatArray>:$bias /*attention_scores_c6*/,
    Optional<Lattn_MaskArray>:$key_mask /*attention_scores_c6*/,
    Optional<Lattn_LengthArray>:$kv_lens /*attention_scores_c6*/,
    Optional<Lattn_Offset>:$offset /*attention_scores_c6*/,
    Optional<Lattn_FloatArray>:$sink /*attention_scores_c6*/,
    Variadic<Index>:$origin /*attention_scores_c6*/,
    Variadic<Lattn_AnyArray>:$captures /*attention_scores_c6*/,
    Lattn_FloatArray:$scores /*attention_scores_c2, attention_scores_c8*/
  ), Lattn_ScoreAttributes, (ins
    Lattn_StageAttr:$stage /*attention_scores_c7*/,
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
      /*attention_scores_c6*/
  ));
  let regions = (region AnyRegion:$score);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `outs` `(` $scores `:` type($scores) `)`
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getScoresMutable(); }
    bool isBnhd() { return getLayout() == Layout::BNHD; }
    /// Axis of heads, and of positions, in query and key.
    unsigned getHeadAxis() { return isBnhd() ? 2 : 1; }
    unsigned getPositionAxis() { return isBnhd() ? 1 : 2; }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_ATTENTIONSCORESOP_TD
