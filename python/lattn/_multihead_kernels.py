"""Kernels of `lattn.attention` for MultiheadAttention.

Scores are finite (NaN to 0, infinities to the largest numbers) if asked, plus
bias, -inf where key_mask is false, rounded to f32 where they have a bias."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _builder, math
from ._builder import array
from ._checks import element
from ._derived import Call
from ._symbols import Region, Symbol


def _score(real: str, finite: bool, captured: bool) -> Symbol:
    """The text of the score region, which reads the bias if it is captured."""
    region = Region(real)
    score, *at = region.arguments()
    if finite:
        most = float(np.finfo("f8" if real == "f64" else "f4").max)
        score = math.clip(math.where(math.isnan(score), 0.0, score), -most, most)
    if captured:
        score = score + region.load("bias", real, *map(region.index, at))
        score = region.cast("extf", region.cast("truncf", score, "f32"), real)
    return score


def _text(element: str, size: int, value_size: int, masked: bool, biased: bool,
          finite: bool, dropout: bool, least_queries: int = 0) -> str:
    real = _builder.accumulator(element)
    head = array(element, None, None, None, size)
    value = array(element, None, None, None, value_size)
    operands = {"query": head, "key": head, "value": value}
    bias = {"bias": array(real, None, None, None, None)} if biased else {}
    # In f64 the sum with the bias is rounded to f32: in the region.
    captures = bias if real == "f64" else {}
    if not captures:
        operands |= bias
    if masked:
        operands["key_mask"] = array("i1", None, None)
    return _builder.attention(
        "attention", operands,
        {"output": value, "lse": array(real, None, None, None)},
        _builder.attributes(scale=1.0), dropout=dropout, captures=captures,
        score=_score(real, finite, bool(captures)), least_queries=least_queries)


def call(q: Any, k: Any, v: Any, bias: Any, key_mask: Any, finite: bool,
         p: float = 0.0, seed: Optional[int] = None) -> Call:
    """Attention of these, whose results are output and lse. With a seed, p is the
    probability of dropout."""
    operands = dict(query=q, key=k, value=v)
    of_bias = {} if bias is None else {"bias": bias}
    is_captured = element(q) == "f64"
    if not is_captured:
        operands |= of_bias
    if key_mask is not None:
        operands["key_mask"] = key_mask
    if seed is not None:
        operands |= dict(p=p, seed=seed)
    if is_captured:
        operands |= of_bias
    key = (element(q), q.shape[3], v.shape[3], key_mask is not None,
           bias is not None, finite, seed is not None)
    return Call(_text, key, "attention", operands)
