//===- QueryKeyOps.td - What queries and keys go through ---*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Included by LattnOps.td.

#ifndef LATTN_DIALECT_LATTN_IR_QUERYKEYOPS_TD
#define LATTN_DIALECT_LATTN_IR_QUERYKEYOPS_TD

/// An op from `input` to `output` of the same shape. It can be tiled along all axes
/// but the last: the elements of a row stay together.
class Lattn_RowwiseOp<string mnemonic, list<Trait> traits = []>
  : Lattn_DestinationOp<mnemonic, !listconcat(traits, [
      DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>,
      DeclareOpInterfaceMethods<TilingInterface, [
        "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
        "getResultTilePosition", "generateResultTileValue",
        "getIterationDomainTileFromResultTile"]>])>;

//===----------------------------------------------------------------------===//
// rotary
//===----------------------------------------------------------------------===//

def Lattn_RotaryOp : Lattn_RowwiseOp<"rotary", [AttrSizedOperandSegments]> {
  let summary = "rotary position embedding, with xpos scales or without";
  let description = [{
    Rotates each pair of elements of a row by an angle that grows with the row's
    position. Row n along `position_axis` (default: the last but one) stands at
    position p = `start` + n. Pair m of the D/2 pairs is rotated by p * f_m:

        y_lo = x_lo * cos(p f_m) - x_hi * sin(p f_m)
        y_hi = x_hi * cos(p f_m) + x_lo * sin(p f_m),   f_m = theta^(-2m/dim)

    Pair m is (m, m + D/2), the *half* layout, or (2m, 2m + 1) with `interleaved`.
    `dim` is D or D - 1 and changes only the frequencies. With `xpos_scale_base`
    the pair is multiplied by z_m^((p - center) / base), or divided by it with
    `downscale` (for keys), where z_m = (2m + 0.4 dim) / (1.4 dim). A base of 0 makes
    everything NaN.

    f_m is rounded to f32 once, as in the packages' buffers. Angles, sines and scales
    are computed in f64 and rounded once to f32 (f64 for f64). output may be wider
    than input. With `transposed` the pairs are rotated back, by -p * f_m, with the
    same scales. That is the derivative in reverse mode.

    ```mlir
    %p = arith.constant 4096 : index
    %0 = lattn.rotary ins(%q : tensor<1x8x?x64xbf16>) start(%p)
           outs(%e : tensor<1x8x?x64xf32>) {dim = 64 : i64}
    ```

    Source: Su et al., RoFormer (2021); Sun et al., A Length-Extrapolatable
    Transformer (2022). Constraints: rotary_c1 to rotary_c6 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatArray:$input /*rotary_c1*/,
    Optional<Index>:$start,
    Optional<Index>:$center /*rotary_c5*/,
    Lattn_FloatArray:$output /*rotary_c1*/,
    I64Attr:$dim /*rotary_c3*/,
    DefaultValuedAttr<F64Attr, "10000.0">:$theta /*rotary_c4*/,
    UnitAttr:$interleaved,
    OptionalAttr<F64Attr>:$xpos_scale_base /*rotary_c5*/,
    UnitAttr:$downscale /*rotary_c5*/,
    UnitAttr:$transposed,
    OptionalAttr<I64Attr>:$position_axis /*rotary_c6*/
  );
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)`
    (`start` `(` $start^ `)`)? (`center` `(` $center^ `)`)?
    `outs` `(` $output `:` type($output) `)` attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    /// The axis along which positions grow.
    unsigned getRowAxis() {
      int64_t rank = ::llvm::cast<::mlir::ShapedType>(getInput().getType()).getRank();
      return getPositionAxis().value_or(rank - 2);
    }
  }];
}

def Lattn_RotatePairsOp : Lattn_RowwiseOp<"rotate_pairs", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "rotate the pairs of rows by the rows of a table";
  let description = [{
    lattn.rotary with a table of its angles. Row n along `position_axis` is rotated by
    row `start` + n of `table` (rows, 2, D/2). The table holds cosines and sines,
    each times the pair's scale:

        y_lo = x_lo * table[r, 0, m] - x_hi * table[r, 1, m]
        y_hi = x_hi * table[r, 0, m] + x_lo * table[r, 1, m],   r = start + n

    ```mlir
    %p = arith.constant 256 : index
    %0 = lattn.rotate_pairs ins(%q, %t : tensor<1x8x?x64xbf16>,
           tensor<768x2x32xf32>) start(%p) outs(%e : tensor<1x8x?x64xf32>)
           {position_axis = 2 : i64}
    ```

    Constraints: rotate_pairs_c1 to rotate_pairs_c3 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatArray:$input /*rotate_pairs_c1*/,
    Lattn_AccArray:$table /*rotate_pairs_c2*/,
    Index:$start,
    Lattn_FloatArray:$output /*rotate_pairs_c1*/,
    UnitAttr:$interleaved,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$position_axis /*rotate_pairs_c3*/
  );
  let assemblyFormat = [{
    `ins` `(` $input `,` $table `:` type($input) `,` type($table) `)`
    `start` `(` $start `)` `outs` `(` $output `:` type($output) `)` attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    /// The axis along which positions grow.
    unsigned getRowAxis() { return getPositionAxis(); }
  }];
}

//===----------------------------------------------------------------------===//
// l2_normalize
//===----------------------------------------------------------------------===//

def Lattn_L2NormalizeOp : Lattn_RowwiseOp<"l2_normalize", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "rows divided by their Euclidean norm";
  let description = [{
    y = x / max(|x|, eps), where |x| is the Euclidean norm of a row (the last axis).
    It is computed in f32 (f64 for f64). Rows of zeros stay zero. output may be wider
    than input.

    ```mlir
    %0 = lattn.l2_normalize ins(%k : tensor<1x8x?x64xbf16>)
           outs(%e : tensor<1x8x?x64xf32>)
    ```

    Source: torch.nn.functional.normalize. Constraints: l2_normalize_c1 and
    l2_normalize_c2 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatArray:$input /*l2_normalize_c1*/,
    Lattn_FloatArray:$output /*l2_normalize_c1*/,
    DefaultValuedAttr<F64Attr, "1.0e-12">:$eps /*l2_normalize_c2*/
  );
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)`
    attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
  }];
}

//===----------------------------------------------------------------------===//
// gather_pages
//===----------------------------------------------------------------------===//

def Lattn_PagesArray : RankedTensorOf<[I32, I64]>;

def Lattn_GatherPagesOp : Lattn_Op<"gather_pages", [
    Pure,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
      ["reifyResultShapes"]>]> {
  let summary = "the keys or values of a paged cache, in their order";
  let description = [{
    Returns the keys or values (B, Hkv, M, D) of a cache that lies in pages. `pool`
    holds the pages (number of pages, Hkv, page size, D), in any order. `pages` is the
    block table (B, pages of a sequence). With a page size of S, key t of batch b is
    row t mod S of page `pages[b, t div S]`. M is S times the pages of a sequence.
    `kv_lens` of the attention says how many keys each sequence has. With `layout =
    bnhd`, heads and rows change places in pool and in the result.

    An attention reads the pages in place: `lattn-tile` reads each tile of keys
    from its page. Only `lattn-to-loops`, and operations that are not tiled, make a
    copy of the keys. Entries of `pages` whose keys are all hidden by `kv_lens` are
    not read by a tiled attention. An entry outside of the pool stands for the
    nearest page.

    ```mlir
    %k = lattn.gather_pages ins(%pool, %pages : tensor<?x2x64x128xf32>,
           tensor<?x?xi32>) -> tensor<?x2x?x128xf32>
    ```

    Source: Kwon et al., PagedAttention (2023). Constraints: gather_pages_c1 to
    gather_pages_c3 in docs/spec.md.
  }];
  let arguments = (ins
    RankedTensorOf<[F16, BF16, F32, F64]>:$pool /*gather_pages_c1*/,
    Lattn_PagesArray:$pages /*gather_pages_c2*/,
    DefaultValuedAttr<Lattn_LayoutAttr, "::lattn::Layout::BHND">:$layout
  );
  let results = (outs RankedTensorOf<[F16, BF16, F32, F64]>:$result
    /*gather_pages_c3*/);
  let assemblyFormat = [{
    `ins` `(` $pool `,` $pages `:` type($pool) `,` type($pages) `)` attr-dict
    `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// Axis of heads, and of a page's rows, in pool and result.
    unsigned getHeadAxis() { return getLayout() == Layout::BNHD ? 2 : 1; }
    unsigned getRowAxis() { return getLayout() == Layout::BNHD ? 1 : 2; }
    /// Keys in a page.
    int64_t getPageSize();
  }];
}

//===----------------------------------------------------------------------===//
// stage_rows
//===----------------------------------------------------------------------===//

def Lattn_StageRowsOp : Lattn_Op<"stage_rows", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "rows in place, or copied to scratch if that is faster";
  let description = [{
    Returns the rows of `input` in `scratch`'s type. On buffers the result is `input`
    itself if its rows can be read in place. Otherwise the rows are copied to the front
    of `scratch`, which is then the result. The program decides when it runs. It copies
    rows that have another type, are not dense, or lie a multiple of 4 KiB apart along
    `position_axis`. The latter would evict each other from the caches.

    ```mlir
    %0 = lattn.stage_rows ins(%k : tensor<1x?x1x64xf32>)
           scratch(%e : tensor<1x512x1x64xf32>) {position_axis = 1 : i64}
           -> tensor<1x?x1x64xf32>
    ```

    Constraints: stage_rows_c1 to stage_rows_c4 in docs/spec.md.
  }];
  let arguments = (ins
    Lattn_FloatArray:$input /*stage_rows_c1*/,
    Lattn_FloatArray:$scratch /*stage_rows_c1, stage_rows_c2*/,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$position_axis /*stage_rows_c3*/
  );
  let results = (outs Lattn_FloatArray:$result /*stage_rows_c4*/);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `scratch` `(` $scratch `:`
    type($scratch) `)` attr-dict `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // LATTN_DIALECT_LATTN_IR_QUERYKEYOPS_TD
