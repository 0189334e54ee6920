"""The workloads: shapes, windows and arrays."""

from __future__ import annotations

import dataclasses
from typing import Optional

import numpy as np

from .. import _reference


@dataclasses.dataclass(frozen=True)
class Workload:
    """A workload in f32 of (batches, heads, positions, size). The last query is at the
    last key."""

    name: str
    what: str
    queries: int
    keys: int
    heads: int = 8
    kv_heads: int = 8
    size: int = 64
    left: Optional[int] = None   # keys before the query's own; None: all
    causal: bool = False         # none after it
    gradients: bool = False      # of query, key and value, with the forward pass
    weight: int = 1              # of its part of the time

    @property
    def right(self) -> Optional[int]:
        return 0 if self.causal else None

    @property
    def is_causal_square(self) -> bool:
        """Whether causality alone hides keys."""
        return self.causal and self.left is None and self.queries == self.keys

    def mask(self) -> Optional[np.ndarray]:
        """(queries, keys), True where the query sees the key; None if all are visible.
        """
        if not self.causal and self.left is None:
            return None
        position = np.arange(self.queries)[:, None] + self.keys - self.queries
        behind = position - np.arange(self.keys)
        shown = behind >= 0 if self.causal else np.ones_like(behind, bool)
        return shown if self.left is None else shown & (behind <= self.left)

    def flops(self) -> int:
        """Operations of visible pairs: two products forward, five backward."""
        mask = self.mask()
        pairs = self.queries * self.keys if mask is None else int(mask.sum())
        products = 7 if self.gradients else 2
        return 2 * products * self.heads * self.size * pairs

    def make_arrays(self) -> list[np.ndarray]:
        """query, key and value, and with gradients also the gradient of the output."""
        random = np.random.default_rng(0)
        shapes = [(1, self.heads, self.queries, self.size),
                  *[(1, self.kv_heads, self.keys, self.size)] * 2]
        if self.gradients:
            shapes.append(shapes[0])
        return [random.standard_normal(shape, np.float32) for shape in shapes]

    def expect(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """The results in f64."""
        if self.gradients:
            return _reference.attention_gradients(*arrays, self.left, self.right)
        return [_reference.attention(*arrays, self.left, self.right)]


# The quick ones come first: time that they leave is for those that follow.
WORKLOADS = {workload.name: workload for workload in (
    Workload("full", "each of 1,024 queries sees all keys; 8 heads of 64", 1024, 1024),
    Workload("causal", "each of 2,048 queries sees all keys up to its own; 8 heads "
             "of 64", 2048, 2048, causal=True),
    Workload("decode", "one query over 8,192 keys; 32 heads of 128 over 8 of keys",
             1, 8192, heads=32, kv_heads=8, size=128),
    Workload("window", "each of 4,096 queries sees the 256 keys before its own; 8 "
             "heads of 64", 4096, 4096, left=256, causal=True, weight=2),
    Workload("window-gradients", "the same with gradients of query, key and value",
             4096, 4096, left=256, causal=True, gradients=True, weight=3),
)}
