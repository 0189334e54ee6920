"""Derivatives of the gradients of lattn.attention, by kernels that
lattn-differentiate writes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Optional, Sequence

import torch
from torch import Tensor

from .. import _attention_kernels, _builder, _kernels, _lattn
from .._builder import Array
from . import _sequences

_TYPES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
          torch.float64: "f64", torch.int32: "i32", torch.int64: "i64",
          torch.bool: "i1", torch.int8: "i8"}


class _Key(NamedTuple):
    """What a kernel is compiled for; types by MLIR's names."""

    type: str
    kinds: tuple[tuple[str, tuple[str, tuple[Optional[int], ...]]], ...]
    is_bnhd: bool
    window: tuple[Optional[int], ...]
    causal: bool
    scale: Optional[float]
    softcap: float
    dropout: bool
    mask: Optional[str]
    mask_is_shared: tuple[bool, ...]
    wanted: tuple[str, ...]
    program: None = None


def _text(key: _Key) -> str:
    kinds: dict[str, Any] = {
        name: kind if isinstance(kind, str) else Array(*kind)
        for name, kind in key.kinds}
    mask = {name: kinds.pop(name) for name in ("mask",) if name in kinds}
    given = {name: kinds.pop(name)
             for name in ("output", "lse", "d_output", "d_lse")}
    outputs = {f"d_{name}": kinds[name]
               for name in ("query", "key", "value", "sink") if name in kinds}
    behind = {}
    if "bias" in kinds:
        behind["d_bias"] = {"d_bias": kinds["bias"]}
    options = _builder.attributes(
        layout=f"#lattn.layout<{'bnhd' if key.is_bnhd else 'bhnd'}>",
        window=_attention_kernels._window(*key.window), causal=key.causal,
        scale=key.scale)
    text = _builder.attention(
        "attention_grad", kinds, outputs, options, dropout=key.dropout,
        captures=mask, given=given, behind=behind,
        score=_attention_kernels._score(key))
    names = [*kinds, *(["p", "seed"] if key.dropout else []), *mask, *given]
    numbers = ",".join(str(names.index(name)) for name in key.wanted)
    text = _lattn.run_passes(
        text.encode(), "<text>",
        f"builtin.module(lattn-differentiate{{arguments={numbers}}})")
    # Without the gradients themselves, and the names of arguments, of which some
    # are there twice.
    text = re.sub(r"\n  func\.func @attention_grad\(.*?\n  }\n", "\n", text,
                  count=1, flags=re.DOTALL)
    return _kernels.without_names(text)


def _of_pairs(x: Tensor) -> Tensor:
    """The shape with all four axes, some of which may have one element."""
    return x[(None,) * (4 - x.ndim)]


def _get_arrays(given: Sequence[Any], layout: str, results: Sequence[Tensor]
                ) -> dict[str, Tensor]:
    """Arrays by the names of operands, in their order."""
    q, k, v, bias, key_mask, mask, lengths, offset, sink = given[:9]
    batches, _, _, keys = _sequences.get_extents(given, layout)
    found = {"query": q, "key": k, "value": v}
    if bias is not None:
        found["bias"] = _of_pairs(bias)
    if key_mask is not None:
        found["key_mask"] = key_mask.expand(batches, keys)
    for name, x in (("kv_lens", lengths), ("offset", offset)):
        if x is not None:
            found[name] = x.to(torch.int64).expand(batches)
    if sink is not None:
        found["sink"] = sink
    if mask is not None:
        found["mask"] = _of_pairs(
            mask.to(torch.int8) if mask.dtype == torch.bool else mask)
    return found | dict(zip(("output", "lse", "d_output", "d_lse"), results))


def _get_kind(name: str, x: Tensor) -> tuple[str, tuple[Optional[int], ...]]:
    sizes: list[Optional[int]] = [None] * x.ndim
    if name in ("query", "key", "value", "output", "d_output"):
        sizes[3] = x.shape[3]
    elif name in ("bias", "mask"):
        sizes = [1 if size == 1 else None for size in x.shape]
    return _TYPES[x.dtype], tuple(sizes)


def compute(arrays: Sequence[Any], options: Sequence[Any],
            results: Sequence[Tensor], cotangents: Sequence[Optional[Tensor]]
            ) -> tuple[Tensor, ...]:
    """`results` are (output, lse, d_output, d_lse). From the cotangents of the
    gradients of q, k, v, sink and bias, computes the cotangents of q, k, v, sink,
    bias, output, lse, d_output and d_lse. Absent ones are empty."""
    one, *window, causal, scale, layout, softcap, p = options
    seed = arrays[11]
    found: dict[str, Any] = _get_arrays(arrays, layout, results)
    kinds: dict[str, Any] = {name: _get_kind(name, x)
                             for name, x in found.items()}
    behind = ["mask"] * ("mask" in found) + ["output", "lse", "d_output", "d_lse"]
    front = [name for name in found if name not in behind]
    if one is not None:
        front.insert(len(front) - ("sink" in front), "offset")
        found["offset"], kinds["offset"] = one, "i64"
    names = ["query", "key", "value", "sink", "bias", "output", "lse", "d_output",
             "d_lse"]
    wanted = tuple(name for name in names if name in found)
    mask = found.get("mask")
    key = _Key(_TYPES[arrays[0].dtype],
               tuple((x, kinds[x]) for x in (*front, *behind)),
               layout == "bnhd", tuple(window), causal, scale, softcap,
               seed is not None, None if mask is None else kinds["mask"][0],
               () if mask is None else tuple(n == 1 for n in mask.shape), wanted)
    dropout = [] if seed is None else [p, seed.item()]
    given = [torch.zeros_like(found[name]) if x is None else
             x.resolve_neg().reshape(found[name].shape)
             for name, x in zip(("query", "key", "value", "sink", "bias"),
                                cotangents) if name in found]
    made = {name: torch.zeros(found[name].shape, dtype=found[name].dtype)
            for name in wanted}
    if arrays[0].numel() and arrays[1].numel():
        _kernels.get(_text, key)(
            *(found[name] for name in front), *dropout,
            *(found[name] for name in behind), *given, *made.values())
    if "bias" in made:
        made["bias"] = made["bias"].reshape(arrays[3].shape)
    return tuple(made.get(name, arrays[0].new_empty(0)) for name in (
        "query", "key", "value", "sink", "bias", "output", "lse", "d_output",
        "d_lse"))
