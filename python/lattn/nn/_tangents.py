"""lattn.attention and its tangent in one kernel."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _attention_kernels, _builder, _kernels
from .._builder import Array
from .._scores import Program, Traced
from . import _library, _operands, _sequences, _transforms
from ._attention_operators import ARRAYS, COUNT, OPTIONS



class _Key(NamedTuple):
    """What a kernel is compiled for; types by MLIR's names."""

    type: str
    kinds: tuple[tuple[str, Any], ...]
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
    kinds = _operands.get_types(key.kinds)
    output = Array(key.type, (None, None, None, kinds["value"].sizes[3]))
    lse = Array(_builder.accumulator(key.type), (None, None, None))
    layout = _attention_kernels._layout(key)
    captures = _attention_kernels._captures(key)
    groups = {}
    if key.of_captures:
        groups["d_captures"] = {f"d_{name}": captures[name]
                                for name in _operands.get_floats(key)}
    text = _builder.attention(
        "attention_jvp", kinds,
        {"output": output, "lse": lse, "d_output": output, "d_lse": lse},
        _attention_kernels._options(key), dropout=key.dropout, captures=captures,
        given={f"d_{name}": kinds[name] for name in key.tangents},
        given_groups=groups, score=_attention_kernels._score(key), layout=layout)
    return _attention_kernels._raise_selects(key, text)


def compute(arrays: Sequence[Any], options: Sequence[Any],
            tangents: Sequence[Optional[Tensor]], score: Optional[Traced] = None,
            of_score: Sequence[Optional[Tensor]] = ()) -> tuple[Tensor, ...]:
    """The output, the log-sum-exp and their tangents. `tangents` are those of q,
    k, v, sink, bias and attn_mask, `of_score` of the arrays of `score`."""
    one, *window, causal, scale, layout, softcap, p = options
    extents = _sequences.get_extents(arrays, layout)
    score = _operands.bind_segments(arrays, score, extents)
    found: dict[str, Any] = _operands.get_arrays(arrays, extents[0], extents[3])
    found |= _sequences.get_operands(arrays)
    found = _operands.insert_offset(found, one)
    captures = _operands.get_captures(arrays[5], score)
    kinds = {name: _operands.get_kind(name, x) for name, x in found.items()}
    given = {name: x.resolve_neg().reshape(found[name].shape)
             for name, x in zip(_operands.INPUTS[:-1], tangents) if x is not None}
    key = _Key(
        kinds["query"][0], tuple(kinds.items()), layout == "bnhd", tuple(window),
        causal, scale, softcap, arrays[11] is not None,
        **_operands.describe_mask(captures), program=score and score.program,
        tangents=tuple(given),
        of_captures=any(x is not None for x in (*tangents[5:], *of_score)))
    of_captures = _operands.get_derivatives(
        key, captures, tangents[5], of_score) if key.of_captures else {}
    made = _make(*arrays[:3], layout)
    if key.tangents or key.of_captures:
        _kernels.get(_text, key)(
            *found.values(), *([p, arrays[11].item()] if key.dropout else []),
            *captures.values(), *given.values(), *of_captures.values(), *made)
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
        *(tangents[i] for i in _operands.PLACES), *tangents[count:])
    return tuple(map(forward_ad.make_dual, (output, lse), of_both))
