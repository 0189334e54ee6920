"""Kernels of `lattn.attention` for MultiheadAttention.

Scores are finite (NaN to 0, infinities to the largest numbers) if asked, plus
bias, -inf where key_mask is false, rounded to f32 where they have a bias."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import _builder, _kernels, math
from ._builder import array
from ._checks import element
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
          finite: bool, dropout: bool) -> str:
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
        score=_score(real, finite, bool(captures)))


def _by(of_bias: bool, key: tuple[Any, ...]) -> tuple[int, ...]:
    """The numbers of the arguments of the text by which it is differentiated."""
    element, _, _, masked, _, _, dropout = key
    # A captured bias stands behind the mask, p and the seed.
    bias = 3 + masked + 2 * dropout if element == "f64" else 3
    return (0, 1, 2, bias) if of_bias else (0, 1, 2)


def _count(key: tuple[Any, ...]) -> int:
    """How many arguments the text has before the output."""
    _, _, _, masked, biased, _, dropout = key
    return 3 + masked + biased + 2 * dropout


def _gradient(of_bias: bool, *key: Any) -> str:
    return _kernels.derive(_text(*key), "attention", "_grad", _by(of_bias, key),
                           "lattn.attention")


def _tangent(of_bias: bool, *key: Any) -> str:
    return _kernels.derive(_text(*key), "attention", "_jvp", _by(of_bias, key))


def _second_gradient(of_bias: bool, *key: Any) -> str:
    return _kernels.derive_twice(_text(*key), "attention", _by(of_bias, key),
                                 _count(key))


def _second_tangent(of_bias: bool, *key: Any) -> str:
    by, first = _by(of_bias, key), _count(key)
    text = _kernels.derive(_tangent(of_bias, *key), "attention_jvp", "_jvp",
                           (*by, *(first + i for i in range(len(by)))))
    # Two arguments would have the name d_query.
    return _kernels.without_names(text)


_GRADIENTS = {1: _gradient, 2: _second_gradient}


def run(q: Any, k: Any, v: Any, bias: Any, key_mask: Any, finite: bool, p: float,
        seed: Optional[int], out: Any, lse: Any) -> None:
    """Computes attention into out and lse. With a seed, p is the probability of
    dropout."""
    kernel = _get(_text, (), q, v, bias, key_mask, finite, seed)
    kernel(**_operands(q, k, v, bias, key_mask, p, seed), output=out, lse=lse)


def pull_back(q: Any, k: Any, v: Any, bias: Any, key_mask: Any, finite: bool,
              p: float, seed: Optional[int], arrays: Mapping[str, Any],
              order: int = 1) -> None:
    """Computes the gradients by q, k and v, and by the bias if d_bias is among
    `arrays`, which have the names of lattn-differentiate. Of order 1 they are those
    of the output, and read the output and lse. Of order 2 they are those of the
    gradients of order 1."""
    kernel = _get(_GRADIENTS[order], ("d_bias" in arrays,), q, v, bias, key_mask,
                  finite, seed)
    kernel(**_operands(q, k, v, bias, key_mask, p, seed), **arrays)


def push_forward(q: Any, k: Any, v: Any, bias: Any, key_mask: Any, finite: bool,
                 p: float, seed: Optional[int], tangents: Sequence[Any], out: Any,
                 lse: Any) -> None:
    """Computes the tangents of the output and of lse by those of q, k, v and, if it is
    there, of the bias."""
    kernel = _get(_tangent, (len(tangents) > 3,), q, v, bias, key_mask, finite, seed)
    kernel(*_operands(q, k, v, bias, key_mask, p, seed).values(), *tangents, out, lse)


def push_forward_twice(q: Any, k: Any, v: Any, bias: Any, key_mask: Any,
                       finite: bool, p: float, seed: Optional[int],
                       first: Sequence[Any], second: Sequence[Any],
                       both: Sequence[Any], out: Any, lse: Any) -> None:
    """Computes the tangents of `push_forward` by `first`, where the arrays have the
    tangents `second`, and `first` have the tangents `both`."""
    kernel = _get(_second_tangent, (len(first) > 3,), q, v, bias, key_mask, finite,
                  seed)
    kernel(*_operands(q, k, v, bias, key_mask, p, seed).values(), *first, *second,
           *both, out, lse)


def _operands(q: Any, k: Any, v: Any, bias: Any, key_mask: Any, p: float,
              seed: Optional[int]) -> dict[str, Any]:
    """By their names, in the order of the text's arguments."""
    operands = dict(query=q, key=k, value=v)
    of_bias = {} if bias is None else {"bias": bias}
    captured = element(q) == "f64"
    if not captured:
        operands |= of_bias
    if key_mask is not None:
        operands["key_mask"] = key_mask
    if seed is not None:
        operands |= dict(p=p, seed=seed)
    return operands | of_bias if captured else operands


def _get(make: Any, more: tuple[Any, ...], q: Any, v: Any, bias: Any, key_mask: Any,
         finite: bool, seed: Optional[int]) -> Any:
    return _kernels.get(make, *more, element(q), q.shape[3], v.shape[3],
                        key_mask is not None, bias is not None, finite,
                        seed is not None)
