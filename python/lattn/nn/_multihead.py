"""lattn::multihead_attention, a torch operator over `lattn.attention`, and its
weights in torch's operations.

Scores are q k^T, finite (NaN to 0, infinities to the largest numbers) if asked,
plus bias, -inf where key_mask is false, rounded to float32. A row of which all
are -inf is NaN."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _multihead_kernels
from . import _dropout, _eager, _gradients, _library, _ops


def weights(q: Tensor, k: Tensor, bias: Optional[Tensor],
            key_mask: Optional[Tensor], finite: bool) -> Tensor:
    """(B, H, N, M), stored."""
    scores = q @ k.transpose(-1, -2)
    if finite:
        scores = torch.nan_to_num(scores)
    if bias is not None:
        scores = scores + bias.to(scores.dtype)
    if key_mask is not None:
        scores = scores.masked_fill(~key_mask[:, None, None, :], float("-inf"))
    return F.softmax(scores, dim=-1, dtype=torch.float32).type_as(q)


@_library.operator("multihead_attention")
def attention(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
              key_mask: Optional[Tensor], seed: Optional[Tensor],
              finite: bool, p: float) -> Tensor:
    """q (B, H, N, D), k and v (B, H, M, D), bias broadcastable to (B, H, N, M),
    key_mask (B, M); with a seed, dropout of p."""
    check = _ops.check_shape
    check("q", q, None, None, None, None)
    check("k", k, *q.shape[:2], None, q.shape[3])
    check("v", v, *k.shape[:3], None)
    check("key_mask", key_mask, q.shape[0], k.shape[2])
    out = _ops.empty_output(q, v.shape[3])
    if out.numel() == 0:
        return out
    acc = _eager.accumulator(q.dtype)
    if bias is not None:
        bias = bias.to(acc).expand(*q.shape[:3], k.shape[2])
    lse = q.new_empty(q.shape[:3], dtype=acc)
    _multihead_kernels.run(
        *_ops.detach(q, k, v, bias, key_mask), finite, out, lse, p,
        None if seed is None else seed.item())
    if (bias is not None or key_mask is not None) and k.shape[2]:
        out.masked_fill_(lse.isneginf()[..., None], float("nan"))
    return out


@_library.fake("multihead_attention")
def _(q, k, v, bias, key_mask, seed, finite, p):
    return _ops.empty_output(q, v.shape[3])


def _recompute(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
               key_mask: Optional[Tensor], seed: Optional[Tensor],
               finite: bool, p: float) -> Tensor:
    """lattn::multihead_attention in torch's operations."""
    stored = weights(q, k, bias, key_mask, finite)
    if seed is not None:
        stored = _dropout.weights(stored, p, seed)
    return stored @ v


def _setup(ctx, inputs, output) -> None:
    _gradients.warn()
    ctx.save_for_backward(*inputs[:6])
    ctx.options = inputs[6:]


def _backward(ctx, grad):
    tensors = ctx.saved_tensors
    grads = _gradients.recompute(
        lambda *tensors: _recompute(*tensors, *ctx.options), tensors,
        ctx.needs_input_grad[:6], grad)
    return (*grads, None, None)


_library.derivatives("multihead_attention", _setup, _backward, _recompute)
