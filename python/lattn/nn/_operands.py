"""The operands of lattn.attention's derived kernels, by their names in the text."""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
import torch
from torch import Tensor

from .. import _attention_kernels, _scores
from .._attention_options import Attributes, Options
from .._builder import Array
from .._scores import Program, Traced
from . import _sequences

TYPES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
         torch.float64: "f64", torch.int32: "i32", torch.int64: "i64",
         torch.bool: "i1", torch.int8: "i8"}

# What is differentiated by, without what a score reads.
INPUTS = ("query", "key", "value", "sink", "bias", "mask")
PLACES = (0, 1, 2, 8, 3, 5)  # among the arrays of lattn.attention's operator


class Key(NamedTuple):
    """What a derived kernel is compiled for; types by MLIR's names."""

    type: str
    kinds: tuple[tuple[str, Any], ...]  # without captured arrays
    attributes: Attributes
    dropout: bool
    mask: Optional[str]
    mask_is_shared: tuple[bool, ...]
    program: Optional[Program]
    of_captures: bool  # derivatives by all captured arrays of floats
    tangents: tuple[str, ...] = ()  # that are given, of arrays before captured ones
    is_batch: bool = False  # one of several


def make_key(arrays: Sequence[Any], options: Options, kinds: Mapping[str, Any],
             captures: Mapping[str, Any], score: Optional[Traced], **more: Any) -> Key:
    mask = captures.get("mask")
    return Key(
        TYPES[arrays[0].dtype], tuple(kinds.items()), options.attributes,
        arrays[11] is not None,
        None if mask is None else TYPES[mask.dtype],
        () if mask is None else tuple(n == 1 for n in mask.shape),
        score and score.program, **more)


def _of_pairs(x: Tensor) -> Tensor:
    """The shape with all four axes, some of which may have one element."""
    return x[(None,) * (4 - x.ndim)]


def get_arrays(given: Sequence[Any], batches: int, keys: int) -> dict[str, Tensor]:
    """The arrays before the captured ones, in the order of the op's syntax."""
    q, k, v, bias, key_mask, _, lengths, offset, sink = given[:9]
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
    return found


def bind_segments(arrays: Sequence[Any], score: Optional[Traced],
                  extents: tuple[int, int, int, int]) -> Optional[Traced]:
    """`score`, or that of segments. `extents` are B, H, N and M."""
    segments = arrays[9:11]
    if score is not None or segments[0] is None and segments[1] is None:
        return score
    return _scores.trace(
        (None, None, *segments),
        "f64" if arrays[0].dtype == torch.float64 else "f32", extents)


def get_captures(mask: Optional[Tensor], score: Optional[Traced]
                 ) -> dict[str, Any]:
    """The captured arrays: attn_mask, and those that `score` reads."""
    found: dict[str, Any] = {}
    if mask is not None:
        found["mask"] = _of_pairs(
            mask.to(torch.int8) if mask.dtype == torch.bool else mask)
    if score is not None:
        found |= {f"c{i}": _sign(x) for i, (_, x) in enumerate(score.arrays)}
        if score.program.reads_last:
            found["last"] = torch.tensor(
                [n - 1 for _, x in score.arrays for n in np.shape(x)],
                dtype=torch.int32)
    return found


def _sign(x: Any) -> Any:
    """Kernels take unsigned numbers as the signed ones of the same bits."""
    if isinstance(x, Tensor):
        signed = {torch.uint8: torch.int8, torch.uint16: torch.int16,
                  torch.uint32: torch.int32}
        return x.view(signed[x.dtype]) if x.dtype in signed else x
    array = np.asarray(x)
    return array.view(f"i{array.itemsize}") if array.dtype.kind == "u" else x


def get_floats(key: Key) -> list[str]:
    """The names of the captured arrays of a kernel that have derivatives."""
    return [name for name, kind in _attention_kernels._captures(key).items()
            if kind.element[0] != "i"]


def get_derivatives(key: Key, captures: dict[str, Any], of_mask: Optional[Tensor],
                    of_score: Sequence[Optional[Tensor]]
                    ) -> dict[str, Union[Tensor, np.ndarray]]:
    """Tangents or cotangents of `get_floats`, with zeros for absent ones."""
    by_name = {"mask": of_mask} | {f"c{i}": x for i, x in enumerate(of_score)}
    found = {}
    for name in get_floats(key):
        x, like = by_name.get(name), captures[name]
        found[name] = (make_zeros(like) if x is None
                       else x.resolve_neg().reshape(like.shape))
    return found


def is_float(x: Any) -> bool:
    if isinstance(x, Tensor):
        return x.is_floating_point()
    return x is not None and np.asarray(x).dtype.kind not in "biu"


def make_zeros(like: Any) -> Any:
    if isinstance(like, Tensor):
        return torch.zeros(like.shape, dtype=like.dtype, device=like.device)
    return np.zeros_like(like)


def get_kind(name: str, x: Any) -> Any:
    """What the kernel's key has of the operand."""
    if isinstance(x, int):
        return "i64"
    sizes: list[Optional[int]] = [None] * x.ndim
    if name in ("query", "key", "value", "output", "d_output"):
        sizes[3] = x.shape[3]
    elif name in ("bias", "mask"):
        sizes = [1 if size == 1 else None for size in x.shape]
    return TYPES[x.dtype], tuple(sizes)


def insert_offset(found: dict[str, Any], offset: Optional[Any]) -> dict[str, Any]:
    """With an offset of all batches in its place, before the sink."""
    if offset is None:
        return found
    last = {name: found[name] for name in ("sink",) if name in found}
    return {**{name: x for name, x in found.items() if name not in last},
            "offset": offset, **last}


def get_types(kinds: Sequence[tuple[str, Any]]) -> dict[str, Union[Array, str]]:
    """The types for the text, of what `get_kind` made."""
    return {name: kind if isinstance(kind, str) else Array(*kind)
            for name, kind in kinds}
