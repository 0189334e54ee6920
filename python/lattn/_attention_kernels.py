"""Kernels of `lattn.attention`, and what they are compiled for."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _builder, _kernels, _lattn, math
from ._attention_options import Attributes
from ._builder import Array, array
from ._kernels import Callable
from ._scores import Program
from ._symbols import Region, Symbol


class Key(NamedTuple):
    """The properties that a kernel is compiled for, like KernelKey of
    python/src/Kernels.h. Types are MLIR's names. None means that an argument is not
    given."""

    type: str
    head_size: int
    value_size: int
    few: Optional[tuple[int, int, int]]  # queries, and heads of q and of k
    attributes: Attributes
    bias: Optional[str]
    bias_is_shared: tuple[bool, ...]  # axes of (B, H, N, M) with one element
    key_mask: bool
    lengths: Optional[str]
    offset: Optional[str]
    offset_is_one: bool
    sink: Optional[str]
    dropout: bool
    mask: Optional[str]
    mask_is_shared: tuple[bool, ...]
    program: Optional[Program]
    lse: bool
    gradients: bool  # lattn.attention_grad
    bias_gradient: bool
    capture_gradients: bool  # of all captured arrays of floats
    page_size: int = 0  # 0: keys do not lie in pages
    pages: Optional[str] = None
    cu_seqlens_q: Optional[str] = None  # of packed sequences
    cu_seqlens_k: Optional[str] = None
    least_queries: int = 0  # that each call has


def _of_pairs(element: str, is_shared: tuple[bool, ...]) -> Array:
    return array(element, *(1 if shared else None for shared in is_shared))


def _captures(key: Key) -> dict[str, Array]:
    arrays = {}
    if key.mask:
        arrays["mask"] = _of_pairs(key.mask, key.mask_is_shared)
    if key.program:
        for i, (element, rank) in enumerate(key.program.arrays):
            arrays[f"c{i}"] = array(element, *[None] * rank)
        if key.program.reads_last:
            arrays["last"] = array("i32", None)
    return arrays


def _score(key: Key) -> Symbol:
    """Writes softcap * tanh(s / softcap), then the program, then the mask."""
    real = _builder.accumulator(key.type)
    region = Region(real, "u")  # programs name their results %v0, %v1, ...
    score, *at = region.arguments()
    if softcap := key.attributes.softcap:
        score = math.tanh(score * (1 / softcap)) * softcap
    if key.program:
        *lines, result = (re.sub(r"%s\b", score.name, text) for text in (
            *key.program.lines, key.program.result))
        region.lines += lines
        score = Symbol(region, result, real)
    if key.mask:
        indices = [
            region.constant(0, "index").name if is_shared else region.index(x)
            for x, is_shared in zip(at, key.mask_is_shared)]
        mask = region.load("mask", key.mask, *indices)
        if key.mask == "i8":  # booleans as bytes
            zero = region.constant(0, "i8").name
            mask = region.emit(f"arith.cmpi ne, {mask.name}, {zero} : i8", "i1")
        score = (math.where(mask, score, float("-inf")) if mask.kind == "i1"
                 else score + region.cast("extf", mask, real))
    return score


def _operands(key: Key) -> dict[str, Union[Array, str]]:
    """The types of the operands by name, in the order of the op's syntax."""
    count, heads, kv_heads = key.few or (None, None, None)
    found: dict[str, Union[Array, str]] = {
        "query": _rows(key, heads, count, key.head_size),
        "key": _rows(key, kv_heads, key.page_size or None, key.head_size),
        "value": _rows(key, kv_heads, key.page_size or None, key.value_size)}
    if key.pages:
        found["pages"] = array(key.pages, None, None)
    for side, element in (("q", key.cu_seqlens_q), ("k", key.cu_seqlens_k)):
        if element:
            found[f"cu_seqlens_{side}"] = array(element, None)
            found[f"max_seqlen_{side}"] = "i64"
    if key.bias:
        found["bias"] = _of_pairs(key.bias, key.bias_is_shared)
    if key.key_mask:
        found["key_mask"] = array("i1", None, None)
    if key.lengths:
        found["kv_lens"] = array(key.lengths, None)
    if key.offset:
        found["offset"] = (key.offset if key.offset_is_one
                           else array(key.offset, None))
    if key.sink:
        found["sink"] = array(key.sink, None)
    return found


def _rows(key: Key, heads: Optional[int], count: Optional[int], size: int
          ) -> Array:
    axes = (count, heads) if key.attributes.is_bnhd else (heads, count)
    return array(key.type, None, *axes, size)


def _results(key: Key) -> tuple[Array, Array]:
    """The output and lse."""
    count, heads, _ = key.few or (None, None, None)
    return (_rows(key, heads, count, key.value_size),
            array(_builder.accumulator(key.type), None, heads, count))


def write_tangents(key: Key, captured: Sequence[str] = ()) -> str:
    """The text of a lattn.attention_jvp with tangents of query, key, value, sink and
    bias, and of these captured arrays: none, or all of floats."""
    operands, (output, lse) = _operands(key), _results(key)
    captures = _captures(key)
    given = {f"d_{name}": operands[name]
             for name in ("query", "key", "value", "sink", "bias")
             if name in operands}
    groups = {"d_captures": {f"d_{name}": captures[name] for name in captured}}
    text = _builder.attention(
        "attention_jvp", operands, {"output": output, "lse": lse,
                                    "d_output": output, "d_lse": lse},
        key.attributes.write(), dropout=key.dropout, captures=captures, given=given,
        given_groups=groups if captured else {}, score=_score(key),
        layout=key.attributes.layout)
    return _raise_selects(key, text)


def _text(key: Key) -> str:
    operands, (output, lse) = _operands(key), _results(key)
    captures = _captures(key)
    given, outputs, behind = {}, {"output": output}, {}
    if key.gradients:
        given = {"output": output, "lse": lse, "d_output": output,
                 "d_lse": lse}
        outputs = {f"d_{name}": operands[name] for name in
                   ("query", "key", "value", "sink") if name in operands}
        if key.bias_gradient:
            behind["d_bias"] = {"d_bias": operands["bias"]}
        if key.capture_gradients:
            behind["d_captures"] = {
                f"d_{name}": kind for name, kind in captures.items()
                if kind.element[0] != "i"}
    elif key.lse:
        outputs["lse"] = lse
    text = _builder.attention(
        "attention_grad" if key.gradients else "attention", operands, outputs,
        key.attributes.write(), dropout=key.dropout, captures=captures, given=given,
        behind=behind, score=_score(key), layout=key.attributes.layout,
        least_queries=key.least_queries)
    return _raise_selects(key, text)


def _raise_selects(key: Key, text: str) -> str:
    """Programs without a select hide nothing."""
    if key.program and any("select" in line for line in key.program.lines):
        text = raise_masks(text)
    return text


def raise_masks(text: str) -> str:
    """Turns what score regions hide into windows, as far as that is proven."""
    return _lattn.run_passes(text.encode(), "<text>",
                             "builtin.module(lattn-raise)")


def get_kernel(device: int, stream: int, *key: Any) -> Callable:
    """The kernel for a device; a negative number is the host. Called from C++ with
    positional arguments."""
    try:
        made = Key(*key)
        return _kernels.get(_text, made, device=device, stream=stream)
    except RuntimeError as error:
        raise RuntimeError(f"lattn.attention: {error}") from None
