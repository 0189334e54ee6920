"""Dropout of weights: its seed, and the dropout of kernels in torch's operations."""

from __future__ import annotations

from typing import Callable

import torch
from torch import Tensor

from . import _philox


def draw_seed() -> Tensor:
    """Draws a seed from torch's generator, as a tensor, which compiled programs can
    draw."""
    return torch.randint(-2**63, 2**63 - 1, (), dtype=torch.int64)


def drop(weights: Tensor, p: float, seed: Tensor, row: Tensor, query: Tensor,
         key: Tensor) -> Tensor:
    kept = _philox.keep(seed, p, row, query, key)
    if p >= 1:
        return weights * 0.0
    return torch.where(kept, weights / (1 - p), 0.0)


def weights(stored: Tensor, p: float, seed: Tensor) -> Tensor:
    """Weights (B, H, N, M) after the dropout that kernels apply."""
    batches, heads, queries, keys = stored.shape
    rows = torch.arange(batches * heads, device=stored.device)
    return drop(stored, p, seed, rows.view(batches, heads, 1, 1),
                torch.arange(queries, device=stored.device)[:, None],
                torch.arange(keys, device=stored.device))


def in_blocks(q: Tensor, p: float, seed: Tensor) -> Callable[..., Tensor]:
    """Weights (B, H, blocks, W, slots) of these queries and keys after the dropout that
    local attention's kernels apply."""
    batches, heads = q.shape[:2]
    rows = torch.arange(batches * heads, device=q.device)
    rows = rows.view(batches, heads, 1, 1, 1)
    return lambda stored, at, slot: drop(stored, p, seed, rows, at, slot)
