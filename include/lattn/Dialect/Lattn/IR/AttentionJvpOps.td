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
    The output and log-sum-exp of the `lattn.attention` with the same operands and
    attributes, and their tangents along the tangents of query, key and value:

        p        = exp(score - lse)           the weights, 0 for hidden keys
        ds       = scale * (d_query . key + query . d_key)
        d_lse    = rowsum(p * ds)
        d_output = (p * ds) value + p d_value - d_lse * output

    One pass over the keys makes all four. An absent tangent is 0. Hidden pairs add
    nothing, whatever their operands hold. The tangents of a row without visible
    keys are 0.

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

    Constraints: attention_jvp_c1 to attention_jvp_c4 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Optional<Lattn_FloatArray>:$d_query /*attention_jvp_c2*/,
    Optional<Lattn_FloatArray>:$d_key /*attention_jvp_c2*/,
    Optional<Lattn_FloatArray>:$d_value /*attention_jvp_c2*/,
    Lattn_FloatArray:$output /*attention_jvp_c3*/,
    Lattn_AccArray:$lse /*attention_jvp_c3*/,
    Lattn_FloatArray:$d_output /*attention_jvp_c3*/,
    Lattn_AccArray:$d_lse /*attention_jvp_c3*/
  ), Lattn_ScoreAttributes, (ins
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
      /*attention_jvp_c1*/,
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_jvp_c1*/
  ));
  let regions = (region AnyRegion:$score /*attention_jvp_c1*/);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`origin` `(` $origin^ `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    (`d_query` `(` $d_query^ `:` type($d_query) `)`)?
    (`d_key` `(` $d_key^ `:` type($d_key) `)`)?
    (`d_value` `(` $d_value^ `:` type($d_value) `)`)?
    `outs` `(` $output `,` $lse `,` $d_output `,` $d_lse `:` type($output) `,`
      type($lse) `,` type($d_output) `,` type($d_lse) `)`
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, getNumOperands() - 4, 4);
    }
    bool isBnhd() { return getLayout() == Layout::BNHD; }
    unsigned getHeadAxis() { return isBnhd() ? 2 : 1; }
    unsigned getPositionAxis() { return isBnhd() ? 1 : 2; }
  }];
}

def Lattn_AttentionJvpStepOp : Lattn_DestinationOp<"attention_jvp_step", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>]> {
  let summary = "one step of online softmax and its tangent over a tile of keys";
  let description = [{
    Updates the state of `lattn.attention_jvp` with a tile of keys of one head:

        s       = scores of the tile    ds = their tangents
        max'    = max(max, rowmax(s))   c = exp(max - max')    p = exp(s - max')
        sum'    = c * sum + rowsum(p)   d_sum' = c * d_sum + rowsum(p * ds)
        acc'    = c * acc + p value
        d_acc'  = c * d_acc + (p * ds) value + p d_value

    query and d_query are packed by `lattn.pack_query`: transposed and widened. In
    f32 and f64 they are scaled already. The state of no keys is (0, -inf, 0, 0, 0).
    `query_rows` is the number of queries. The state of the others is unspecified.

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

    Constraints: attention_jvp_step_c1 to attention_jvp_step_c3 in docs/spec.md.
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
    Lattn_AccArray:$d_sum /*attention_jvp_step_c2*/
  ), Lattn_ScoreAttributes, (ins
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_jvp_step_c3*/
  ));
  let regions = (region AnyRegion:$score /*attention_jvp_step_c3*/);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)`
    `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`key_mask` `(` $key_mask^ `:` type($key_mask) `)`)?
    (`kv_lens` `(` $kv_lens^ `:` type($kv_lens) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`origin` `(` $origin^ `)`)?
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
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, getNumOperands() - 5, 5);
    }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_ATTENTIONJVPOPS_TD
