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

#endif // LATTN_DIALECT_LATTN_IR_LATTNATTRS_TD
