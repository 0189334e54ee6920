"""Dropout of weights: its seed, and what kernels do by it, in torch."""

from __future__ import annotations

from typing import Callable

import torch
from torch import Tensor

from . import _philox


def draw_seed() -> Tensor:
    """From torch's generator; a tensor, which compiled programs can draw."""
    return torch.randint(-2**63, 2**63 - 1, (), dtype=torch.int64)


def drop(weights: Tensor, p: float, seed: Tensor, row: Tensor, query: Tensor,
         key: Tensor) -> Tensor:
    kept = _philox.keep(seed, p, row, query, key)
    if p >= 1:
        return weights * 0.0
    return torch.where(kept, weights / (1 - p), 0.0)


def weights(stored: Tensor, p: float, seed: Tensor) -> Tensor:
    """What kernels make of weights (B, H, N, M)."""
    batches, heads, queries, keys = stored.shape
    rows = torch.arange(batches * heads, device=stored.device)
    return drop(stored, p, seed, rows.view(batches, heads, 1, 1),
                torch.arange(queries, device=stored.device)[:, None],
                torch.arange(keys, device=stored.device))


def in_blocks(q: Tensor, p: float, seed: Tensor) -> Callable[..., Tensor]:
    """What local attention's kernels make of weights (B, H, blocks, W, slots), of
    these, their queries and their keys."""
    batches, heads = q.shape[:2]
    rows = torch.arange(batches * heads, device=q.device)
    rows = rows.view(batches, heads, 1, 1, 1)
    return lambda stored, at, slot: drop(stored, p, seed, rows, at, slot)
