"""Turns score_mod, mask_mod and segments into the text of a score region."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from typing import Any, NamedTuple

from . import _lattn, math
from ._captures import Captures
from ._symbols import Region, Symbol, describe


class Program(NamedTuple):
    """What a kernel's text is made of."""

    lines: tuple[str, ...]  # ops on %s, %b, %h, %i, %j and the arrays c0, c1...
    result: str  # the name of the score after them
    arrays: tuple[tuple[str, int], ...]  # their types and ranks
    reads_last: bool  # whether `last`, the last indices of their axes, is read


class Traced(NamedTuple):
    """The result of `trace`: the program, and the arrays that it reads with their names
    for messages."""

    program: Program
    arrays: list[tuple[str, Any]]


_programs: dict[Program, Program] = {}


def trace(mods: tuple, real: str, extents: tuple[int, ...],
          describe_array: Any = _lattn.describe) -> Traced:
    """Traces the functions. Equal programs are one object. `mods` are score_mod,
    mask_mod, q_segments and kv_segments; each is None or traced already. `real` is
    the type of scores, `extents` are B, H, N, M. `describe_array` takes an array and
    a name and returns element type and shape."""
    if isinstance(mods, Traced):
        return mods
    score_mod, mask_mod, q_segments, kv_segments = mods
    region = Region(real)
    captures = region.captures = Captures(region, extents, describe_array)
    score, *at = region.arguments()
    with _see_torch(captures):
        if score_mod is not None:
            score = _trace(captures, "score_mod", score_mod, [score, *at], real)
        if mask_mod is not None:
            mask = _trace(captures, "mask_mod", mask_mod, at, "i1")
            score = math.where(mask, score, float("-inf"))
    if q_segments is not None or kv_segments is not None:
        same = _compare_segments(captures, q_segments, kv_segments, at)
        score = math.where(same, score, float("-inf"))
    program = Program(tuple(region.lines), score.name, captures.kinds(),
                      captures.reads_last)
    return Traced(_programs.setdefault(program, program), captures.arrays)


def _trace(captures: Captures, name: str, function: Any, at: list[Symbol],
           kind: str) -> Symbol:
    region = captures.region
    region.what = name
    arguments = ("score, " if len(at) == 5 else "") + \
        "batch, head, q_idx, kv_idx"
    if not callable(function):
        raise TypeError(f"{name}: expected a function of ({arguments}), got "
                        f"{describe(function)}")
    try:
        result = captures.wrap_callable(function)(*at)
    except TypeError:
        signature = _find_misfit(function, at)
        if signature is None:
            raise
        raise TypeError(f"{name}: expected a function of ({arguments}), got "
                        f"one of {signature}") from None
    if not isinstance(result, Symbol) or result.kind != kind:
        expected = ("True or False, as of a comparison" if kind == "i1" else
                    "a number made of the score")
        raise TypeError(f"{name}: expected {expected} to be returned, got "
                        f"{describe(result)}")
    return result


def _find_misfit(function: Any, at: list[Symbol]) -> Any:
    """The function's signature, if it does not take the arguments."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # builtins may have none
        return None
    try:
        signature.bind(*at)
    except TypeError:
        return signature
    return None


def _compare_segments(captures: Captures, q_segments: Any, kv_segments: Any,
                      at: list[Symbol]) -> Symbol:
    b, _, n, m = captures.extents
    found = []
    for name, array, length, position in (("q_segments", q_segments, n, 2),
                                          ("kv_segments", kv_segments, m, 3)):
        if array is None:
            raise ValueError(f"{name}: expected an array where "
                             "q_segments or kv_segments is given, got None")
        captures.region.what = name
        array = captures.add(array)
        if not hasattr(array, "shape") or tuple(array.shape) != (b, length):
            raise ValueError(f"{name}: expected the shape (B, "
                             f"{'NM'[position - 2]}) = ({b}, {length}), got "
                             f"{tuple(getattr(array, 'shape', ()))}")
        segment = array[at[0], at[position]]
        if segment.kind not in ("i32", "i64"):
            raise TypeError(f"{name}: expected elements of integers, got "
                            f"{array.dtype}")
        found.append(segment)
    return found[0] == found[1]


def _see_torch(captures: Captures) -> Any:
    """A context in which tensors that are indexed by symbols are captured, wherever
    they come from."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "overrides"):
        return contextlib.nullcontext()
    return _make_torch_mode(torch.overrides.TorchFunctionMode)(captures)


@functools.lru_cache(maxsize=1)
def _make_torch_mode(base: type) -> type:
    class Mode(base):
        def __init__(self, captures: Captures) -> None:
            super().__init__()
            self.captures = captures

        def __torch_function__(self, function, types, xs=(), options=None):
            if getattr(function, "__name__", "") == "__getitem__":
                index = xs[1] if isinstance(xs[1], tuple) else (xs[1],)
                if any(isinstance(i, Symbol) for i in index):
                    return self.captures.add(xs[0], "tensor")[index]
            return function(*xs, **(options or {}))

    return Mode
