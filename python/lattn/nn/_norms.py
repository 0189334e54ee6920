"""RMS norms and layer norms of rows, one kernel without gradients."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor

from .. import _kernels
from .._checks import element
from . import _blocks, _ops
from ._tensors import Program


def _text(kind: str, size: int, centered: bool, added: float) -> str:
    p = Program(kind)
    x, gain = p.array("x", None, size), p.array("gain", size)
    epsilon = p.number("epsilon")
    target = p.array("output", None, size, writable=True)
    count = p.float(size)
    totals = ([p.each("nd->n", lambda v, sum: p.op("arith.addf", sum, v), x)]
              if centered else [])

    def away(v: str, total: tuple[str, ...]) -> str:
        """From the mean, if it is subtracted."""
        return (p.op("arith.subf", v, p.op("arith.divf", total[0], count))
                if total else v)

    def square(v: str, *rest: str) -> str:
        *total, sum = rest
        v = away(v, tuple(total))
        return p.op("arith.addf", sum, p.op("arith.mulf", v, v))

    def norm(v: str, squares: str, gain: str, *total: str) -> str:
        mean = p.op("arith.addf", p.op("arith.divf", squares, count), epsilon)
        scale = p.op("arith.divf", p.constant(1.0), p.op("math.sqrt", mean))
        if added:
            gain = p.op("arith.addf", gain, p.constant(added))
        return p.op("arith.mulf", p.op("arith.mulf", away(v, total), scale),
                    gain)
    more = ",n" * centered
    squares = p.each(f"nd{more}->n", square, x, *totals)
    y = p.each(f"nd,n,d{more}->nd", norm, x, squares, gain, *totals,
               element=kind, target=target)
    p.write(y, "output")
    return p.text()


def fits(x: Tensor, gain: Optional[Tensor]) -> bool:
    """Whether `compute` takes x (..., D): without gradients."""
    return (gain is not None and gain.shape == x.shape[-1:] and x.numel() > 0
            and _blocks.fits(x, gain, least=1, kinds=_blocks.KINDS, lanes=1))


def compute(x: Tensor, gain: Tensor, epsilon: float, *, centered: bool = False,
            added: float = 0.0) -> Tensor:
    """Rows of x (..., D) over the root of their mean square plus epsilon, times
    gain (D) + added; `centered` subtracts the mean first. The result has x's
    order of axes, where heads were split and swapped with positions."""
    swapped = x.dim() == 4 and not x.is_contiguous()
    rows = (x.transpose(1, 2) if swapped else x).contiguous()
    out = torch.empty_like(rows)
    size = x.shape[-1]
    _ops.call(_kernels.get(_text, element(x), size, centered, added),
              x=rows.view(-1, size), gain=gain.contiguous(), epsilon=epsilon,
              output=out.view(-1, size))
    return out.transpose(1, 2) if swapped else out
