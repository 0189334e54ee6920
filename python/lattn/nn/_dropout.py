"""Dropout of weights: its seed, what it does, and LocalAttention's, which runs on
scores that torch stores: `lattn.local_attention` has none yet."""

from __future__ import annotations

import functools
import warnings
from typing import Optional

import torch
from torch import Tensor

from .._local_kernels import Options
from . import _eager, _philox


@functools.cache
def _warn() -> None:
    warnings.warn("lattn.nn.LocalAttention: dropout runs on scores that torch "
                  "stores, slowly; its kernels do not have it yet",
                  stacklevel=2)


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


def local_attention(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
                    bias: Optional[Tensor], o: Options, p: float) -> Tensor:
    if not torch.compiler.is_compiling():
        _warn()
    seed = draw_seed()
    batches, heads = q.shape[:2]
    rows = torch.arange(batches * heads, device=q.device)
    rows = rows.view(batches, heads, 1, 1, 1)
    return _eager.local_attention(
        q, k, v, mask, bias, o,
        lambda stored, at, slot: drop(stored, p, seed, rows, at, slot))
