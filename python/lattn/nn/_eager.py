"""Local attention in torch's operations, by the definition in docs/spec.md: for
derivatives that its own kernels do not have, and for changed buffers."""

from __future__ import annotations

from typing import Callable, Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .._local_kernels import Options
from . import _rotary

OWN_SCORE = -5e4  # a token's score for itself under shared_qk


def accumulator(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype == torch.float64 else torch.float32


def _rotate(queries: Tensor, keys: Tensor, o: Options, inv_freq: Optional[Tensor],
            scales: Optional[Tensor]) -> tuple[Tensor, Tensor]:
    """Rotates keys by their slots, and queries by the last slots, in every block."""
    at = torch.arange(o.slots, device=keys.device)
    cos, sin, scale = _rotary.tables(at, o.dim, o.theta, o.rotary_base,
                                     o.slots // 2, keys.dtype, inv_freq, scales)
    keys = _rotary.turn(keys, cos / scale, sin / scale)
    block = slice(-o.call_window_size, None)
    cos, sin = cos * scale, sin * scale
    return _rotary.turn(queries, cos[block], sin[block]), keys


def _hidden(at: Tensor, slot: Tensor, outside: Tensor, o: Options) -> Tensor:
    """(blocks, W, slots): which slots a query does not see, without masks."""
    p, t = at[:, :, None], slot[:, None, :]
    hidden = outside[:, None, :].expand(-1, o.call_window_size, -1)
    if o.causal:
        hidden = hidden | (t > p)
    if o.exact_windowsize:
        hidden = hidden | (p > t + o.window_size * o.look_backward)
        if not o.causal:
            hidden = hidden | (t > p + o.window_size * o.look_forward)
    return hidden


def _look_around(x: Tensor, padding: float, o: Options) -> Tensor:
    """(B, H, N, ...) to (B, H, blocks, slots, ...). It does not use indices, because
    their backward pass is slow."""
    window, ahead = o.call_window_size, o.look_forward
    count = x.shape[2] // window
    x = F.pad(x, (0, 0, o.look_backward * window, ahead * window), value=padding)
    blocks = x.unflatten(2, (-1, window))
    return torch.cat([blocks[:, :, i:i + count]
                      for i in range(o.look_backward + 1 + ahead)], dim=3)


@torch.autocast("cpu", enabled=False)
def local_attention(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
                    bias: Optional[Tensor], inv_freq: Optional[Tensor],
                    scales: Optional[Tensor], o: Options,
                    drop: Optional[Callable[..., Tensor]] = None,
                    rotate: Optional[Callable[..., tuple[Tensor, Tensor]]] = None
                    ) -> Tensor:
    """q, k, v (B, H, N, ...), mask (B, N), bias (Hb, W or 1, slots or 1);
    inv_freq and scales are buffers of SinusoidalEmbeddings.
    drop(weights, p, t) is applied to the weights (B, H, blocks, W, slots), and
    rotate(queries, keys) instead of the buffers to what has these axes."""
    length = q.shape[2]
    total, window = o.padded(length), o.call_window_size
    result = q.dtype
    extend = (0, 0, 0, total - length)
    q, k, v = (F.pad(x.to(accumulator(result)), extend) for x in (q, k, v))
    if o.shared_qk:
        k = F.normalize(k, dim=-1)
    at = torch.arange(total, device=q.device).view(-1, window)
    slot = (at[:, :1] - o.look_backward * window
            + torch.arange(o.slots, device=q.device))
    outside = (slot < 0) | (slot >= total)
    queries = q.unflatten(2, (-1, window)) * o.scale
    keys, values = (_look_around(x, -1.0, o) for x in (k, v))
    if rotate is not None:
        queries, keys = rotate(queries, keys)
    elif o.dim:
        queries, keys = _rotate(queries, keys, o, inv_freq, scales)
    taken = None
    if mask is not None:
        taken = F.pad(mask, (0, total - length))[:, None, :, None]
        taken = _look_around(taken, False, o)[:, 0, :, :, 0]
    out = _weigh(queries, keys, values, taken, bias, at, slot, outside, o, drop)
    return out.flatten(2, 3)[:, :, :length].to(result)


def _weigh(queries: Tensor, keys: Tensor, values: Tensor, taken: Optional[Tensor],
           bias: Optional[Tensor], at: Tensor, slot: Tensor, outside: Tensor,
           o: Options, drop: Optional[Callable[..., Tensor]]) -> Tensor:
    """Attention with all weights in memory."""
    batches, heads = queries.shape[:2]
    scores = queries @ keys.transpose(-1, -2)
    if bias is not None:
        row = torch.arange(batches * heads, device=queries.device)
        bias = bias.to(scores.dtype)[row % bias.shape[0]]
        scores = scores + bias.unflatten(0, (-1, heads))[:, :, None]
    if o.shared_qk:
        own = (at[:, :, None] == slot[:, None, :]) & ~outside[:, None, :]
        scores = scores.masked_fill(own, OWN_SCORE)
    hidden = _hidden(at, slot, outside, o)
    if taken is not None:
        hidden = hidden | ~taken[:, None, :, None, :]
    # Not -inf: a row of which all is hidden is the mean over its slots.
    scores = scores.masked_fill(hidden, -torch.finfo(scores.dtype).max)
    weights = scores.softmax(dim=-1)
    if drop is not None:
        weights = drop(weights, at[:, :, None], slot[:, None, :])
    return weights @ values
