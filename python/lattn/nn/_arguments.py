"""Checks the arguments of LocalAttention.forward as the package checks them, and
converts them to the axes of `lattn.local_attention`."""

from __future__ import annotations

import math
from typing import NamedTuple, Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _autocast
from .._checks import integer
from .._local_kernels import Options
from . import _eager
from ._errors import EinopsError, require, require_cpu


class Arguments(NamedTuple):
    q: Tensor  # (B, H, N, D); k and v alike
    k: Tensor
    v: Tensor
    mask: Optional[Tensor]  # (B, N)
    bias: Optional[Tensor]  # (Hb, W or 1, slots or 1), H a multiple of Hb


def check_ranks(*tensors: Tensor) -> None:
    for x in tensors:
        if x.dim() < 2:
            raise EinopsError(
                f"packed tensor #0 (enumeration starts with 0) has shape "
                f"{x.shape}, while pattern * n d assumes at least 2 axes")


def check_options(o: Options) -> None:
    """Refuses options that kernels do not support, although the package takes them or
    fails otherwise."""
    for name, least, most in [("window_size", 0, 2**30),
                              ("call_window_size", 0, 2**30),
                              ("look_backward", 0, 256),
                              ("look_forward", 0, 256)]:
        integer(name, getattr(o, name), least, most)
    if o.call_window_size == 0 or o.autopad and o.window_size == 0:
        raise ZeroDivisionError("window_size: expected at least 1, got 0")
    if not math.isfinite(o.scale):
        raise ValueError(f"scale: expected a finite number, got {o.scale}")


def unify(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, ...]:
    """Converts arrays to one type under autocast, where norms give float32."""
    return _autocast.cast(q, k, v) if _autocast.is_on() else (q, k, v)


def _check_sequences(q: Tensor, k: Tensor, v: Tensor, o: Options) -> None:
    require_cpu("q", q.device)
    length = o.padded(q.shape[-2])
    if length % o.call_window_size:
        raise AssertionError(
            f"sequence length {length} must be divisible by window size "
            f"{o.call_window_size} for local attention")
    if length == 0:
        raise RuntimeError("q: expected a sequence of at least 1, got 0")
    for name, x in (("k", k), ("v", v)):
        if x.device != q.device:
            raise RuntimeError(f"{name}: expected a tensor on q's device "
                               f"{q.device}, got one on {x.device}")
        if x.dtype != q.dtype:
            raise RuntimeError(f"{name}: expected elements of q's type "
                               f"{q.dtype}, got {x.dtype}")
        if o.padded(x.shape[-2]) != length:
            raise RuntimeError(f"{name}: expected a sequence of q's length "
                               f"{q.shape[-2]}, got {x.shape[-2]}")
    if k.shape[-1] != q.shape[-1]:
        raise RuntimeError(f"k: expected heads of q's size {q.shape[-1]}, got "
                           f"{k.shape[-1]}")
    turned = o.dim + o.dim % 2
    if o.dim and turned != q.shape[-1]:
        raise RuntimeError(
            f"The size of tensor a ({q.shape[-1]}) must match the size of "
            f"tensor b ({turned}) at non-singleton dimension 3")


def _check_mask(mask: Tensor, rows: int, o: Options, length: int) -> Tensor:
    if mask.dtype != torch.bool:
        raise RuntimeError(f"mask: expected elements of bool, got {mask.dtype}")
    if mask.dim() < 1:
        raise EinopsError(f"mask: expected the shape (batch, {length}), got ()")
    require(rows % mask.shape[0] == 0 if mask.shape[0] else rows == 0)
    if mask.dim() == 3 and mask.shape[1] == 1:
        mask = mask[:, 0]
    total, window = o.padded(length), o.call_window_size
    given = mask.shape[-1]
    if o.autopad:
        given = -(-given // window) * window
    if mask.dim() != 2 or given != total:
        raise EinopsError(f"mask: expected the shape (batch, {length}), got "
                          f"{tuple(mask.shape)}")
    return mask


def _check_bias(bias: Tensor, rows: int, o: Options, dtype: torch.dtype
                ) -> Tensor:
    if bias.dim() != 3:
        raise EinopsError("attn_bias: expected the shape (heads, "
                          f"{o.call_window_size}, {o.slots}), got "
                          f"{tuple(bias.shape)}")
    require(bias.shape[0] > 0 and rows % bias.shape[0] == 0)
    if (bias.shape[1] not in (1, o.call_window_size)
            or bias.shape[2] not in (1, o.slots)):
        raise RuntimeError(f"attn_bias: expected the shape (heads, "
                           f"{o.call_window_size}, {o.slots}), got "
                           f"{tuple(bias.shape)}")
    wide = _eager.accumulator(dtype)
    return bias if bias.dtype in (dtype, wide) else bias.to(wide)


def _to_axes(x: Tensor, name: str, batches: int, heads: int) -> Tensor:
    if x.dim() == 4 and x.shape[:2] == (batches, heads):
        return x
    rows = math.prod(x.shape[:-2])
    if rows == 1 and batches * heads != 1:
        return x.reshape(1, 1, *x.shape[-2:]).expand(batches, heads, -1, -1)
    if rows != batches * heads:
        raise EinopsError(f"{name}: expected {batches * heads} sequences as in "
                          f"q, or 1, got {rows}")
    return x.reshape(batches, heads, *x.shape[-2:])


def _choose_batches(q: Tensor, rows: int, mask: Optional[Tensor],
                    bias: Optional[Tensor]) -> int:
    """The number of batches of the op. Each has one row of the mask and whole sets of
    the bias' heads."""
    first = q.shape[0] if q.dim() == 4 else 1
    if mask is not None and first % mask.shape[0]:
        first = mask.shape[0]
    if bias is not None and (first == 0 or rows // first % bias.shape[0]):
        first = 1 if mask is None else mask.shape[0]
    return first


def prepare(q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor],
            bias: Optional[Tensor], o: Options) -> Arguments:
    check_options(o)
    _check_sequences(q, k, v, o)
    rows, length = math.prod(q.shape[:-2]), q.shape[-2]
    if bias is not None:
        bias = _check_bias(bias, rows, o, q.dtype)
    if mask is not None:
        mask = _check_mask(mask, rows, o, length) if rows else None
    batches = _choose_batches(q, rows, mask, bias)
    heads = rows // batches if batches else (q.shape[1] if q.dim() == 4 else 0)
    if mask is not None and mask.shape[0] != batches:
        mask = mask.repeat_interleave(batches // mask.shape[0], dim=0)
    q, k, v = (_to_axes(x, name, batches, heads)
               for name, x in (("q", q), ("k", k), ("v", v)))
    # Lengths that pad to the same one need not be the same.
    given = [x.shape[2] for x in (q, k, v)]
    if mask is not None:
        given.append(mask.shape[1])
    if any(n != length for n in given):
        total = o.padded(length)
        q, k, v = (F.pad(x, (0, 0, 0, total - x.shape[2])) for x in (q, k, v))
        if mask is not None:
            mask = F.pad(mask, (0, total - mask.shape[1]))
    return Arguments(q, k, v, mask, bias)
