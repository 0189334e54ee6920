"""lattn::attention, a torch operator: lattn.attention where torch traces or
transforms the call."""

from __future__ import annotations

import operator
from typing import Any, Optional

import torch
from torch import Tensor

from .. import _lattn
from .._window import Window
from . import _library


@_library.operator("attention", devices=("CPU", "CUDA"))
def _attention(
        q: Tensor, k: Tensor, v: Tensor, bias: Optional[Tensor],
        key_mask: Optional[Tensor], attn_mask: Optional[Tensor],
        kv_lengths: Optional[Tensor], offsets: Optional[Tensor],
        sink: Optional[Tensor], q_segments: Optional[Tensor],
        kv_segments: Optional[Tensor], seed: Optional[Tensor],
        offset: Optional[int], left: Optional[int], right: Optional[int],
        bucket: Optional[int], back: int, forward: int, causal: bool,
        scale: Optional[float], layout: str, softcap: float, dropout_p: float,
        return_lse: bool) -> tuple[Tensor, Tensor]:
    """The output, and the log-sum-exp or nothing."""
    mods = None
    if q_segments is not None or kv_segments is not None:
        mods = (None, None, q_segments, kv_segments)
    found = _lattn.attention(
        q, k, v, Window(left, right, bucket, back, forward), causal, scale, bias,
        key_mask, attn_mask, kv_lengths, offset if offsets is None else offsets,
        layout, softcap, sink, mods, dropout_p,
        None if seed is None else seed.item(), return_lse, None, False)
    return found if return_lse else (found, q.new_empty(0))


@_library.fake("attention")
def _(q, k, v, *others):
    layout, return_lse = others[-4], others[-1]
    b, n, h = q.shape[0], q.shape[2], q.shape[1]
    if layout == "bnhd":
        n, h = h, n
    lse = q.new_empty((b, h, n) if return_lse else 0, dtype=torch.promote_types(
        q.dtype, torch.float32) if return_lse else q.dtype)
    return q.new_empty(*q.shape[:3], v.shape[3]), lse


def _refuse(*_: Any, **__: Any) -> Any:
    raise NotImplementedError(
        "lattn.attention: derivatives are not built yet, and a tensor requires "
        "gradients or has a tangent: call under torch.no_grad() and without "
        "torch.func.jvp")


_library.derivatives("attention", _refuse, _refuse, _refuse)


def _tensor(name: str, x: Any) -> Optional[Tensor]:
    if x is None or isinstance(x, Tensor):
        return x
    if not hasattr(x, "__array__") and not hasattr(x, "__dlpack__"):
        raise TypeError(f"{name}: expected a tensor, got {type(x).__name__}")
    return torch.as_tensor(x)


def _bounds(window: Any) -> tuple[Any, ...]:
    if window is None:
        return None, None, None, 0, 0
    if isinstance(window, Window):
        return (window.left, window.right, window.bucket, window.back,
                window.forward)
    if not isinstance(window, (tuple, list)):
        raise TypeError("window: expected None, (left, right) or lattn.Window, "
                        f"got {type(window).__name__}")
    if len(window) != 2:
        raise ValueError(f"window: expected (left, right), got {len(window)} "
                         "values")
    return *window, None, 0, 0


def _seed(dropout_p: float, seed: Any) -> Optional[Tensor]:
    if not dropout_p:
        return None
    if seed is None:
        return torch.randint(2**63 - 1, ())  # as lattn.attention draws it
    return torch.tensor(operator.index(seed))


def attention(q: Tensor, k: Any, v: Any, **o: Any) -> Any:
    """As lattn.attention, by the operator; all its options are given."""
    for name in ("score_mod", "mask_mod", "out"):
        if o[name] is None:
            continue
        if torch.compiler.is_dynamo_compiling():
            from ._uncompiled import FUNCTIONS

            return FUNCTIONS[name](q, k, v, **o)
        raise NotImplementedError(
            f"lattn.attention: {name} is not built where torch traces or "
            "transforms the call (vmap, torch.compile, torch.export): call "
            "without it, or outside of them")
    offset, scale, p = o["offset"], o["scale"], float(o["dropout_p"] or 0)
    is_one = offset is not None and hasattr(offset, "__index__") and not hasattr(
        offset, "__array__")

    def tensors(*names: str) -> list[Optional[Tensor]]:
        return [_tensor(name, o[name]) for name in names]
    output, lse = _attention(
        q, _tensor("k", k), _tensor("v", v),
        *tensors("bias", "key_mask", "attn_mask", "kv_lengths"),
        None if is_one else _tensor("offset", offset),
        *tensors("sink", "q_segments", "kv_segments"), _seed(p, o["seed"]),
        operator.index(offset) if is_one else None, *_bounds(o["window"]),
        bool(o["causal"]), None if scale is None else float(scale), o["layout"],
        float(o["softcap"]), p, bool(o["return_lse"]))
    return (output, lse) if o["return_lse"] else output
