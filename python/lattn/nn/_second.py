"""Derivatives of the gradients of lattn.attention, by kernels that
lattn-differentiate writes."""

from __future__ import annotations

import re
from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from .. import _attention_kernels, _builder, _kernels, _lattn
from .._attention_options import Options
from .._scores import Traced
from . import _operands, _sequences, _tiles
from ._operands import Key

_RESULTS = ("output", "lse", "d_output", "d_lse")
_NAMES = (*_operands.INPUTS, *_RESULTS)


def _find_wanted(key: Key) -> list[str]:
    """What the kernel computes cotangents of, in its order. Those of gradients come
    first."""
    kinds = dict(key.kinds)
    inputs = [name for name in _operands.INPUTS if name in kinds]
    captured = _operands.get_floats(key) if key.of_captures else []
    return [*inputs, *captured, *_RESULTS]


def _text(key: Key) -> str:
    kinds = _operands.get_types(key.kinds)
    given = {name: kinds.pop(name) for name in _RESULTS}
    outputs = {f"d_{name}": kinds[name]
               for name in ("query", "key", "value", "sink") if name in kinds}
    captures = _attention_kernels._captures(key)
    behind = {}
    if "bias" in kinds:
        behind["d_bias"] = {"d_bias": kinds["bias"]}
    if key.of_captures:
        behind["d_captures"] = {f"d_{name}": captures[name]
                                for name in _operands.get_floats(key)}
    text = _attention_kernels._raise_selects(key, _builder.attention(
        "attention_grad", kinds, outputs, key.attributes.write(),
        dropout=key.dropout, is_batch=key.is_batch, captures=captures, given=given,
        behind=behind, score=_attention_kernels._score(key)))
    names = [*kinds, *(["p", "seed"] if key.dropout else []),
             *(["batch"] if key.is_batch else []), *captures, *given]
    numbers = ",".join(str(names.index(name)) for name in _find_wanted(key))
    text = _lattn.run_passes(
        text.encode(), "<text>",
        f"builtin.module(lattn-differentiate{{arguments={numbers}}})")
    # Without the gradients themselves, and the names of arguments, of which some
    # are there twice.
    text = re.sub(r"\n  func\.func @attention_grad\(.*?\n  }\n", "\n", text,
                  count=1, flags=re.DOTALL)
    return _kernels.without_names(text)


def _compute(arrays: Sequence[Any], options: Options,
             results: Sequence[Tensor], given: dict[str, Any], made: dict[str, Any],
             extents: tuple[int, int], score: Optional[Traced], of_captures: bool,
             batch: Optional[int] = None) -> None:
    """Writes the cotangents of the inputs of gradients to `made`. `extents` are the
    numbers of batches and keys of key masks and lengths; the arrays may be one `batch`
    of them."""
    if results[1].numel() == 0:
        return
    one, p, seed = options.offset, options.dropout_p, arrays[11]
    front = _operands.insert_offset(_operands.get_arrays(arrays, *extents), one)
    captures = _operands.get_captures(arrays[5], score)
    found = {**front, **captures, **dict(zip(_RESULTS, results))}
    kinds = {name: _operands.get_kind(name, x) for name, x in found.items()
             if name not in captures}
    key = _operands.make_key(arrays, options, kinds, captures, score,
                             of_captures=of_captures, is_batch=batch is not None)
    wanted = _find_wanted(key)
    of_gradients = wanted[:-len(_RESULTS)]
    _kernels.get(_text, key)(
        *front.values(), *([] if seed is None else [p, seed.item()]),
        *([] if batch is None else [batch]), *captures.values(), *results,
        *(given[name].reshape(found[name].shape) for name in of_gradients),
        *(made[name].reshape(found[name].shape) for name in wanted))


def compute(arrays: Sequence[Any], options: Options,
            results: Sequence[Tensor], cotangents: Sequence[Optional[Tensor]],
            of_captures: bool, score: Optional[Traced] = None,
            of_score: Sequence[Optional[Tensor]] = ()) -> tuple[Tensor, ...]:
    """`results` are (output, lse, d_output, d_lse). From the cotangents of the
    gradients of q, k, v, sink, bias and attn_mask, and `of_score` those of the arrays
    of `score`, computes the cotangents of q, k, v, sink, bias, attn_mask, output, lse,
    d_output, d_lse and the arrays of `score`. Those of absent arrays are empty, and so
    are those of integers, and of all captured arrays unless `of_captures`."""
    extents = _sequences.get_extents(arrays, options.layout)
    traced, score = score, _operands.bind_segments(arrays, score, extents)
    results = [x.resolve_neg() for x in results]
    inputs = dict(zip(_NAMES, (*(arrays[i] for i in _operands.PLACES), *results)))
    more = {} if score is None else {
        f"c{i}": x for i, (_, x) in enumerate(score.arrays)}
    of_inputs = dict(zip(_operands.INPUTS, cotangents)) | dict(zip(more, of_score))
    made = {name: _operands.make_zeros(x) for name, x in (inputs | more).items()
            if name not in ("mask", *more) and x is not None
            or of_captures and _operands.is_float(x)}
    given = {name: _operands.make_zeros(made[name]) if x is None else x.resolve_neg()
             for name, x in of_inputs.items() if name in made}
    batches_and_keys = (extents[0], extents[3])
    if _tiles.are_needed(arrays[0]):
        _tiles.warn("second derivatives")
        _tiles.pull_back_twice(arrays, options, results[2:], {
            name: x for name, x in of_inputs.items() if x is not None and name in made},
            made, traced)
    elif not _sequences.are_packed(arrays):
        _compute(arrays, options, results, given, made, batches_and_keys, score,
                 of_captures)
    else:
        for part in _sequences.split(arrays, options):
            _add_part(part, results, given, made, batches_and_keys, score,
                      of_captures)
    return tuple(made.get(name, arrays[0].new_empty(0)) for name in (*_NAMES, *more))


def _add_part(part: _sequences.Part, results: Sequence[Tensor],
              given: dict[str, Any], made: dict[str, Any], extents: tuple[int, int],
              score: Optional[Traced], of_captures: bool) -> None:
    """Writes what one of several sequences contributes to `made`."""
    places = {name: part.take(name, x) for name, x in made.items()}
    # Sequences add to what they share.
    own = {name: _operands.make_zeros(x) if _sequences.is_shared(name, x) else x
           for name, x in places.items()}
    _compute(part.arrays, part.options,
             [part.take(name, x) for name, x in zip(_RESULTS, results)],
             {name: part.take(name, x) for name, x in given.items()}, own, extents,
             score, of_captures, part.number)
    for name, x in own.items():
        if x is not places[name]:
            places[name] += x
