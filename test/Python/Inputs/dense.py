"""Attention of torch's operations, which autograd differentiates."""

import numpy as np
import torch

import lattn
import oracle

F64 = torch.float64


def dense(q, k, v, *, layout="bhnd", window=None, causal=False, scale=None,
          bias=None, key_mask=None, attn_mask=None, kv_lengths=None, offset=None,
          softcap=0.0, sink=None, score_mod=None, mask_mod=None, q_segments=None,
          kv_segments=None, dropout_p=0.0, seed=0):
    """(output, lse), of torch's operations."""
    if layout == "bnhd":
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    (b, h, n, d), m = q.shape, k.shape[2]
    k, v = (x.repeat_interleave(h // k.shape[1], 1) for x in (k, v))
    s = q @ k.mT * (d**-0.5 if scale is None else scale)
    if softcap:
        s = softcap * torch.tanh(s / softcap)
    at = [torch.as_tensor(x) for x in np.ix_(*map(range, (b, h, n, m)))]
    if score_mod is not None:
        s = score_mod(s, *at)
    hidden = torch.zeros(b, h, n, m, dtype=torch.bool)
    if mask_mod is not None:
        hidden |= ~mask_mod(*at)
    if q_segments is not None:
        hidden |= q_segments[:, None, :, None] != kv_segments[:, None, None]
    for x in (bias, attn_mask):
        if x is not None and x.dtype == torch.bool:
            hidden |= ~x
        elif x is not None:
            s = s + x
    if key_mask is not None:
        hidden |= ~key_mask[:, None, None]
    lengths = torch.full((b,), m) if kv_lengths is None else kv_lengths
    hidden |= torch.arange(m) >= lengths[:, None, None, None]
    starts = torch.as_tensor(lengths - n if offset is None else offset)
    for row, start in enumerate(starts.expand(b).tolist()):
        w = window if isinstance(window, lattn.Window) else lattn.Window(
            *(window or (None, None)))
        hidden[row] |= ~torch.as_tensor(oracle.visible(
            n, m, start, (w.left, w.right, w.bucket, w.back, w.forward), causal))
    s = s.masked_fill(hidden, -torch.inf)
    if sink is not None:
        s = torch.cat((s, sink[:, None, None].expand(b, h, n, 1)), -1)
    # No NaN among the gradients of rows without keys.
    empty = (s == -torch.inf).all(-1)
    lse = s.masked_fill(empty[..., None], 0).logsumexp(-1)
    w = (s - lse[..., None]).exp()[..., :m]
    lse = lse.masked_fill(empty, -torch.inf)
    if dropout_p:
        w = w * torch.as_tensor(oracle.dropout_factor(
            dropout_p, seed, (b, h, n, m)))
    out = w @ v
    return (out.transpose(1, 2) if layout == "bnhd" else out), lse


def inputs(n=7, m=9, d=8, dv=8, h=4, hkv=2, b=2, layout="bhnd"):
    torch.manual_seed(n + m + d)
    sizes = (h, n, d), (hkv, m, d), (hkv, m, dv)
    if layout == "bnhd":
        sizes = tuple((y, x, z) for x, y, z in sizes)
    return [torch.randn(b, *size, dtype=F64) for size in sizes]


def leaf(x, dtype=None):
    return x.detach().to(dtype or x.dtype).clone().requires_grad_()
