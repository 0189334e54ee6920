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


_NAMES = ("query", "key", "value", "sink", "bias", "output", "lse", "d_output",
          "d_lse")


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
    is_batch: bool  # one of several
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
        is_batch=key.is_batch, captures=mask, given=given, behind=behind,
        score=_attention_kernels._score(key))
    names = [*kinds, *(["p", "seed"] if key.dropout else []),
             *(["batch"] if key.is_batch else []), *mask, *given]
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


def _get_arrays(given: Sequence[Any], batches: int, keys: int,
                results: Sequence[Tensor]) -> dict[str, Tensor]:
    """Arrays by the names of operands, in their order."""
    q, k, v, bias, key_mask, mask, lengths, offset, sink = given[:9]
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


def _compute(arrays: Sequence[Any], options: Sequence[Any],
             results: Sequence[Tensor], cotangents: dict[str, Tensor],
             made: dict[str, Tensor], extents: tuple[int, int],
             batch: Optional[int] = None) -> None:
    """Writes the cotangents of the inputs of gradients to `made`. `extents` are the
    numbers of batches and keys of key masks and lengths; the arrays may be one `batch`
    of them."""
    if results[1].numel() == 0:
        return
    one, *window, causal, scale, layout, softcap, p = options
    seed = arrays[11]
    found: dict[str, Any] = _get_arrays(arrays, *extents, results)
    kinds: dict[str, Any] = {name: _get_kind(name, x)
                             for name, x in found.items()}
    behind = ["mask"] * ("mask" in found) + list(_NAMES[5:])
    front = [name for name in found if name not in behind]
    if one is not None:
        front.insert(len(front) - ("sink" in front), "offset")
        found["offset"], kinds["offset"] = one, "i64"
    wanted = tuple(name for name in _NAMES if name in found)
    mask = found.get("mask")
    key = _Key(_TYPES[arrays[0].dtype],
               tuple((x, kinds[x]) for x in (*front, *behind)),
               layout == "bnhd", tuple(window), causal, scale, softcap,
               seed is not None, None if mask is None else kinds["mask"][0],
               () if mask is None else tuple(n == 1 for n in mask.shape), wanted,
               batch is not None)
    _kernels.get(_text, key)(
        *(found[name] for name in front),
        *([] if seed is None else [p, seed.item()]),
        *([] if batch is None else [batch]),
        *(found[name] for name in behind),
        *(x.reshape(found[name].shape) for name, x in cotangents.items()),
        *(x.view(found[name].shape) for name, x in made.items()))


def compute(arrays: Sequence[Any], options: Sequence[Any],
            results: Sequence[Tensor], cotangents: Sequence[Optional[Tensor]]
            ) -> tuple[Tensor, ...]:
    """`results` are (output, lse, d_output, d_lse). From the cotangents of the
    gradients of q, k, v, sink and bias, computes the cotangents of q, k, v, sink,
    bias, output, lse, d_output and d_lse. Absent ones are empty."""
    batches, _, _, keys = _sequences.get_extents(arrays, options[-3])
    results = [x.resolve_neg() for x in results]
    inputs = dict(zip(_NAMES, (*(arrays[i] for i in (0, 1, 2, 8, 3)), *results)))
    made = {name: torch.zeros(x.shape, dtype=x.dtype)
            for name, x in inputs.items() if x is not None}
    given = {name: torch.zeros_like(made[name]) if x is None else x.resolve_neg()
             for name, x in zip(_NAMES, cotangents) if name in made}
    if not _sequences.are_packed(arrays):
        _compute(arrays, options, results, given, made, (batches, keys))
    else:
        for part in _sequences.split(arrays, options):
            _add_part(part, results, given, made, (batches, keys))
    return tuple(made.get(name, arrays[0].new_empty(0)) for name in _NAMES)


def _add_part(part: _sequences.Part, results: Sequence[Tensor],
              given: dict[str, Tensor], made: dict[str, Tensor],
              extents: tuple[int, int]) -> None:
    """Writes what one of several sequences contributes to `made`."""
    places = {name: part.take(name, x) for name, x in made.items()}
    # Sequences add to what they share.
    own = {name: torch.zeros_like(x) if _sequences.is_shared(name, x) else x
           for name, x in places.items()}
    _compute(part.arrays, part.options,
             [part.take(name, x) for name, x in zip(_NAMES[5:], results)],
             {name: part.take(name, x) for name, x in given.items()}, own, extents,
             part.number)
    for name, x in own.items():
        if x is not places[name]:
            places[name] += x
