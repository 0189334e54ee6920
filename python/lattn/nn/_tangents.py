"""lattn.attention and its tangent in one kernel."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _attention_kernels, _builder, _kernels, _scores
from .._builder import Array
from .._scores import Program, Traced
from . import _library, _second, _sequences, _transforms
from ._attention_operators import ARRAYS, COUNT, OPTIONS

_NAMES = ("query", "key", "value", "sink", "bias")
PLACES = (0, 1, 2, 8, 3, 5)  # of what has tangents, of the arrays


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
    program: Optional[Program]
    tangents: tuple[str, ...]
    of_captures: bool  # of all captured arrays of floats


def _text(key: _Key) -> str:
    kinds: dict[str, Any] = {
        name: kind if isinstance(kind, str) else Array(*kind)
        for name, kind in key.kinds}
    output = Array(key.type, (None, None, None, kinds["value"].sizes[3]))
    lse = Array(_builder.accumulator(key.type), (None, None, None))
    layout = f"#lattn.layout<{'bnhd' if key.is_bnhd else 'bhnd'}>"
    options = _builder.attributes(
        layout=layout, window=_attention_kernels._window(*key.window),
        causal=key.causal, scale=key.scale)
    captures = _attention_kernels._captures(key)
    groups = {}
    if key.of_captures:
        groups["d_captures"] = {f"d_{name}": captures[name]
                                for name in _floats(captures)}
    text = _builder.attention(
        "attention_jvp", kinds,
        {"output": output, "lse": lse, "d_output": output, "d_lse": lse},
        options, dropout=key.dropout, captures=captures,
        given={f"d_{name}": kinds[name] for name in key.tangents},
        given_groups=groups, score=_attention_kernels._score(key), layout=layout)
    if key.program and any("select" in line for line in key.program.lines):
        text = _attention_kernels.raise_masks(text)
    return text


def _floats(captures: dict[str, Array]) -> list[str]:
    return [name for name, kind in captures.items() if kind.element[0] != "i"]


def _bind(arrays: Sequence[Any], score: Optional[Traced], layout: str
          ) -> Optional[Traced]:
    """`score`, or that of segments."""
    segments = arrays[9:11]
    if score is not None or segments[0] is None and segments[1] is None:
        return score
    return _scores.trace(
        (None, None, *segments),
        "f64" if arrays[0].dtype == torch.float64 else "f32",
        _sequences.get_extents(arrays, layout))


def _sign(x: Any) -> Any:
    """Kernels take unsigned numbers as the signed ones of the same bits."""
    if isinstance(x, Tensor):
        signed = {torch.uint8: torch.int8, torch.uint16: torch.int16,
                  torch.uint32: torch.int32}
        return x.view(signed[x.dtype]) if x.dtype in signed else x
    array = np.asarray(x)
    return array.view(f"i{array.itemsize}") if array.dtype.kind == "u" else x


def _get_captures(mask: Optional[Tensor], score: Optional[Traced]
                  ) -> dict[str, Tensor]:
    """By their names in kernels."""
    found = {} if mask is None else {"mask": mask}
    if score is not None:
        found |= {f"c{i}": _sign(x) for i, (_, x) in enumerate(score.arrays)}
        if score.program.reads_last:
            found["last"] = torch.tensor(
                [n - 1 for _, x in score.arrays for n in np.shape(x)],
                dtype=torch.int32)
    return found


def compute(arrays: Sequence[Any], options: Sequence[Any],
            tangents: Sequence[Optional[Tensor]], score: Optional[Traced] = None,
            of_score: Sequence[Optional[Tensor]] = ()) -> tuple[Tensor, ...]:
    """The output, the log-sum-exp and their tangents. `tangents` are those of q,
    k, v, sink, bias and attn_mask, `of_score` of the arrays of `score`."""
    one, *window, causal, scale, layout, softcap, p = options
    score = _bind(arrays, score, layout)
    batches, _, _, keys = _sequences.get_extents(arrays, layout)
    found: dict[str, Any] = _second._get_arrays(arrays, batches, keys, ())
    captures = _get_captures(found.pop("mask", None), score)
    found |= _sequences.get_operands(arrays)
    kinds: dict[str, Any] = {
        name: "i64" if isinstance(x, int) else _second._get_kind(name, x)
        for name, x in found.items()}
    if one is not None:
        found, kinds = (_insert(x, value) for x, value in (
            (found, one), (kinds, "i64")))
    given = {name: x.resolve_neg().reshape(found[name].shape)
             for name, x in zip(_NAMES, tangents) if x is not None}
    mask = captures.get("mask")
    key = _Key(
        kinds["query"][0], tuple(kinds.items()), layout == "bnhd", tuple(window),
        causal, scale, softcap, arrays[11] is not None,
        None if mask is None else _second._TYPES[mask.dtype],
        () if mask is None else tuple(n == 1 for n in mask.shape),
        score and score.program, tuple(given),
        any(x is not None for x in (*tangents[5:], *of_score)))
    of_captures = []
    if key.of_captures:
        by_name = {"mask": tangents[5]} | {
            f"c{i}": x for i, x in enumerate(of_score)}
        for name in _floats(_attention_kernels._captures(key)):
            x, like = by_name.get(name), captures[name]
            if x is None:
                zeros = (torch if isinstance(like, Tensor) else np).zeros_like
                of_captures.append(zeros(like))
            else:
                of_captures.append(x.resolve_neg().reshape(like.shape))
    made = _make(*arrays[:3], layout)
    if key.tangents or key.of_captures:
        _kernels.get(_text, key)(
            *found.values(), *([p, arrays[11].item()] if key.dropout else []),
            *captures.values(), *given.values(), *of_captures, *made)
    return made


def _insert(found: dict[str, Any], offset: Any) -> dict[str, Any]:
    """With the offset in its place, before the sink."""
    last = {name: found[name] for name in ("sink",) if name in found}
    return {**{name: x for name, x in found.items() if name not in last},
            "offset": offset, **last}


def _make(q: Tensor, k: Tensor, v: Tensor, layout: str) -> tuple[Tensor, ...]:
    b, h, n = q.shape[:3]
    if layout == "bnhd":
        h, n = n, h
    output = q.new_empty(*q.shape[:3], v.shape[3])
    lse = q.new_empty((b, h, n), dtype=torch.promote_types(
        q.dtype, torch.float32))
    return output, lse, torch.empty_like(output), torch.empty_like(lse)


@_library.operator("attention_jvp", schema=(
    f"({ARRAYS}, {OPTIONS}, Tensor? d_q, Tensor? d_k, Tensor? d_v, Tensor? d_sink, "
    "Tensor? d_bias, Tensor? d_mask) -> (Tensor, Tensor, Tensor, Tensor)"))
def _attention_jvp(*arguments: Any) -> tuple[Tensor, ...]:
    return compute(arguments[:COUNT], arguments[COUNT:-6], arguments[-6:])


@_library.fake("attention_jvp")
def _(q, k, v, *others):
    return _make(q, k, v, others[-9])


def run(arrays: Sequence[Any], options: Sequence[Any],
        tangents: Sequence[Optional[Tensor]], score: Optional[Traced],
        of_score: Sequence[Optional[Tensor]]) -> tuple[Tensor, ...]:
    """Like `compute`, but by the operator if there is no score function."""
    if score is not None:
        return compute(arrays, options, tangents, score, of_score)
    return torch.ops.lattn.attention_jvp(*arrays, *options, *tangents)


def attend(arrays: Sequence[Any], options: Sequence[Any],
           tensors: Sequence[Tensor], run: Callable[..., tuple[Tensor, ...]]
           ) -> Optional[tuple[Tensor, Tensor]]:
    """Output and log-sum-exp of dual tensors, as dual tensors. None if no tensor is
    dual, and inside another transform. `tensors` are those that a score reads, `run`
    takes the primals with the options, and then the tangents."""
    if arrays[0].is_cuda or _transforms.are_nested():
        return None
    primals, tangents = zip(*(
        (x, None) if x is None else forward_ad.unpack_dual(x)
        for x in (*arrays, *tensors)))
    if all(x is None for x in tangents) or (
            torch.is_grad_enabled() and _transforms.need_gradients(
                *(x for x in (*primals, *tangents) if x is not None))):
        return None
    tangents = [torch.zeros_like(p) if t is not None and t._is_zerotensor()
                else t for p, t in zip(primals, tangents)]
    count = len(arrays)
    output, lse, *of_both = run(
        *primals[:count], *options, *primals[count:],
        *(tangents[i] for i in PLACES), *tangents[count:])
    return tuple(map(forward_ad.make_dual, (output, lse), of_both))
