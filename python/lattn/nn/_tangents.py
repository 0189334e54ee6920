"""lattn.attention and its tangent in one kernel."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _attention_kernels, _builder, _kernels
from .._attention_options import SCHEMA, Options
from .._builder import Array
from .._scores import Traced
from . import _attention_operators as _operators
from . import _library, _operands, _sequences, _tiles, _transforms
from ._attention_operators import ARRAYS, split
from ._operands import Key



def _text(key: Key) -> str:
    kinds = _operands.get_types(key.kinds)
    output = Array(key.type, (None, None, None, kinds["value"].sizes[3]))
    lse = Array(_builder.accumulator(key.type), (None, None, None))
    layout = key.attributes.layout
    captures = _attention_kernels._captures(key)
    groups = {}
    if key.of_captures:
        groups["d_captures"] = {f"d_{name}": captures[name]
                                for name in _operands.get_floats(key)}
    text = _builder.attention(
        "attention_jvp", kinds,
        {"output": output, "lse": lse, "d_output": output, "d_lse": lse},
        key.attributes.write(), dropout=key.dropout, captures=captures,
        given={f"d_{name}": kinds[name] for name in key.tangents},
        given_groups=groups, score=_attention_kernels._score(key), layout=layout)
    return _attention_kernels._raise_selects(key, text)


def _twice(key: Key) -> str:
    """Derived by everything that has a tangent, and by these tangents."""
    captured = _operands.get_floats(key) if key.of_captures else []
    own = [*key.tangents, *captured]
    names = [*dict(key.kinds), *(["p", "seed"] if key.dropout else []),
             *_attention_kernels._captures(key), *(f"d_{name}" for name in own)]
    by = [names.index(name) for name in (*own, *(f"d_{name}" for name in own))]
    # Two arguments would have the name d_query.
    return _kernels.without_names(
        _kernels.derive(_text(key), "attention_jvp", "_jvp", by))


class _Call:
    """The kernel's key, and arrays in the order of its arguments. `given` are the
    tangents of q, k, v, sink, bias, attn_mask and the arrays of `score`, each in one
    or several groups."""

    def __init__(self, arrays: Sequence[Any], options: Options,
                 score: Optional[Traced], *given: Sequence[Optional[Tensor]]) -> None:
        one, p = options.offset, options.dropout_p
        extents = _sequences.get_extents(arrays, options.layout)
        score = _operands.bind_segments(arrays, score, extents)
        found: dict[str, Any] = _operands.get_arrays(arrays, extents[0], extents[3])
        found |= _sequences.get_operands(arrays)
        self.found = _operands.insert_offset(found, one)
        self.captures = _operands.get_captures(arrays[5], score)
        kinds = {name: _operands.get_kind(name, x) for name, x in self.found.items()}
        is_given = [any(x is not None for x in xs) for xs in zip(*given)]
        self.key = _operands.make_key(
            arrays, options, kinds, self.captures, score,
            tangents=tuple(name for name, is_one in zip(
                _operands.INPUTS[:-1], is_given) if is_one),
            of_captures=any(is_given[5:]))
        self.operands = [*self.found.values(),
                         *([p, arrays[11].item()] if self.key.dropout else []),
                         *self.captures.values()]

    def place(self, given: Sequence[Optional[Tensor]]) -> list[Any]:
        """Tangents, with zeros for absent ones."""
        by_name = dict(zip(_operands.INPUTS, given))
        placed = []
        for name in self.key.tangents:
            x, like = by_name[name], self.found[name]
            placed.append(_operands.make_zeros(like) if x is None
                          else x.resolve_neg().reshape(like.shape))
        if self.key.of_captures:
            placed += _operands.get_derivatives(
                self.key, self.captures, given[5], given[6:]).values()
        return placed


def compute(arrays: Sequence[Any], options: Options,
            tangents: Sequence[Optional[Tensor]], score: Optional[Traced] = None
            ) -> tuple[Tensor, ...]:
    """The output, the log-sum-exp and their tangents. `tangents` are those of q,
    k, v, sink, bias, attn_mask and the arrays of `score`."""
    if _tiles.are_needed(arrays[0]):
        _tiles.warn("tangents")
        results = _operators.run(arrays, options, None, score)
        return (*results, *_tiles.push_forward(arrays, options, tangents, results,
                                               score))
    call = _Call(arrays, options, score, tangents)
    made = _make(*arrays[:3], options.layout)
    if call.key.tangents or call.key.of_captures:
        _kernels.get(_text, call.key)(*call.operands, *call.place(tangents), *made)
    return made


def compute_twice(arrays: Sequence[Any], options: Options,
                  first: Sequence[Optional[Tensor]], second: Sequence[Optional[Tensor]],
                  both: Sequence[Optional[Tensor]], score: Optional[Traced] = None
                  ) -> tuple[Tensor, ...]:
    """The tangents of what `compute` makes of the tangents `first`, where the arrays
    have the tangents `second`, and `first` have the tangents `both`."""
    if _tiles.are_needed(arrays[0]):
        _tiles.warn("second derivatives")
        made = _make(*arrays[:3], options.layout)
        return (*made[:2], *_tiles.push_forward_twice(
            arrays, options, (first, second, both), made[2:], score))
    call = _Call(arrays, options, score, first, second, both)
    made = _make(*arrays[:3], options.layout)
    if made[0].numel():
        _kernels.get(_twice, call.key)(
            *call.operands, *(y for x in (first, second, both) for y in call.place(x)),
            *made)
    return made


def _make(q: Tensor, k: Tensor, v: Tensor, layout: str) -> tuple[Tensor, ...]:
    b, h, n = q.shape[:3]
    if layout == "bnhd":
        h, n = n, h
    output = q.new_empty(*q.shape[:3], v.shape[3])
    lse = q.new_empty((b, h, n), dtype=torch.promote_types(
        q.dtype, torch.float32))
    return output, lse, torch.empty_like(output), torch.empty_like(lse)


@_library.operator("attention_jvp", devices=("CPU", "CUDA"), schema=(
    f"({ARRAYS}, {SCHEMA}, Tensor? d_q, Tensor? d_k, Tensor? d_v, Tensor? d_sink, "
    "Tensor? d_bias, Tensor? d_mask) -> (Tensor, Tensor, Tensor, Tensor)"))
def _attention_jvp(*arguments: Any) -> tuple[Tensor, ...]:
    return compute(*split(arguments))


@_library.fake("attention_jvp")
def _(*arguments):
    arrays, options, _ = split(arguments)
    return _make(*arrays[:3], options.layout)


_TANGENTS = [", ".join(f"Tensor? {kind}_{name}" for name in _operands.INPUTS)
             for kind in ("first", "second", "both")]


@_library.operator("attention_jvp_jvp", devices=("CPU", "CUDA"), schema=(
    f"({ARRAYS}, {SCHEMA}, {', '.join(_TANGENTS)}) -> (Tensor, Tensor)"))
def push_twice(*arguments: Any) -> tuple[Tensor, ...]:
    arrays, options, given = split(arguments)
    count = len(_operands.INPUTS)
    groups = (given[i:i + count] for i in range(0, len(given), count))
    return compute_twice(arrays, options, *groups)[2:]


@_library.fake("attention_jvp_jvp")
def _(*arguments):
    arrays, options, _ = split(arguments)
    return _make(*arrays[:3], options.layout)[2:]


def run(arrays: Sequence[Any], options: Options,
        tangents: Sequence[Optional[Tensor]], score: Optional[Traced],
        of_score: Sequence[Optional[Tensor]]) -> tuple[Tensor, ...]:
    """Like `compute`, but by the operator if there is no score function."""
    if score is not None:
        return compute(arrays, options, (*tangents, *of_score), score)
    return torch.ops.lattn.attention_jvp(*arrays, *options, *tangents)


def attend(arrays: Sequence[Any], options: Options,
           tensors: Sequence[Tensor], run: Callable[..., tuple[Tensor, ...]]
           ) -> Optional[tuple[Tensor, Tensor]]:
    """Output and log-sum-exp of dual tensors, as dual tensors. None if no tensor is
    dual, and inside another transform. `tensors` are those that a score reads, `run`
    takes the primals with the options, and then the tangents."""
    if _transforms.are_nested():
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
