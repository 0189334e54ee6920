"""The package's cached step as it is released, for upstream_cache=True. It rotates keys
anew at every step, and ignores qk_scale, shared_qk and part of the window."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor

from ._errors import require
from .embeddings import apply_rotary_pos_emb
from .local_attention import LocalAttention


def step(q: Tensor, k: Tensor, v: Tensor, cache: Tensor, bias: Optional[Tensor],
         attention: LocalAttention) -> tuple[Tensor, Tensor]:
    """q, k, v (B, H, 1, D) to (output, new cache)."""
    q = q * q.shape[-1] ** -0.5
    k = torch.cat((cache[0], k), dim=-2)
    v = torch.cat((cache[1], v), dim=-2)
    span = attention.look_backward * attention.window_size
    if attention.exact_windowsize:
        first = -(span + 1)
    else:
        first = -(span + k.shape[-2] % attention.window_size)
    k, v = k[..., first:, :], v[..., first:, :]
    if attention.rel_pos is not None:
        angle, scale = attention.rel_pos(k)
        q, k = apply_rotary_pos_emb(q, k, angle, scale=scale)
    scores = q @ k.transpose(-1, -2)
    if bias is not None:
        bias = bias[..., -1:, -k.shape[-2]:]
        require(bias.shape[-1] == scores.shape[-1])
        scores = scores + bias
    out = scores.softmax(dim=-1) @ v.to(scores.dtype)
    return out, torch.stack((k, v.to(k.dtype)))
