//===- LocalAttentionOp.td - Local attention as its users know it -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td.

#ifndef LATTN_DIALECT_LATTN_IR_LOCALATTENTIONOP_TD
#define LATTN_DIALECT_LATTN_IR_LOCALATTENTIONOP_TD

/// The attributes of local attention, in every op that has it.
defvar Lattn_LocalAttributes = (ins
  I64Attr:$window_size /*local_attention_c4*/,
  DefaultValuedAttr<I64Attr, "1">:$look_backward /*local_attention_c4*/,
  OptionalAttr<I64Attr>:$look_forward /*local_attention_c4, local_attention_c5*/,
  UnitAttr:$causal /*local_attention_c5*/,
  UnitAttr:$exact_windowsize,
  UnitAttr:$autopad /*local_attention_c6*/,
  UnitAttr:$shared_qk,
  OptionalAttr<I64Attr>:$dim /*local_attention_c7*/,
  DefaultValuedAttr<F64Attr, "10000.0">:$theta /*local_attention_c7*/,
  UnitAttr:$use_xpos,
  OptionalAttr<F64Attr>:$xpos_scale_base,
  OptionalAttr<F64Attr>:$scale /*local_attention_c8*/
);

defvar Lattn_LocalDeclarations = [{
    /// Blocks after its own that a query sees.
    int64_t getForwardBlocks() {
      return getLookForward().value_or(getCausal() ? 0 : 1);
    }
    /// J, the slots that each query looks at, hidden or not.
    int64_t getNumSlots() {
      return (getLookBackward() + 1 + getForwardBlocks()) * getBlockLength();
    }
}];

def Lattn_LocalAttentionOp : Lattn_DestinationOp<"local_attention", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "attention in blocks of a window, as LocalAttention computes it";
  let description = [{
    The LocalAttention module of the local-attention package, option by option.
    Queries are cut into blocks (buckets) of `window_size` W. A query sees its own
    block, `look_backward` blocks before it and `look_forward` blocks after it: J =
    (look_backward + 1 + look_forward) * W slots. `lattn-expand-local-attention`
    turns the op into lattn.attention and other operations around it.

    query (B, H, N, D), key (B, Hkv, N, D), value (B, Hkv, N, Dv), output (B, H, N,
    Dv). With `layout = bnhd` heads and positions change places. Query head h reads
    head h / (H / Hkv) of key and value.

    - `causal` hides the keys after the query. The default of `look_forward` is then
      0, else 1.
    - `exact_windowsize`: a query sees at most window_size * look_backward keys
      before it and window_size * look_forward after it.
    - `autopad`: N need not be a multiple of W. The package pads the sequence to a
      multiple of `window_size`. The keys of this padding have score 0 (plus bias) and
      value 0, and take part unless `causal` or `key_mask` hides them.
    - `dim`: rotary position embedding (half layout, frequencies theta^(-2m/dim)).
      Keys are rotated by their position, queries by theirs plus look_forward * W.
    - `use_xpos`: xpos scales of base `xpos_scale_base` (default window_size / 2,
      rounded down).
    - `shared_qk`: keys are L2-normalised, and a token's score for itself is -5e4.
    - `scale`: factor of query.key, default D^-0.5.
    - `call_window_size`: the block length W of this call, if it differs from the
      module's `window_size`. It needs use_xpos.
    - `bias` (Hb, W or 1, J or 1): added to the score of each row and slot of a
      block. Head h uses row h mod Hb.
    - `key_mask` (B, N): false hides the key.
    - `dropout` (p, seed, offset): of the weights, as in lattn.attention.

    A row whose slots are all hidden gives the mean of all J slots, as in the
    package. Slots outside the sequence count as -1, and padding as 0. Rotation,
    normalisation, scores and sums are computed in f32 (f64 for f64).

    ```mlir
    %0 = lattn.local_attention query(%q : tensor<1x8x?x64xf32>)
           key(%k : tensor<1x8x?x64xf32>) value(%v : tensor<1x8x?x64xf32>)
           outs(%e : tensor<1x8x?x64xf32>)
           {window_size = 256 : i64, causal, dim = 64 : i64, autopad}
    ```

    Source: LocalAttention of local-attention 1.11.2. Constraints:
    local_attention_c1 to local_attention_c12 in docs/spec.md.
  }];
  let arguments = !con((ins
    Lattn_FloatArray:$query /*local_attention_c1*/,
    Lattn_FloatArray:$key /*local_attention_c1*/,
    Lattn_FloatArray:$value /*local_attention_c1*/,
    Optional<Lattn_FloatArray>:$bias /*local_attention_c9*/,
    Optional<Lattn_MaskArray>:$key_mask /*local_attention_c10*/,
    Variadic<AnyType>:$dropout /*local_attention_c12*/,
    Lattn_FloatArray:$output /*local_attention_c1*/
  ), Lattn_LocalAttributes, (ins
    OptionalAttr<I64Attr>:$call_window_size /*local_attention_c4, local_attention_c11*/,
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
  ));
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    `outs` `(` $output `:` type($output) `)` attr-dict
  }];
  let extraClassDeclaration = Lattn_LocalDeclarations # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    bool isBnhd() { return getLayout() == Layout::BNHD; }
    /// Axis of heads, and of positions, in query, key, value and output.
    unsigned getHeadAxis() { return isBnhd() ? 2 : 1; }
    unsigned getPositionAxis() { return isBnhd() ? 1 : 2; }
    /// W, the length of a block in this call.
    int64_t getBlockLength() {
      return getCallWindowSize().value_or(getWindowSize());
    }
    /// Which slots inside the sequence are visible before masks.
    WindowAttr getWindow();
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_LOCALATTENTIONOP_TD
