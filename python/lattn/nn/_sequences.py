"""Packed sequences among the arrays of lattn.attention's operator."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from torch import Tensor

PLACES = {"q": 12, "k": 13}  # of cu_seqlens among the arrays


def _get_longest(borders: Tensor) -> int:
    return int(borders.diff().max()) if len(borders) > 1 else 0


def get_operands(arrays: Sequence[Optional[Tensor]]) -> dict[str, Any]:
    """The kernel's operands for sequences, by name."""
    found: dict[str, Any] = {}
    for side, place in PLACES.items():
        borders = arrays[place]
        if borders is not None:
            found[f"cu_seqlens_{side}"] = borders
            found[f"max_seqlen_{side}"] = _get_longest(borders)
    return found


def get_extents(arrays: Sequence[Any], layout: str) -> tuple[int, int, int, int]:
    """B, H, N and M, as lattn.attention defines them."""
    q, k = arrays[:2]
    h, n = (1, 2) if layout == "bhnd" else (2, 1)
    b, rows, keys = q.shape[0], q.shape[n], k.shape[n]
    queries_of, keys_of = (arrays[place] for place in PLACES.values())
    if queries_of is not None:
        b, rows = len(queries_of) - 1, _get_longest(queries_of)
    if keys_of is not None:
        keys = _get_longest(keys_of)
    return b, q.shape[h], rows, keys
