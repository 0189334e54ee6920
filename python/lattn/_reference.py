"""Attention in NumPy and double precision, by the formula alone. Results of lattn are
compared with it."""

from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

_ROWS = 256  # at a time


def _shown(begin: int, end: int, queries: int, keys: int, left: Optional[int],
           right: Optional[int]) -> tuple[slice, np.ndarray]:
    """The keys that the queries begins..end may see, and which query sees which of
    them. The last query is at the last key."""
    position = np.arange(begin, end) + keys - queries
    low = np.zeros_like(position) if left is None else position - left
    high = np.full_like(position, keys) if right is None else position + right + 1
    span = slice(max(0, low.min()), max(0, min(keys, high.max())))
    key = np.arange(span.start, span.stop)
    return span, (low[:, None] <= key) & (key < high[:, None])


def _blocks(q: np.ndarray, k: np.ndarray, left: Optional[int],
            right: Optional[int]) -> Iterator[tuple[Any, Any, np.ndarray]]:
    """(batch, head and queries; batch, head and keys; weights) of all blocks."""
    batches, heads, queries, size = q.shape
    group = heads // k.shape[1]
    for b, h in np.ndindex(batches, heads):
        for begin in range(0, queries, _ROWS):
            end = min(begin + _ROWS, queries)
            span, shown = _shown(begin, end, queries, k.shape[2], left, right)
            own, other = (b, h, slice(begin, end)), (b, h // group, span)
            scores = q[own] @ k[other].T / np.sqrt(size)
            scores[~shown] = -np.inf
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            yield own, other, weights / weights.sum(axis=-1, keepdims=True)


def attention(q: Any, k: Any, v: Any, left: Optional[int] = None,
              right: Optional[int] = None) -> np.ndarray:
    """The output (B, H, N, D) in f64. Query i sees the keys from p - left to p + right,
    where p = i + M - N. Every query must see a key."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    out = np.empty(q.shape[:3] + v.shape[3:])
    for own, other, weights in _blocks(q, k, left, right):
        out[own] = weights @ v[other]
    return out


def attention_gradients(q: Any, k: Any, v: Any, d_out: Any,
                        left: Optional[int] = None,
                        right: Optional[int] = None) -> list[np.ndarray]:
    """The gradients of q, k and v, where d_out is the gradient of the output."""
    q, k, v, d_out = (x.astype(np.float64) for x in (q, k, v, d_out))
    d_q, d_k, d_v = (np.zeros(x.shape) for x in (q, k, v))
    for own, other, weights in _blocks(q, k, left, right):
        d_v[other] += weights.T @ d_out[own]
        d_weights = d_out[own] @ v[other].T
        d_scores = weights * (d_weights - (weights * d_weights).sum(
            axis=-1, keepdims=True)) / np.sqrt(q.shape[3])
        d_q[own] = d_scores @ k[other]
        d_k[other] += d_scores.T @ q[own]
    return [d_q, d_k, d_v]
