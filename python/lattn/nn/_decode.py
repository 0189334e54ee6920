"""One position against a cache. It computes what the whole sequence would give for this
position."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _builder, _kernels
from .._builder import array
from .._checks import element
from .._local_kernels import Options
from . import _cache, _eager, _ops, _rotary, _transforms
from ._errors import require

# inv_freq and scale of SinusoidalEmbeddings, as far as they are used.
Buffers = tuple[Optional[Tensor], Optional[Tensor]]


def _text(score: str, value: str, size: int, value_size: int, biased: bool,
          scale: float) -> str:
    """The text of the kernel. query and key have the type `score`."""
    head = array(score, None, None, None, size)
    operands = {"query": head, "key": head,
                "value": array(value, None, None, None, value_size)}
    if biased:
        operands["bias"] = array(_builder.accumulator(score), None, None, 1,
                                 None)
    return _builder.attention(
        "attention", operands,
        {"output": array(value, None, None, 1, value_size)},
        _builder.attributes(scale=scale))


def _pick_bias(bias: Tensor, o: Options, position: Optional[int], rows: int,
               batches: int, heads: int) -> Tensor:
    """The bias (B, H, 1, rows) of the query's row. If its position is not known, the
    bias is taken to depend on distances only."""
    window = o.window_size
    last = window - 1 if position is None else position % window
    require(bias.shape[1] in (1, window) and bias.shape[2] in (1, o.slots))
    row = bias[:, min(last, bias.shape[1] - 1)]
    if row.shape[1] != 1:
        end = o.look_backward * window + last + 1
        row = row[:, end - rows:end]
    at = torch.arange(batches * heads, device=bias.device) % bias.shape[0]
    return row[at].view(batches, heads, 1, -1).expand(-1, -1, -1, rows)


def _own_score(bias: Optional[Tensor], like: Tensor) -> Tensor:
    """The bias, with the query's score for itself in the last column."""
    if bias is None:
        bias = like.new_zeros(*like.shape[:2], 1, like.shape[2])
    return torch.cat((bias[..., :-1], torch.full_like(bias[..., -1:],
                                                      _eager.OWN_SCORE)), -1)


def _attend(q: Tensor, ring: _cache.Ring, cache: Tensor,
            bias: Optional[Tensor], o: Options) -> Tensor:
    keys = ring.keys[:, :, ring.end - cache.shape[3]:ring.end]
    if o.shared_qk:
        keys = F.pad(keys[:, :, :-1], (0, 0, 0, 1))
        bias = _own_score(bias, keys)
    q, values = ring.query(q), cache[1]
    out = values.new_empty(*q.shape[:3], values.shape[3])
    operands = dict(query=q, key=keys, value=values)
    if bias is not None:
        operands["bias"] = bias
    kernel = _kernels.get(_text, element(q), element(values),
                          q.shape[3], values.shape[3], bias is not None, o.scale)
    _ops.call(kernel, **operands, output=out)
    return out


@torch.autocast("cpu", enabled=False)
def _attend_eagerly(q: Tensor, cache: Tensor, bias: Optional[Tensor],
                    o: Options, buffers: Buffers) -> Tensor:
    kind = _eager.accumulator(q.dtype)
    result = q.dtype
    q, k, v = q.to(kind) * o.scale, cache[0].to(kind), cache[1].to(kind)
    if o.shared_qk:
        k = F.normalize(k, dim=-1)
    if o.dim:
        rows = k.shape[2]
        cos, sin, scale = _rotary.tables(
            torch.arange(rows, device=q.device), o.dim, o.theta, o.rotary_base,
            rows // 2, kind, *buffers)
        q = _rotary.turn(q, (cos * scale)[-1:], (sin * scale)[-1:])
        k = _rotary.turn(k, cos / scale, sin / scale)
    scores = q @ k.transpose(-1, -2)
    if bias is not None:
        scores = scores + bias
    if o.shared_qk:
        own = torch.full_like(scores[..., -1:], _eager.OWN_SCORE)
        scores = torch.cat((scores[..., :-1], own), dim=-1)
    return (scores.softmax(dim=-1) @ v).to(result)


def _check(cache: Tensor, k: Tensor) -> None:
    expected = (2, *k.shape[:2], cache.shape[3], k.shape[3])
    if cache.shape != expected or cache.dtype != k.dtype:
        raise RuntimeError(f"cache: expected the shape {expected} of {k.dtype}, "
                           f"got {tuple(cache.shape)} of {cache.dtype}")


def step(q: Tensor, k: Tensor, v: Tensor, cache: Tensor,
         bias: Optional[Tensor], o: Options, buffers: Buffers
         ) -> tuple[Tensor, Tensor]:
    """q, k, v (B, H, 1, D) to (output, new cache)."""
    _check(cache, k)
    rows, seen = _cache.count(cache, o)
    if bias is not None:
        known = (_cache.get_state(cache) or not o.exact_windowsize
                 or cache.shape[3] < _cache.longest(o))
        bias = _pick_bias(bias, o, seen - 1 if known else None, rows,
                          *q.shape[:2]).to(_eager.accumulator(q.dtype))
    traced = [q, k, v, cache] + ([] if bias is None else [bias])
    if (_transforms.are_active()
            or torch.is_grad_enabled() and any(x.requires_grad for x in traced)
            or not _rotary.are_expected(o.dim, o.theta, *buffers)):
        new = _cache.append_by_copy(cache, k, v, rows, seen)
        return _attend_eagerly(q, new, bias, o, buffers), new
    ring = _cache.get_ring(cache, rows, o)
    ring.append(k, v)
    new = ring.view(rows, seen)
    if not _cache.has_finite_scales(o):
        return _attend_eagerly(q, new, bias, o, buffers), new
    return _attend(q, ring, new, bias, o), new
