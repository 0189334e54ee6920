"""lattn::few_rows and lattn::few_feed_forward, torch operators: the work of decoding
between attentions. Each weight is read once, row by row, in place."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor

from .. import _kernels
from .._checks import element
from . import _blocks, _library, _ops, _tensors
from ._tensors import Program

MOST = 8  # rows


def _rows_text(rows: int, element: str, normed: bool) -> str:
    p = Program(element)
    x, weight = p.array("x", rows, None), p.array("weight", None, None)
    if normed:
        x = _tensors.layer_norm(p, x, p.array("gain", None),
                                p.array("bias", None), p.number("epsilon"))
    p.array("y", rows, None)
    p.write(p.matmul(x, weight, element=element), "y")
    return p.text()


def feed(p: Program, x: _tensors.Tensor, gain: _tensors.Tensor,
         bias: _tensors.Tensor, epsilon: str, up: _tensors.Tensor,
         down: _tensors.Tensor) -> _tensors.Tensor:
    """The work of `feed_forward`."""
    both = p.matmul(_tensors.layer_norm(p, x, gain, bias, epsilon), up)
    return p.matmul(_tensors.geglu(p, both, down.sizes[1]), down,
                    element=x.element)


def _feed_forward_text(rows: int, element: str) -> str:
    p = Program(element)
    x = p.array("x", rows, None)
    y = feed(p, x, p.array("gain", None), p.array("bias", None),
             p.number("epsilon"), p.array("up", None, None),
             p.array("down", None, None))
    p.array("y", rows, None)
    p.write(y, "y")
    return p.text()


@_library.operator("few_rows")
def multiply(x: Tensor, weight: Tensor, gain: Optional[Tensor],
              bias: Optional[Tensor], epsilon: float) -> Tensor:
    """x (..., K) and weight (N, K), K a multiple of 16, to (..., N); gain and
    bias (K) of a layer norm before it. All are of one type; sums and what lies
    between are float32."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    size = rows.shape[1]
    _ops.check_shape("weight", weight, None, size)
    y = rows.new_empty(rows.shape[0], weight.shape[0])
    norm = {}
    if gain is not None:
        _ops.check_shape("gain", gain, size)
        _ops.check_shape("bias", bias, size)
        norm = dict(gain=gain.contiguous(), bias=bias.contiguous(),
                    epsilon=epsilon)
    kernel = _kernels.get(_rows_text, rows.shape[0], element(rows), bool(norm))
    _ops.call(kernel, x=rows, weight=weight.contiguous(), **norm, y=y)
    return y.view(*x.shape[:-1], weight.shape[0])


@_library.fake("few_rows")
def _(x, weight, gain, bias, epsilon):
    return x.new_empty(*x.shape[:-1], weight.shape[0])


@_library.operator("few_feed_forward")
def feed_forward(x: Tensor, gain: Tensor, bias: Tensor, epsilon: float,
                 up: Tensor, down: Tensor) -> Tensor:
    """Like lattn::feed_forward."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    size, inner = rows.shape[1], down.shape[1]
    for name, vector in (("gain", gain), ("bias", bias)):
        _ops.check_shape(name, vector, size)
    _ops.check_shape("up", up, 2 * inner, size)
    _ops.check_shape("down", down, size, None)
    y = torch.empty_like(rows)
    kernel = _kernels.get(_feed_forward_text, rows.shape[0], element(rows))
    _ops.call(kernel, x=rows, gain=gain.contiguous(), bias=bias.contiguous(),
              epsilon=epsilon, up=up.contiguous(), down=down.contiguous(), y=y)
    return y.view(x.shape)


@_library.fake("few_feed_forward")
def _(x, gain, bias, epsilon, up, down):
    return x.new_empty(x.shape)


def fits(x: Tensor, *others: Optional[Tensor]) -> bool:
    return (0 < x.numel() <= MOST * x.shape[-1]
            and _blocks.fits(x, *others, least=1, kinds=_blocks.KINDS))
