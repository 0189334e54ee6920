"""lattn::multihead_attention, a torch operator over `lattn.attention`, and its
weights in torch's operations.

Scores are q k^T, finite (NaN to 0, infinities to the largest numbers) if asked,
plus bias, -inf where key_mask is false, rounded to float32. A row of which all
are -inf is NaN."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _multihead_kernels
from .._derived import Call
from . import _derivatives, _dropout, _eager, _library, _ops
from ._derivatives import Tensors
from ._module_kernels import BIAS, AttentionKernels, pad
from ._recorded import Operators, Recorded


def weights(q: Tensor, k: Tensor, bias: Optional[Tensor],
            key_mask: Optional[Tensor], finite: bool) -> Tensor:
    """The weights (B, H, N, M)."""
    scores = q @ k.transpose(-1, -2)
    if finite:
        scores = torch.nan_to_num(scores)
    if bias is not None:
        scores = scores + bias.to(scores.dtype)
    if key_mask is not None:
        scores = scores.masked_fill(~key_mask[:, None, None, :], float("-inf"))
    return F.softmax(scores, dim=-1, dtype=torch.float32).type_as(q)


@_library.operator("multihead_attention")
def _attention(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
               key_mask: Optional[Tensor], seed: Optional[Tensor],
               finite: bool, p: float) -> tuple[Tensor, Tensor]:
    """The output and the log-sum-exp."""
    check = _ops.check_shape
    check("q", q, None, None, None, None)
    check("k", k, *q.shape[:2], None, q.shape[3])
    check("v", v, *k.shape[:3], None)
    check("key_mask", key_mask, q.shape[0], k.shape[2])
    out, lse = _empty(q, v)
    if out.numel() == 0:
        return out, lse
    _multihead_kernels.call(
        *_ops.detach(q, k, v, _expand(bias, q, k), key_mask), finite, p,
        _ops.item(seed)).run(output=out, lse=lse)
    if (bias is not None or key_mask is not None) and k.shape[2]:
        out.masked_fill_(lse.isneginf()[..., None], float("nan"))
    return out, lse


def _expand(bias: Optional[Tensor], q: Tensor, k: Tensor) -> Optional[Tensor]:
    if bias is None:
        return None
    acc = _eager.accumulator(q.dtype)
    return bias.to(acc).expand(*q.shape[:3], k.shape[2])


def _empty(q: Tensor, v: Tensor, *others: Any) -> tuple[Tensor, Tensor]:
    return (_ops.empty_output(q, v.shape[3]),
            q.new_empty(q.shape[:3], dtype=_eager.accumulator(q.dtype)))


@_library.fake("multihead_attention")
def _(q, k, v, *others):
    return _empty(q, v)


def attention(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
              key_mask: Optional[Tensor], seed: Optional[Tensor], finite: bool,
              p: float) -> Tensor:
    """q (B, H, N, D), k and v (B, H, M, D), bias broadcastable to (B, H, N, M),
    key_mask (B, M). With a seed, p is the probability of dropout."""
    return _attention(q, k, v, bias, key_mask, seed, finite, p)[0]


def _spoil(gradients: Sequence[Tensor], empty: Tensor,
           key_mask: Optional[Tensor]) -> None:
    """Sets rows without weights to NaN, and the gradients of all that they read. Scores
    that key_mask hides are constant."""
    keys = gradients[1].shape[2]
    visible = (empty.new_ones(len(empty), keys) if key_mask is None
               else key_mask)
    of_pairs = empty[..., None] & visible[:, None, None]
    for x, where in zip(gradients, (
            of_pairs.any(3)[..., None], of_pairs.any(2)[..., None],
            empty.any(2)[..., None, None])):
        x.masked_fill_(where, torch.nan)
    for x in gradients[3:]:
        x.masked_fill_(of_pairs, torch.nan)


class _Kernels(AttentionKernels):
    name = "lattn.nn.MultiheadAttention"

    def __init__(self, finite: bool, p: float) -> None:
        self.finite, self.p = finite, p

    def call(self, tensors: Tensors) -> Call:
        q, k, v, bias, key_mask, seed = tensors
        return _multihead_kernels.call(
            *_ops.detach(q, k, v, _expand(bias, q, k), key_mask), self.finite,
            self.p, _ops.item(seed))

    def make_results(self, tensors: Tensors) -> list[Tensor]:
        return list(_empty(tensors[0], tensors[2]))

    def read_bias(self, bias: Tensor, tensors: Tensors) -> Tensor:
        return _expand(bias, *tensors[:2])

    def pull_back(self, tensors: Tensors, kept: Sequence[Tensor], grad: Tensor,
                  needed: Sequence[bool]) -> list[Optional[Tensor]]:
        q, k, v, bias, key_mask, _ = tensors
        found = _make_gradients(tensors, needed[BIAS])
        if 0 in (*q.shape, *k.shape, v.shape[3]):
            return pad([x.zero_() for x in found], tensors)
        out, lse = kept
        gradients = found[:3]
        if needed[BIAS]:
            gradients.append(torch.empty_like(
                _expand(bias, q, k), memory_format=torch.contiguous_format))
        empty = lse.isneginf()
        if empty.any():
            out = out.masked_fill(empty[..., None], 0.0)
        names = "d_query", "d_key", "d_value", "d_bias"
        self.call(tensors).pull_back(dict(
            zip(names, gradients), output=out, lse=lse, d_output=grad,
            d_lse=torch.zeros_like(lse)))
        if empty.any():
            _spoil(gradients, empty, key_mask)
        if needed[BIAS]:
            found[3].copy_(gradients[3].sum_to_size(bias.shape))
        return pad(found, tensors)

    def push_forward(self, tensors: Tensors, tangents: Tensors) -> Tensor:
        return self._spoil_rows(tensors, super().push_forward(tensors, tangents))

    def push_forward_twice(self, tensors: Tensors, *tangents: Tensors) -> Tensor:
        return self._spoil_rows(
            tensors, super().push_forward_twice(tensors, *tangents))

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> list[Optional[Tensor]]:
        *found, of_grad = super().pull_back_twice(tensors, grad, cotangents, needed)
        empty = self._find_empty(tensors)
        if empty is not None:
            _spoil([x for x in found if x is not None], empty, tensors[4])
            of_grad.masked_fill_(empty[..., None], torch.nan)
        if needed[3]:
            bias = tensors[3]
            found[3] = found[3].sum_to_size(bias.shape).to(bias.dtype)
        return [*found, of_grad]

    def _find_empty(self, tensors: Tensors) -> Optional[Tensor]:
        """Rows without weights, if there are any."""
        _, keys, _, bias, key_mask, _ = tensors
        if bias is None and key_mask is None or not keys.shape[2]:
            return None
        empty = _attention(*tensors, self.finite, self.p)[1].isneginf()
        return empty if empty.any() else None

    def _spoil_rows(self, tensors: Tensors, out: Tensor) -> Tensor:
        empty = self._find_empty(tensors)
        return out if empty is None else out.masked_fill_(empty[..., None],
                                                          torch.nan)


def _make_empty(tensors: Tensors) -> Tensor:
    return _ops.empty_output(tensors[0], tensors[2].shape[3])


def _make_gradients(tensors: Tensors, by_bias: bool) -> list[Tensor]:
    arrays = [_ops.empty_output(x, x.shape[3]) for x in tensors[:3]]
    return [*arrays, torch.empty_like(tensors[BIAS])] if by_bias else arrays


class _Recorded(Recorded):
    name = _Kernels.name
    def compute(self, tensors: Tensors) -> tuple[Tensor, ...]:
        return _attention(*tensors, *self.options)


_Recorded.operators = Operators(
    "multihead_attention", "bool finite, float p",
    lambda _, *options: _Kernels(*options), lambda _, *options: _Recorded(*options),
    _make_empty, _make_gradients)


def _recompute(q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
               key_mask: Optional[Tensor], seed: Optional[Tensor],
               finite: bool, p: float) -> Tensor:
    """lattn::multihead_attention in torch's operations."""
    stored = weights(q, k, bias, key_mask, finite)
    if seed is not None:
        stored = _dropout.weights(stored, p, seed)
    return stored @ v


def _apply_rules(*arguments: Any) -> tuple[Tensor, ...]:
    """lattn::multihead_attention by functions that have derivatives."""
    return _derivatives.compute(_Recorded(*arguments[6:]), arguments[:6])


_library.rules("multihead_attention", _apply_rules)
