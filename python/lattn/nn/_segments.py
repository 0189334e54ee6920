"""Derivatives of local attention with xpos over long sequences, in segments.

The kernels of tangents and of second derivatives rotate all queries and keys of a call
at once. xpos also multiplies a query by a scale that grows with its distance from the
middle of the sequence, and a key by the inverse. In a long sequence these numbers
overflow, although a query and the keys that it sees are close, so that their scales
nearly cancel. So each call takes a segment: some queries, and all positions that they
see. The other queries among these positions have cotangents of 0, and their results are
dropped."""

from __future__ import annotations

import math
from typing import NamedTuple, Optional, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from .._local_kernels import Options
from . import _eager, _gradients
from ._derivatives import Kernels, Tensors
from ._formula import Formula
from ._module_kernels import pad

# Positions spread over at most this many times the base: scales are then 1e-15 to
# 1e15, as in the forward pass (lib/Dialect/Lattn/Transforms/FuseQueryKey.cpp).
_MAX_SPREAD = 55

_SEED = 5  # its place among tensors

LIMITS = ("derivatives of xpos, but the first gradients, with dropout over more than "
          f"{_MAX_SPREAD} times its base, or with blocks of that length,")


class _Segment(NamedTuple):
    first: int  # its queries
    last: int
    start: int  # what they see
    end: int

    def take(self, tensors: Tensors) -> list[Optional[Tensor]]:
        """Of (q, k, v, bias, mask, ...), or of their tangents."""
        q, k, v, bias, mask, *others = tensors
        rows = slice(self.start, self.end)
        q, k, v = (None if x is None else x[:, :, rows] for x in (q, k, v))
        return [q, k, v, bias, None if mask is None else mask[:, rows], *others]

    @property
    def own(self) -> slice:
        return slice(self.first - self.start, self.last - self.start)


def _reach(o: Options) -> tuple[int, int, int]:
    """The unit of segments, and how many positions before and after it they see, in
    such units."""
    unit = math.lcm(o.window_size, o.call_window_size)
    before, after = (-(-count * o.call_window_size // unit) * unit
                     for count in (o.look_backward, o.look_forward))
    return unit, before, after


def longest(o: Options, length: int, is_dropped: bool) -> Optional[int]:
    """How many queries a segment has; 0 if kernels cannot compute derivatives."""
    total = o.padded(length)
    most = _MAX_SPREAD * abs(o.xpos_scale_base)
    if not (o.dim and o.use_xpos) or total <= most:
        return total
    if is_dropped:  # what is dropped follows from positions in the call
        return 0
    unit, before, after = _reach(o)
    return max(int(most - before - after) // unit * unit, 0)


class InSegments(Kernels):
    """`kernels` of local attention with the options `o`, in segments where xpos scales
    need it. `formula` computes what kernels cannot."""

    def __init__(self, kernels: Kernels, o: Options, formula: Formula) -> None:
        self.kernels, self.o, self.formula = kernels, o, formula
        self.name = kernels.name
        self.compute, self.pull_back = kernels.compute, kernels.pull_back

    def _cut(self, tensors: Tensors) -> list[_Segment]:
        """No segments if kernels cannot compute them, or one."""
        length = tensors[0].shape[2]
        count = longest(self.o, length, tensors[_SEED] is not None)
        if count >= length:
            return [_Segment(0, length, 0, length)]
        if not count:
            _gradients.warn(LIMITS)
            return []
        _, before, after = _reach(self.o)
        return [_Segment(first, min(first + count, length),
                         max(first - before, 0),
                         min(first + count + after, length))
                for first in range(0, length, count)]

    def _join(self, method: str, *groups: Tensors) -> Tensor:
        segments = self._cut(groups[0])
        if len(segments) < 2:
            return getattr(self.kernels if segments else self.formula, method)(*groups)
        function = getattr(self.kernels, method)
        return torch.cat([function(*map(segment.take, groups))[:, :, segment.own]
                          for segment in segments], 2)

    def push_forward(self, *groups: Tensors) -> Tensor:
        return self._join("push_forward", *groups)

    def push_forward_twice(self, *groups: Tensors) -> Tensor:
        return self._join("push_forward_twice", *groups)

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> list[Optional[Tensor]]:
        segments = self._cut(tensors)
        if len(segments) < 2:
            kernels = self.kernels if segments else self.formula
            return kernels.pull_back_twice(tensors, grad, cotangents, needed)
        sums = [None if x is None else
                torch.zeros(x.shape, dtype=_eager.accumulator(x.dtype))
                for x in (*tensors[:3], tensors[3] if needed[3] else None)]
        of_grad = []
        for segment in segments:
            first, last, start, end = segment
            *made, last_made = self.kernels.pull_back_twice(
                segment.take(tensors),
                F.pad(grad[:, :, first:last], (0, 0, first - start, end - last)),
                segment.take(cotangents), needed)
            for total, x in zip(sums[:3], made):
                total[:, :, start:end] += x
            if needed[3]:
                sums[3] += made[3]
            of_grad.append(last_made[:, :, segment.own])
        found = [None if x is None else x.to(like.dtype)
                 for x, like in zip(sums, tensors)]
        return [*pad(found, tensors), torch.cat(of_grad, 2)]
