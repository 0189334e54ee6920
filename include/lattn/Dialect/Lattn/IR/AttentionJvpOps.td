//===- AttentionJvpOps.td - Tangents of attention ----------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td, whose constraints and classes it uses.

#ifndef LATTN_DIALECT_LATTN_IR_ATTENTIONJVPOPS_TD
#define LATTN_DIALECT_LATTN_IR_ATTENTIONJVPOPS_TD

def Lattn_AttentionJvpOp : Lattn_DestinationOp<"attention_jvp", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "lattn.attention and its tangent";
  let description = [{
    Computes the output and log-sum-exp of the `lattn.attention` with the same operands
    and attributes. From the tangents of its arrays, it also computes the tangents of
    both:

        p        = exp(score - lse)           the weights, 0 for hidden keys
        t        = scale * (d_query . key + query . d_key)
        ds       = (tangent of the score region along t and d_captures) + d_bias
        d_lse    = rowsum(p * ds) + exp(sink - lse) * d_sink
        d_output = (p * ds) value + p d_value - d_lse * output

    - One pass over the keys makes all four. An absent tangent is 0.
    - The compiler differentiates a score region. `d_captures` has one tangent for
      each captured array of floats, in their order.
    - Dropout drops the same weights in the output and in its tangent.
    - Hidden pairs add nothing, whatever their operands hold. A row without visible
      keys has a d_output of 0, and the d_lse of its sink.

    ```mlir
    %r:4 = lattn.attention_jvp query(%q : tensor<1x8x?x64xf32>)
             key(%k : tensor<1x8x?x64xf32>) value(%v : tensor<1x8x?x64xf32>)
             d_query(%dq : tensor<1x8x?x64xf32>)
             d_key(%dk : tensor<1x8x?x64xf32>)
             d_value(%dv : tensor<1x8x?x64xf32>)
             outs(%o, %l, %do, %dl : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>,
                  tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
             {window = #lattn.window<left = 256, right = 0>}
    ```

    Constraints: attention_jvp_c1 to attention_jvp_c6 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Optional<Lattn_FloatArray>:$d_query /*attention_jvp_c2*/,
    Optional<Lattn_FloatArray>:$d_key /*attention_jvp_c2*/,
    Optional<Lattn_FloatArray>:$d_value /*attention_jvp_c2*/,
    Lattn_FloatArray:$output /*attention_jvp_c3*/,
    Lattn_AccArray:$lse /*attention_jvp_c3*/,
    Lattn_FloatArray:$d_output /*attention_jvp_c3*/,
    Lattn_AccArray:$d_lse /*attention_jvp_c3*/,
    // Behind the destinations, so that bytecode of version 1.1 is read.
    Optional<Lattn_FloatArray>:$sink /*attention_jvp_c1*/,
    Variadic<AnyType>:$dropout /*attention_jvp_c1*/,
    Optional<Lattn_FloatArray>:$d_sink /*attention_jvp_c5*/,
    Optional<Lattn_FloatArray>:$d_bias /*attention_jvp_c5*/,
    Variadic<Lattn_FloatArray>:$d_captures /*attention_jvp_c6*/
  ), Lattn_ScoreAttributes, (ins
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
      /*attention_jvp_c1*/,
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_jvp_c1*/
  ));
  let regions = (region AnyRegion:$score);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`d_query` `(` $d_query^ `:` type($d_query) `)`)?
    (`d_key` `(` $d_key^ `:` type($d_key) `)`)?
    (`d_value` `(` $d_value^ `:` type($d_value) `)`)?
    (`d_sink` `(` $d_sink^ `:` type($d_sink) `)`)?
    (`d_bias` `(` $d_bias^ `:` type($d_bias) `)`)?
    (`d_captures` `(` $d_captures^ `:` type($d_captures) `)`)?
    `outs` `(` $output `,` $lse `,` $d_output `,` $d_lse `:` type($output) `,`
      type($lse) `,` type($d_output) `,` type($d_lse) `)`
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
    bool isBnhd() { return getLayout() == Layout::BNHD; }
    unsigned getHeadAxis() { return isBnhd() ? 2 : 1; }
    unsigned getPositionAxis() { return isBnhd() ? 1 : 2; }
    /// The captures that d_captures are the tangents of.
    ::llvm::SmallVector<::mlir::Value> getFloatCaptures();
  }];
}

def Lattn_AttentionJvpStepOp : Lattn_DestinationOp<"attention_jvp_step", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>]> {
  let summary = "one step of online softmax and its tangent over a tile of keys";
  let description = [{
    Updates the state of `lattn.attention_jvp` with a tile of keys of one head:

        s       = scores of the tile    ds = their tangents
        k       = 1, or with dropout 1/(1-p) or 0
        max'    = max(max, rowmax(s))   c = exp(max - max')    p = exp(s - max')
        sum'    = c * sum + rowsum(p)   d_sum' = c * d_sum + rowsum(p * ds)
        acc'    = c * acc + (k * p) value
        d_acc'  = c * d_acc + (k * p * ds) value + (k * p) d_value

    query and d_query are packed by `lattn.pack_query`: transposed and widened. In
    f32 and f64 they are scaled already. The state of no keys is (0, -inf, 0, 0, 0).
    `query_rows` is the number of queries. The state of the others is unspecified.
    The score region gets a score and yields three values: the new score, its
    derivative by the score that it got, and the part of its tangent that does not come
    from the tangent of that score. `dropout` is (p, seed, offset, heads).

    ```mlir
    func.func @step(%q: tensor<64x16xf32>, %k: tensor<64x64xf32>, %n: index,
                    %a: tensor<16x64xf32>, %m: tensor<16xf32>) {
      %s:5 = lattn.attention_jvp_step query(%q : tensor<64x16xf32>)
               key(%k : tensor<64x64xf32>) value(%k : tensor<64x64xf32>)
               query_rows(%n) d_query(%q : tensor<64x16xf32>)
               d_key(%k : tensor<64x64xf32>) d_value(%k : tensor<64x64xf32>)
               outs(%a, %m, %m, %a, %m : tensor<16x64xf32>, tensor<16xf32>,
                    tensor<16xf32>, tensor<16x64xf32>, tensor<16xf32>)
               {scale = 1.0 : f64}
      return
    }
    ```

    Constraints: attention_jvp_step_c1 to attention_jvp_step_c4 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Index:$query_rows /*attention_jvp_step_c1*/,
    Optional<Lattn_AccArray>:$d_query /*attention_jvp_step_c1*/,
    Optional<Lattn_FloatArray>:$d_key /*attention_jvp_step_c1*/,
    Optional<Lattn_FloatArray>:$d_value /*attention_jvp_step_c1*/,
    Lattn_AccArray:$acc /*attention_jvp_step_c2*/,
    Lattn_AccArray:$max /*attention_jvp_step_c2*/,
    Lattn_AccArray:$sum /*attention_jvp_step_c2*/,
    Lattn_AccArray:$d_acc /*attention_jvp_step_c2*/,
    Lattn_AccArray:$d_sum /*attention_jvp_step_c2*/,
    Variadic<AnyType>:$dropout /*attention_jvp_step_c3*/
  ), Lattn_ScoreAttributes, (ins
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_jvp_step_c3*/
  ));
  let regions = (region AnyRegion:$score /*attention_jvp_step_c4*/);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `query_rows` `(` $query_rows `)`
    (`d_query` `(` $d_query^ `:` type($d_query) `)`)?
    (`d_key` `(` $d_key^ `:` type($d_key) `)`)?
    (`d_value` `(` $d_value^ `:` type($d_value) `)`)?
    `outs` `(` $acc `,` $max `,` $sum `,` $d_acc `,` $d_sum `:` type($acc) `,`
      type($max) `,` type($sum) `,` type($d_acc) `,` type($d_sum) `)`
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_ATTENTIONJVPOPS_TD
