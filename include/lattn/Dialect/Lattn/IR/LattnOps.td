//===- LattnOps.td - Operations of the lattn dialect -------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_LATTNOPS_TD
#define LATTN_DIALECT_LATTN_IR_LATTNOPS_TD

include "lattn/Dialect/KnownAttributes.td"
include "lattn/Dialect/Lattn/IR/LattnAttrs.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"

//===----------------------------------------------------------------------===//
// Shared constraints
//===----------------------------------------------------------------------===//

class Lattn_Shaped<list<Type> elements>
  : AnyTypeOf<[RankedTensorOf<elements>, StridedMemRefOf<elements>]>;

def Lattn_FloatArray : Lattn_Shaped<[F16, BF16, F32, F64]>;
def Lattn_AccArray : Lattn_Shaped<[F32, F64]>;
def Lattn_MaskArray : Lattn_Shaped<[I1]>;
def Lattn_LengthArray : Lattn_Shaped<[I32, I64]>;
def Lattn_PageTable : Lattn_Shaped<[I32, I64]>;
def Lattn_Offset : AnyTypeOf<[I64, Lattn_Shaped<[I64]>]>;
def Lattn_AnyArray : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

/// An op in destination style over tensors or memrefs. It has a result for each
/// destination that is a tensor.
class Lattn_DestinationOp<string mnemonic, list<Trait> traits = []>
  : Lattn_Op<mnemonic, !listconcat(traits, [
      DestinationStyleOpInterface,
      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
      DeclareOpInterfaceMethods<InferTypeOpInterface>])> {
  let results = (outs Variadic<AnyRankedTensor>:$results
    /*attention_c20, online_attention_c8, merge_c4, finalize_c5, pack_query_c4*/);
  let hasVerifier = 1;
}

/// The operands that make a score, of attention and of online_attention, where
/// attention_c9 to attention_c21 are online_attention_c7.
defvar Lattn_ScoreOperands = (ins
  Lattn_FloatArray:$query /*attention_c2, online_attention_c5*/,
  Lattn_FloatArray:$key /*attention_c2, online_attention_c5*/,
  Lattn_FloatArray:$value /*attention_c2, online_attention_c5*/,
  Optional<Lattn_FloatArray>:$bias /*attention_c13*/,
  Optional<Lattn_MaskArray>:$key_mask /*attention_c9*/,
  Optional<Lattn_LengthArray>:$kv_lens /*attention_c10*/,
  Optional<Lattn_Offset>:$offset /*attention_c11*/,
  Variadic<Index>:$origin /*attention_c18*/,
  Variadic<Lattn_AnyArray>:$captures /*attention_c14*/
);

defvar Lattn_ScoreAttributes = (ins
  OptionalAttr<Lattn_WindowAttrInterface>:$window /*attention_c21*/,
  UnitAttr:$causal /*attention_c21*/,
  OptionalAttr<F64Attr>:$scale /*attention_c19*/,
  OptionalAttr<AffineMapAttr>:$bias_map /*attention_c13, attention_c23*/
);

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

def Lattn_AttentionOp : Lattn_DestinationOp<"attention", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition", "generateResultTileValue",
      "getIterationDomainTileFromResultTile"]>]> {
  let summary = "softmax(scale * query.key, windowed and masked) * value";
  let description = [{
    Attention of query (B, H, N, D) over key (B, Hkv, M, D) and value
    (B, Hkv, M, Dv). The output has the shape (B, H, N, Dv). A second destination,
    if there is one, gets the log-sum-exp (B, H, N). Query head h reads head
    h / (H / Hkv) of key and value. With `layout = bnhd`, heads and positions change
    places in all arrays but the log-sum-exp.

    Query i of batch b stands at position `offset[b] + i`, key j at position j.
    The default offset is `kv_lens[b] - N` (`M - N` without kv_lens): the last
    query stands at the last key.

    The score of a pair is made in this order:

    - `scale * query.key`; the default scale is D^-0.5;
    - the `score` region changes it;
    - `bias` is added;
    - it becomes -inf if the window, `key_mask` or `kv_lens` hides the key.

    A hidden key never influences a row, even if it holds NaN. A row that sees no key
    gives 0 and a log-sum-exp of -inf. `sink` is one more score of each head: it takes
    part in the softmax and has no value. Products accumulate in f32 (f64 for f64).

    The region takes (score, batch, head, query, key, captures...): the score as
    f32 (f64 for f64), the coordinates as i32. It yields the new score. Only arith,
    math and reads of captured arrays are allowed in it.

    `origin` (b0, h0, q0, k0) is for an op that is a tile of a larger one. It gives
    the coordinates of the op's first element. Global coordinates index the region,
    window, bias, mask, lengths, offset and sink. Local ones index query, key, value
    and the destinations.

    `dropout` is (p, seed, offset). Word k mod 4 of Philox4x32-10 (key seed, counter
    (offset, b*H + h, q, k/4)) decides whether the pair's weight is kept. Kept
    weights are multiplied by 1/(1-p). A tile of a larger op has H as fourth value.

    `schedule` (tile sizes, kind of products) changes the speed, not the meaning.

    The canonicalizer drops a `key_mask` of all true, a `bias` of zeros, a dropout of 0
    and a region that yields the score. On tensors the op is speculatable: code motion
    takes it out of loops that do not change its operands.

    ```mlir
    %0 = lattn.attention query(%q : tensor<1x8x?x64xf32>)
           key(%k : tensor<1x8x?x64xf32>) value(%v : tensor<1x8x?x64xf32>)
           outs(%e : tensor<1x8x?x64xf32>)
           {window = #lattn.window<left = 256, right = 0>}
    ```

    Source: Dao et al., FlashAttention (2022), for the algorithm; the ONNX
    Attention operator for masks and empty rows. Constraints: attention_c1 to
    attention_c23 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Optional<Lattn_FloatArray>:$sink /*attention_c12*/,
    Variadic<AnyType>:$dropout /*attention_c17*/,
    Lattn_FloatArray:$output /*attention_c2*/,
    Optional<Lattn_AccArray>:$lse /*attention_c8*/
  ), Lattn_ScoreAttributes, (ins
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout /*attention_c21*/,
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*attention_c22*/
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
    `outs` `(` $output `:` type($output) (`,` $lse^ `:` type($lse))? `)`
    attr-dict (`score` $score^)?
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
    bool isBnhd() { return getLayout() == Layout::BNHD; }
    /// Axis of heads, and of positions, in query, key, value and output.
    unsigned getHeadAxis() { return isBnhd() ? 2 : 1; }
    unsigned getPositionAxis() { return isBnhd() ? 1 : 2; }
    /// The schedule, or an empty one if it is absent.
    ScheduleAttr getEffectiveSchedule();
  }];
}

//===----------------------------------------------------------------------===//
// online_attention
//===----------------------------------------------------------------------===//

def Lattn_OnlineAttentionOp : Lattn_DestinationOp<"online_attention", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<Lattn_AttentionOpInterface>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition"]>,
    DeclareOpInterfaceMethods<PartialReductionOpInterface, [
      "generateInitialTensorForPartialReduction", "tileToPartialReduction",
      "mergeReductions", "getPartialResultTilePosition"]>]> {
  let summary = "one step of online softmax over a tile of keys";
  let description = [{
    Updates the state of an online softmax with a tile of keys:

        s       = scores of the tile (see lattn.attention)
        max'    = max(max, rowmax(s))
        sum'    = exp(max - max') * sum + rowsum(exp(s - max'))
        acc'    = exp(max - max') * acc + exp(s - max') * value

    acc is not normalised; `lattn.finalize` divides by sum. The state of no keys is
    (0, -inf, 0). exp(-inf - -inf) counts as 0. The op can be tiled along keys, its
    steps are associative, and `lattn.merge` joins the states of disjoint keys.

    - `indexing_maps` name the axes of (query, key, value, acc, max, sum) by the
      dimensions (b, h, q, k, d, v). Each map is a projected permutation. An axis
      that no map names has extent 1. The default is bhnd.
    - `origin` is as in lattn.attention. A window needs an `offset`.
    - `query_rows` is the number of valid queries, if query, acc, max and sum are
      padded along q. The state of the other rows is unspecified.
    - `dropout` (p, seed, offset, heads) drops terms of acc, not of sum.
    - `ahead`, on buffers, are rows that a kernel may prefetch: (queries, outputs),
      of which the next tile's queries lie `q` rows further on.
    - `pages(%table[%first_key, %num_keys])` reads keys and values from pages, as
      lattn.gather_pages does. `key` and `value` are then pools (page, row, element)
      of pages of S rows. The step's key j is row t mod S of page `table[t div S]`,
      with t = first_key + j. The maps are those of the rows that the pages hold.
    - `schedule` is that of the attention that the step is a tile of.

    ```mlir
    %r:3 = lattn.online_attention query(%q : tensor<1x1x16x64xf32>)
        key(%k : tensor<1x1x64x64xf32>) value(%v : tensor<1x1x64x64xf32>)
        outs(%acc, %max, %sum : tensor<1x1x16x64xf32>, tensor<1x1x16xf32>,
             tensor<1x1x16xf32>)
    ```

    Source: Milakov and Gimelshein, Online normalizer calculation for softmax
    (2018); Dao et al., FlashAttention (2022). Constraints: online_attention_c1
    to online_attention_c12 in docs/spec.md.
  }];
  let arguments = !con(Lattn_ScoreOperands, (ins
    Optional<Index>:$query_rows /*online_attention_c5*/,
    Variadic<AnyType>:$dropout /*online_attention_c9*/,
    Variadic<AnyMemRef>:$ahead /*online_attention_c11*/,
    Optional<Lattn_PageTable>:$pages /*online_attention_c12*/,
    Optional<Index>:$first_key /*online_attention_c12*/,
    Optional<Index>:$num_keys /*online_attention_c12*/,
    Lattn_AccArray:$acc /*online_attention_c5*/,
    Lattn_AccArray:$max /*online_attention_c5*/,
    Lattn_AccArray:$sum /*online_attention_c5*/
  ), Lattn_ScoreAttributes, (ins
    OptionalAttr<AffineMapArrayAttr>:$indexing_maps /*online_attention_c1*/,
    OptionalAttr<Lattn_ScheduleAttr>:$schedule /*online_attention_c10*/
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
    (`origin` `(` $origin^ `)`)?
    (`query_rows` `(` $query_rows^ `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    (`ahead` `(` $ahead^ `:` type($ahead) `)`)?
    (`pages` `(` $pages^ `[` $first_key `,` $num_keys `]` `:` type($pages) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `outs` `(` $acc `,` $max `,` $sum `:` type($acc) `,` type($max) `,` type($sum) `)`
    attr-dict (`score` $score^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
    /// Dimensions of the op, in the order of the maps' dimensions.
    enum Dim : unsigned { Batch, Head, QueryPos, KeyPos, HeadDim, ValueDim };
    /// The six maps of (query, key, value, acc, max, sum).
    ::llvm::SmallVector<::mlir::AffineMap> getEffectiveMaps();
    /// The result of the map of mapped operand 0..5 that `dim` names, if any:
    /// the operand's axis, but for keys and values in pages.
    ::std::optional<unsigned> getAxis(unsigned mapped, Dim dim);
    /// Mapped operand 0..5.
    ::mlir::Value getMappedOperand(unsigned mapped);
    /// Whether mapped operand 0..5 lies in pages: its first axis counts them, and
    /// the results of its map are those behind.
    bool isInPages(unsigned mapped) {
      return getPages() && (mapped == 1 || mapped == 2);
    }
    /// Rows of a page.
    int64_t getPageSize();
    /// The schedule's products; widened if it does not say.
    Products getProducts();
  }];
}

def Lattn_YieldOp : Lattn_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<[
      "AttentionOp", "AttentionGradOp", "AttentionGradStepOp", "AttentionJvpOp",
      "AttentionJvpStepOp", "AttentionScoresOp", "OnlineAttentionOp", "SweepKeysOp"]>]> {
  let summary = "the new score, or the next state of lattn.sweep_keys";
  let description = [{
    Ends a score region with the new score, and the body of `lattn.sweep_keys`
    with the next state.

    ```mlir
    lattn.yield %score : f32
    ```

    Constraints: attention_c16, sweep_keys_c5 in docs/spec.md.
  }];
  let arguments = (ins
    Variadic<AnyType>:$values /*attention_c16, sweep_keys_c5*/);
  let builders = [OpBuilder<(ins), "/* the body yields nothing */">];
  // It has no attributes.
  let useCustomPropertiesEncoding = 0;
  let extraClassDefinition = "";
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===----------------------------------------------------------------------===//
// merge, finalize, pack_query
//===----------------------------------------------------------------------===//

def Lattn_MergeOp : Lattn_DestinationOp<"merge", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "join online-softmax states of disjoint sets of keys";
  let description = [{
    Joins S states, given along a leading axis, into one:

        max' = max(max, max_0, ..., max_S-1)
        sum' = exp(max - max') * sum + ... + exp(max_s - max') * sum_s
        acc' = exp(max - max') * acc + ... + exp(max_s - max') * acc_s

    The sums run in the order of s, so the result does not depend on which thread
    computed which part. `value_axis` is the axis of acc that max and sum do not have.

    ```mlir
    %r:3 = lattn.merge ins(%accs, %maxs, %sums : tensor<4x16x64xf32>,
             tensor<4x16xf32>, tensor<4x16xf32>)
             outs(%acc, %max, %sum : tensor<16x64xf32>, tensor<16xf32>,
             tensor<16xf32>) {value_axis = 1}
    ```

    Constraints: merge_c1 to merge_c4 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_AccArray:$accs /*merge_c2*/,
    Lattn_AccArray:$maxs /*merge_c2*/,
    Lattn_AccArray:$sums /*merge_c2*/,
    Lattn_AccArray:$acc /*merge_c1*/,
    Lattn_AccArray:$max /*merge_c1*/,
    Lattn_AccArray:$sum /*merge_c1*/,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$value_axis /*merge_c1*/
  );
  let assemblyFormat = [{
    `ins` `(` $accs `,` $maxs `,` $sums `:` type($accs) `,` type($maxs) `,` type($sums) `)`
    `outs` `(` $acc `,` $max `,` $sum `:` type($acc) `,` type($max) `,` type($sum) `)`
    attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, 3, 3);
    }
  }];
}

def Lattn_FinalizeOp : Lattn_DestinationOp<"finalize", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "normalise or store the state of an online softmax";
  let description = [{
    output = acc / sum, and lse = max + log(sum) (natural) if there is a second
    destination. A sum of 0 gives an output of 0 and an lse of -inf. With three
    destinations, these are acc, max and sum as they are, for `lattn.merge`. The
    last axis of output is the value axis; `value_axis` says which axis of acc it
    is. acc, max and sum may be longer than output along the last axis of max. The
    rest is padding.

    ```mlir
    %0 = lattn.finalize ins(%acc, %max, %sum : tensor<64x16xf32>,
           tensor<16xf32>, tensor<16xf32>) outs(%out : tensor<?x64xbf16>)
           {value_axis = 0}
    ```

    Constraints: finalize_c1 to finalize_c5 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_AccArray:$acc /*finalize_c1*/,
    Lattn_AccArray:$max /*finalize_c1*/,
    Lattn_AccArray:$sum /*finalize_c1*/,
    Lattn_FloatArray:$output /*finalize_c2*/,
    Variadic<Lattn_AccArray>:$rows /*finalize_c4*/,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$value_axis /*finalize_c1*/
  );
  let assemblyFormat = [{
    `ins` `(` $acc `,` $max `,` $sum `:` type($acc) `,` type($max) `,` type($sum) `)`
    `outs` `(` $output `:` type($output) (`,` $rows^ `:` type($rows))? `)`
    attr-dict
  }];
  let extraClassDeclaration = [{
    /// Whether it stores the state as it is.
    bool storesState() { return getRows().size() == 2; }
    /// What the destination after output with this index holds.
    ::llvm::StringRef getRowName(size_t i) {
      return !storesState() ? "lse" : i ? "the stored sum" : "the stored max";
    }
    /// Where the log-sum-exp goes, or null.
    ::mlir::Value getLse() {
      return getRows().size() == 1 ? getRows().front() : ::mlir::Value();
    }
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, 3, 1 + getRows().size());
    }
  }];
}

def Lattn_PackQueryOp : Lattn_DestinationOp<"pack_query", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "a query tile transposed, widened, scaled and padded";
  let description = [{
    packed[d, i] = scale * query[i, d] for i below query's extent, else 0. In this
    form the queries of a tile lie on the lanes of vectors. packed has at least as
    many columns as query has rows.

    ```mlir
    %0 = lattn.pack_query ins(%q : tensor<?x64xbf16>)
           outs(%e : tensor<64x16xf32>) {scale = 0.125 : f64}
    ```

    Constraints: pack_query_c1 to pack_query_c4 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatArray:$query /*pack_query_c1*/,
    Lattn_FloatArray:$packed /*pack_query_c1*/,
    F64Attr:$scale /*pack_query_c3*/
  );
  let assemblyFormat = [{
    `ins` `(` $query `:` type($query) `)` `outs` `(` $packed `:` type($packed) `)`
    attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getPackedMutable(); }
  }];
}

//===----------------------------------------------------------------------===//
// The ops of the other files
//===----------------------------------------------------------------------===//
include "lattn/Dialect/Lattn/IR/AttentionGradOps.td"
include "lattn/Dialect/Lattn/IR/AttentionJvpOps.td"
include "lattn/Dialect/Lattn/IR/AttentionScoresOp.td"
include "lattn/Dialect/Lattn/IR/Composite/LocalAttentionOp.td"
include "lattn/Dialect/Lattn/IR/Composite/LocalMHAOp.td"
include "lattn/Dialect/Lattn/IR/Composite/MultiheadAttentionOp.td"
include "lattn/Dialect/Lattn/IR/QueryKeyOps.td"
include "lattn/Dialect/Lattn/IR/SequenceOps.td"
include "lattn/Dialect/Lattn/IR/SweepKeysOp.td"

#endif // LATTN_DIALECT_LATTN_IR_LATTNOPS_TD
