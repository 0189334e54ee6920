"""lattn.attention and its tangent in one kernel."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _attention_kernels, _builder, _kernels
from .._builder import Array
from . import _library, _second, _transforms

_NAMES = ("query", "key", "value")


class _Key(NamedTuple):
    """What a kernel is compiled for; types by MLIR's names."""

    type: str
    kinds: tuple[tuple[str, tuple[str, tuple[Optional[int], ...]]], ...]
    is_bnhd: bool
    window: tuple[Optional[int], ...]
    causal: bool
    scale: Optional[float]
    tangents: tuple[str, ...]


def _text(key: _Key) -> str:
    kinds: dict[str, Any] = {
        name: kind if isinstance(kind, str) else Array(*kind)
        for name, kind in key.kinds}
    output = Array(key.type, (None, None, None, kinds["value"].sizes[3]))
    lse = Array(_builder.accumulator(key.type), (None, None, None))
    options = _builder.attributes(
        layout=f"#lattn.layout<{'bnhd' if key.is_bnhd else 'bhnd'}>",
        window=_attention_kernels._window(*key.window), causal=key.causal,
        scale=key.scale)
    return _builder.attention(
        "attention_jvp", kinds,
        {"output": output, "lse": lse, "d_output": output, "d_lse": lse},
        options, given={f"d_{name}": kinds[name] for name in key.tangents})


def takes(arrays: Sequence[Any], options: Sequence[Any]) -> bool:
    """Whether the kernel has these options; calls with others are decomposed."""
    bias, _, mask, _, _, sink, *segments, seed = arrays[3:]
    softcap = options[-2]
    return (all(x is None for x in (bias, mask, sink, *segments, seed))
            and not softcap and not arrays[0].is_cuda
            and all(x.numel() for x in arrays[:3]))


def compute(arrays: Sequence[Any], options: Sequence[Any],
            tangents: Sequence[Optional[Tensor]]) -> tuple[Tensor, ...]:
    """The output, the log-sum-exp and their tangents."""
    one, *window, causal, scale, layout, _, _ = options
    found: dict[str, Any] = _second._get_arrays(arrays, layout, ())
    kinds: dict[str, Any] = {name: _second._get_kind(name, x)
                             for name, x in found.items()}
    if one is not None:
        found["offset"], kinds["offset"] = one, "i64"
    given = {name: x.resolve_neg() for name, x in zip(_NAMES, tangents)
             if x is not None}
    made = _make(*arrays[:3], layout)
    key = _Key(kinds["query"][0], tuple(kinds.items()), layout == "bnhd",
               tuple(window), causal, scale, tuple(given))
    _kernels.get(_text, key)(*found.values(), *given.values(), *made)
    return made


def _make(q: Tensor, k: Tensor, v: Tensor, layout: str) -> tuple[Tensor, ...]:
    b, h, n = q.shape[:3]
    if layout == "bnhd":
        h, n = n, h
    output = q.new_empty(*q.shape[:3], v.shape[3])
    lse = q.new_empty((b, h, n), dtype=torch.promote_types(
        q.dtype, torch.float32))
    return output, lse, torch.empty_like(output), torch.empty_like(lse)


@_library.operator("attention_jvp", schema=(
    "(Tensor q, Tensor k, Tensor v, Tensor? key_mask, Tensor? kv_lengths, "
    "Tensor? offsets, SymInt? offset, SymInt? left, SymInt? right, "
    "SymInt? bucket, SymInt back, SymInt forward, bool causal, float? scale, "
    "str layout, Tensor? d_q, Tensor? d_k, Tensor? d_v) "
    "-> (Tensor, Tensor, Tensor, Tensor)"))
def _attention_jvp(*arguments: Any) -> tuple[Tensor, ...]:
    q, k, v, key_mask, lengths, offsets, *options = arguments[:15]
    return compute((q, k, v, None, key_mask, None, lengths, offsets, None),
                   (*options, 0.0, 0.0), arguments[15:])


@_library.fake("attention_jvp")
def _(q, k, v, *others):
    return _make(q, k, v, others[-4])


def attend(arrays: Sequence[Any], options: Sequence[Any]
           ) -> Optional[tuple[Tensor, Tensor]]:
    """Output and log-sum-exp of dual tensors, as dual tensors. None if no tensor is
    dual, or if the kernel does not take all options."""
    if not takes(arrays, options) or _transforms.are_nested():
        return None
    primals, tangents = zip(*map(forward_ad.unpack_dual, arrays[:3]))
    if all(x is None for x in tangents) or (
            torch.is_grad_enabled()
            and _transforms.need_gradients(*primals, *tangents)):
        return None
    tangents = [torch.zeros_like(p) if t is not None and t._is_zerotensor()
                else t for p, t in zip(primals, tangents)]
    _, key_mask, _, lengths, offsets = arrays[3:8]
    output, lse, *of_both = torch.ops.lattn.attention_jvp(
        *primals, key_mask, lengths, offsets, *options[:-2], *tangents)
    return tuple(map(forward_ad.make_dual, (output, lse), of_both))
