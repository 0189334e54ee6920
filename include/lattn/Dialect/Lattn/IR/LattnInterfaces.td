//===- LattnInterfaces.td - Interfaces of the lattn dialect -*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_LATTNINTERFACES_TD
#define LATTN_DIALECT_LATTN_IR_LATTNINTERFACES_TD

include "mlir/IR/OpBase.td"

def Lattn_WindowAttrInterface : AttrInterface<"WindowAttrInterface"> {
  let cppNamespace = "::lattn";
  let description = [{
    Which keys a query sees, as a function of positions alone.

    Two lists of bounds make a window. The query at position p sees the key at
    position t if `max(lower(p)) <= t < min(upper(p))`. A bound must not decrease
    as p grows, and must move with the window's period. `WindowGeometry.h` derives
    everything else from the bounds: which keys a tile of queries touches, which of
    them need no mask, how far a query sees.
  }];
  let methods = [
    InterfaceMethod<[{
      Inclusive lower bounds `(p) -> (l0, l1, ...)`, of which the largest counts.
      No results: unbounded.
    }], "::mlir::AffineMap", "getLowerBounds">,
    InterfaceMethod<[{
      Exclusive upper bounds `(p) -> (u0, u1, ...)`, of which the smallest counts.
      No results: unbounded.
    }], "::mlir::AffineMap", "getUpperBounds">,
    InterfaceMethod<[{
      The period of the bounds: adding it to p adds it to every bound. It is 1
      unless the window has buckets.
    }], "int64_t", "getPeriod">,
    InterfaceMethod<[{
      The window that hides the keys after the query as well.
    }], "::lattn::WindowAttrInterface", "getCausal">
  ];
}

def Lattn_AttentionOpInterface : OpInterface<"AttentionOpInterface"> {
  let cppNamespace = "::lattn";
  let description = [{
    The operands and attributes that say how a score is made from a query, a key
    and their coordinates. `lattn.attention` and `lattn.online_attention` share
    them.
  }];
  let methods = [
    InterfaceMethod<"The query operand.", "::mlir::Value", "getQuery">,
    InterfaceMethod<"The key operand.", "::mlir::Value", "getKey">,
    InterfaceMethod<"The value operand.", "::mlir::Value", "getValue">,
    InterfaceMethod<"Additive bias, or null.", "::mlir::Value", "getBias">,
    InterfaceMethod<"Key mask (batch, key), or null.", "::mlir::Value", "getKeyMask">,
    InterfaceMethod<"Valid keys per batch, or null.", "::mlir::Value", "getKvLens">,
    InterfaceMethod<"Position of query 0, or null.", "::mlir::Value", "getOffset">,
    InterfaceMethod<"Coordinates of this op's first element; empty: all 0.",
      "::mlir::OperandRange", "getOrigin">,
    InterfaceMethod<"Arrays that the score region reads.",
      "::mlir::OperandRange", "getCaptures">,
    InterfaceMethod<"The score region, possibly empty.", "::mlir::Region &", "getScore">,
    InterfaceMethod<"The window, or null.", "::lattn::WindowAttrInterface", "getWindowAttr">,
    InterfaceMethod<"Map from (batch, head, query, key) to the bias, or null.",
      "::mlir::AffineMapAttr", "getBiasMapAttr">,
    InterfaceMethod<"Whether the window is causal as well.", "bool", "getCausal">,
    InterfaceMethod<"The factor on query.key, or null for D^-0.5.",
      "::mlir::FloatAttr", "getScaleAttr">
  ];
  let extraSharedClassDeclaration = [{
    /// The window with `causal` folded in; null where every key is visible.
    ::lattn::WindowAttrInterface getEffectiveWindow() {
      ::lattn::WindowAttrInterface window = $_op.getWindowAttr();
      if (!$_op.getCausal())
        return window;
      if (window)
        return window.getCausal();
      return ::lattn::getCausalWindow($_op->getContext());
    }
    /// f32, or f64 for f64 operands: the type of scores, sums and LSE.
    ::mlir::FloatType getAccumulatorType() {
      return ::lattn::getAccumulatorType($_op.getQuery().getType());
    }
    /// The bias map, or the one that broadcasting implies. Needs a bias.
    ::mlir::AffineMap getEffectiveBiasMap() {
      return ::lattn::getEffectiveBiasMap($_op.getBias(), $_op.getBiasMapAttr());
    }
    /// Whether some (query, key) pairs may be hidden.
    bool hasMask() {
      return $_op.getWindowAttr() || $_op.getCausal() || $_op.getKeyMask() ||
             $_op.getKvLens();
    }
  }];
}

#endif // LATTN_DIALECT_LATTN_IR_LATTNINTERFACES_TD
