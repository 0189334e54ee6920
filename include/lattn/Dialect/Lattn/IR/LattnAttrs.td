//===- LattnAttrs.td - Attributes of the lattn dialect -----*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_LATTNATTRS_TD
#define LATTN_DIALECT_LATTN_IR_LATTNATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "lattn/Dialect/Lattn/IR/LattnDialect.td"
include "lattn/Dialect/Lattn/IR/LattnInterfaces.td"

def Lattn_WindowAttr : AttrDef<Lattn_Dialect, "Window", [
    DeclareAttrInterfaceMethods<Lattn_WindowAttrInterface>]> {
  let mnemonic = "window";
  let summary = "which keys a query sees, by distance and by bucket";
  let description = [{
    The query at position p sees the key at position t iff

        p - left <= t <= p + right                               (token level)
        floor(p/bucket) - back <= floor(t/bucket)
                               <= floor(p/bucket) + forward      (bucket level)

    Both bounds are inclusive: `left = 256, right = 0` is causal and shows 257
    keys. An absent `left`, `right` or `bucket` does not bound. `back` and
    `forward` need a `bucket`. `#lattn.window<>` shows every key.

    ```mlir
    #lattn.window<left = 256, right = 0>                  // causal, sliding
    #lattn.window<bucket = 128, back = 1, forward = 1>    // blocks of 128
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::std::optional<int64_t>">:$left /*window_c1*/,
    OptionalParameter<"::std::optional<int64_t>">:$right /*window_c1*/,
    OptionalParameter<"::std::optional<int64_t>">:$bucket /*window_c2*/,
    DefaultValuedParameter<"int64_t", "0">:$back /*window_c1, window_c3*/,
    DefaultValuedParameter<"int64_t", "0">:$forward /*window_c1, window_c3*/
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bounds are capped so that position arithmetic cannot overflow.
    static constexpr int64_t kMaxExtent = int64_t(1) << 40;
    /// Whether no key is ever hidden.
    bool isFull() { return !getLeft() && !getRight() && !getBucket(); }
  }];
}

def Lattn_LayoutBhnd : I32EnumAttrCase<"BHND", 0, "bhnd">;
def Lattn_LayoutBnhd : I32EnumAttrCase<"BNHD", 1, "bnhd">;
def Lattn_Layout : I32EnumAttr<"Layout",
    "order of the axes batch (b), head (h), position (n) and head size (d)",
    [Lattn_LayoutBhnd, Lattn_LayoutBnhd]> {
  let cppNamespace = "::lattn";
  let genSpecializedAttr = 0;
}
def Lattn_LayoutAttr : EnumAttr<Lattn_Dialect, Lattn_Layout, "layout"> {
  let assemblyFormat = "`<` $value `>`";
}

def Lattn_ProductsWidened : I32EnumAttrCase<"Widened", 0, "widened">;
def Lattn_ProductsDot : I32EnumAttrCase<"Dot", 1, "dot">;
def Lattn_ProductsDotValues : I32EnumAttrCase<"DotValues", 2, "dot_values">;
def Lattn_ProductsAMX : I32EnumAttrCase<"AMX", 3, "amx">;
def Lattn_Products : I32EnumAttr<"Products",
    "how products of bf16 are computed: in the accumulator type (widened), by "
    "dot products of pairs (dot), the same for weights and values alone "
    "(dot_values), by tiles of AMX (amx)",
    [Lattn_ProductsWidened, Lattn_ProductsDot, Lattn_ProductsDotValues,
     Lattn_ProductsAMX]> {
  let cppNamespace = "::lattn";
  let genSpecializedAttr = 0;
}

def Lattn_LanesQueries : I32EnumAttrCase<"Queries", 0, "queries">;
def Lattn_LanesFeatures : I32EnumAttrCase<"Features", 1, "features">;
def Lattn_LanesMixed : I32EnumAttrCase<"Mixed", 2, "mixed">;
def Lattn_Lanes : I32EnumAttr<"Lanes",
    "what lies on the lanes of a CPU's vectors: the queries of a tile (queries), "
    "the elements of a row of query, key or value (features), or queries where "
    "scores are computed and features of values after that (mixed)",
    [Lattn_LanesQueries, Lattn_LanesFeatures, Lattn_LanesMixed]> {
  let cppNamespace = "::lattn";
  let genSpecializedAttr = 0;
}

def Lattn_ScheduleAttr : AttrDef<Lattn_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how attention is cut into tiles and computed";
  let description = [{
    A schedule changes how fast an op is, and the order of sums, but not what the
    op means. `lattn-choose-tiles` and `lattn-choose-gpu-tiles` fill in the
    parts that are absent. `lattn-tile` hands the schedule on to the steps over tiles.

    - `query_tile`, `key_tile`: queries of a tile, and keys of a step.
    - `products`: how the CPU computes products of bf16.
    - `lanes`: what lies on the lanes of vectors. `features` is for tiles of few
      queries, which would leave lanes empty. `mixed` is for short windows: blocks
      of a few queries read only the values of the keys that they see. `mixed` needs
      `widened` products, `features` takes `widened` or `dot` products.
    - `least_queries`: calls have at least so many queries, if their number is not
      known. Code of its own for fewer is left out: it compiles faster, and is right
      for any number. The attribute `lattn.schedule` of a function says it of all
      attention in the function.
    - `fallback`: the tile sizes of the GPU kernel for arrays that tensor maps do
      not support. It has no effect on other kernels.

    ```mlir
    #lattn.schedule<query_tile = 64, key_tile = 128, products = amx>
    #lattn.schedule<query_tile = 4, key_tile = 128, lanes = features>
    #lattn.schedule<least_queries = 9>
    #lattn.schedule<query_tile = 192, key_tile = 128,
                    fallback = <query_tile = 64, key_tile = 64>>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::std::optional<int64_t>">:$query_tile /*schedule_c1*/,
    OptionalParameter<"::std::optional<int64_t>">:$key_tile /*schedule_c1*/,
    OptionalParameter<"::std::optional<::lattn::Products>">:$products,
    OptionalParameter<"::std::optional<::lattn::Lanes>">:$lanes /*schedule_c3*/,
    OptionalParameter<"::std::optional<int64_t>">:$least_queries /*schedule_c4*/,
    OptionalParameter<"::lattn::ScheduleAttr">:$fallback /*schedule_c2*/
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The tile sizes; those of `otherwise` where they are absent.
    TileSizes getTileSizes(TileSizes otherwise);
    /// Copies in which one part is replaced.
    ScheduleAttr withTileSizes(TileSizes sizes);
    ScheduleAttr withProducts(::std::optional<Products> products);
    ScheduleAttr withLanes(::std::optional<Lanes> lanes);
    ScheduleAttr withFallback(ScheduleAttr fallback);
  }];
}

def Lattn_GridBlocksAny : I32EnumAttrCase<"Any", 0, "any">;
def Lattn_GridBlocksPerTile : I32EnumAttrCase<"PerTile", 1, "per_tile">;
def Lattn_GridBlocks : I32EnumAttr<"GridBlocks",
    "how many blocks a grid has: any number, each with several tiles one after "
    "another (any), or as many as tiles (per_tile)",
    [Lattn_GridBlocksAny, Lattn_GridBlocksPerTile]> {
  let cppNamespace = "::lattn";
  let genSpecializedAttr = 0;
}

def Lattn_GridAttr : AttrDef<Lattn_Dialect, "Grid"> {
  let mnemonic = "grid";
  let summary = "the GPU kernel that a parallel loop becomes";
  let description = [{
    The attribute `lattn.grid` of an `scf.forall` that is mapped to blocks or
    threads. `lattn-map-to-gpu` reads it.

    - `kernel`: the second part of the kernel's name, after its function's name.
    - `blocks`: `per_tile` gives each tile a block of its own, so the kernel is not
      persistent. It is for loops with about as many tiles as blocks run at once.

    ```mlir
    scf.forall (%part, %tile) in (8, 64) {
    } {lattn.grid = #lattn.grid<kernel = "split", blocks = per_tile>,
       mapping = [#gpu.block<y>, #gpu.block<x>]}
    ```
  }];
  let parameters = (ins
    StringRefParameter<>:$kernel /*grid_c1*/,
    DefaultValuedParameter<"::lattn::GridBlocks", "::lattn::GridBlocks::Any">:$blocks
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // LATTN_DIALECT_LATTN_IR_LATTNATTRS_TD
