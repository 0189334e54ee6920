//===- WindowGeometry.h - What a window shows to tiles of queries -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All window arithmetic, for constants and for IR, from the window's bounds.
// Functions take an attribute as its bounds; a null one shows every key. What
// they say of queries and keys they say of keys and queries for the inverse.

#ifndef LATTN_DIALECT_LATTN_IR_WINDOWGEOMETRY_H
#define LATTN_DIALECT_LATTN_IR_WINDOWGEOMETRY_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include <optional>

namespace lattn {

/// The bounds of a window: the query at position p sees the key at position t
/// if max(lower(p)) <= t < min(upper(p)). No results, and null maps, do not
/// bound.
struct WindowBounds {
  /// Converts any window attribute; null shows every key.
  WindowBounds(WindowAttrInterface window);
  template <typename AttrT, typename = std::enable_if_t<std::is_convertible_v<
                                AttrT, WindowAttrInterface>>>
  WindowBounds(AttrT window) : WindowBounds(WindowAttrInterface(window)) {}

  /// The same pairs with the roles of queries and keys swapped: of a key at p,
  /// the queries at t that see it. Nothing if a bound is no chain of + c, * c,
  /// floordiv c and ceildiv c from p on.
  std::optional<WindowBounds> getInverse() const;

  mlir::AffineMap lower, upper;
  int64_t period = 1;

private:
  WindowBounds() = default;
};

/// Half-open range of key positions.
struct KeyRange {
  int64_t begin, end;
  int64_t size() const { return end > begin ? end - begin : 0; }
};

/// The keys of [0, numKeys) for the queries of a tile. `touched` contains every
/// key that some query sees. `interior`, a part of it, contains only keys that
/// all queries see.
struct TileKeys {
  KeyRange touched, interior;
};

/// Whether the query at position p sees the key at position t.
bool isVisible(const WindowBounds &window, int64_t p, int64_t t);

/// The keys for queries at positions first..last (inclusive). The visible keys
/// of one query always are one range, so for one query `touched` is exactly
/// what it sees.
TileKeys getTileKeys(const WindowBounds &window, int64_t first, int64_t last,
                     int64_t numKeys);

/// Counts steps of `length` keys each that hold keys of `touched`. The first
/// step starts at `origin`. The keys of `full` steps lie in `interior`; the
/// other steps need a mask.
struct KeySteps {
  int64_t full, edge;
  int64_t getAll() const { return full + edge; }
};
KeySteps countKeySteps(const TileKeys &keys, int64_t origin, int64_t length);

/// How far a query may see before and after its own position. This is the width
/// of the halo if queries and keys are sharded along the sequence, wherever the
/// cuts are. Absent means unbounded.
struct Halo {
  std::optional<int64_t> before, after;
};
Halo getHalo(const WindowBounds &window);

/// Whether queries at positions first..last see all of [0, numKeys).
bool coversAll(const WindowBounds &window, int64_t first, int64_t last,
               int64_t numKeys);

/// The window's lower bound, or its (exclusive) upper bound, for position `p`.
/// `p` is an index or integer value, or a vector of such. Null if unbounded. In
/// a type narrower than 64 bits, bounds saturate, and |p| must be below a
/// quarter of the type's range.
mlir::Value buildLowerBound(mlir::OpBuilder &b, mlir::Location loc,
                            const WindowBounds &window, mlir::Value p);
mlir::Value buildUpperBound(mlir::OpBuilder &b, mlir::Location loc,
                            const WindowBounds &window, mlir::Value p);

/// isVisible as IR, over index or integer values. Null if it is always true.
mlir::Value buildIsVisible(mlir::OpBuilder &b, mlir::Location loc,
                           const WindowBounds &window, mlir::Value p,
                           mlir::Value t);

/// getTileKeys as IR, over index values, for numKeys keys. The first key stands
/// at position keyOrigin (null: 0). The four results are in [0, numKeys], count
/// from keyOrigin, and grow: begin <= interiorBegin <= interiorEnd <= end.
struct TileKeyValues {
  mlir::Value begin, interiorBegin, interiorEnd, end;
};
TileKeyValues buildTileKeys(mlir::OpBuilder &b, mlir::Location loc,
                            const WindowBounds &window, mlir::Value first,
                            mlir::Value last, mlir::Value numKeys,
                            mlir::Value keyOrigin = {});

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_WINDOWGEOMETRY_H
