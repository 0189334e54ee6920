"""GEGLU as kernels, forward and backward."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _kernels
from .._checks import element
from . import _blocks, _gradients, _ops, _tensors, _transforms


def fits(x: Tensor) -> bool:
    """Whether the kernels take x (..., 2 F)."""
    return (not _transforms.are_active() and type(x) is Tensor and x.is_cpu
            and x.dtype in _blocks.KINDS and x.dim() > 0 and x.numel() > 0
            and x.shape[-1] % 2 == 0 and not x.is_neg())


def geglu(x: Tensor) -> Tensor:
    """The first half of each row times gelu of the second, in torch's
    operations."""
    values, gates = x.chunk(2, dim=-1)
    return values * F.gelu(gates)


def _text(kind: str, inner: int) -> str:
    p = _tensors.Program(kind)
    parts = [p.array(name, None, inner, is_part=True)
             for name in ("values", "gates")]
    output = p.array("output", None, inner, writable=True)
    p.write(_tensors.gate(p, *parts, kind, output), "output")
    return p.text()


def _gradient(kind: str, inner: int) -> str:
    """Computes both gradients in one loop, with one erf."""
    p = _tensors.Program(kind)
    parts = [p.array(name, None, inner, is_part=True)
             for name in ("values", "gates")]
    grad = p.array("d_output", None, inner)
    names = "d_values", "d_gates"
    targets = [p.array(name, None, inner, writable=True, is_part=True)
               for name in names]

    def compute(v: str, g: str, d: str) -> list[str]:
        half = p.constant(0.5)
        sum = p.op("math.erf", p.op("arith.mulf", g, p.constant(math.sqrt(0.5))))
        below = p.op("math.fma", sum, half, half)
        square = p.op("arith.mulf", p.op("arith.mulf", g, g), p.constant(-0.5))
        density = p.op("arith.mulf", p.op("math.exp", square),
                       p.constant(1 / math.sqrt(2 * math.pi)))
        slope = p.op("math.fma", g, density, below)
        return [p.op("arith.mulf", d, p.op("arith.mulf", g, below)),
                p.op("arith.mulf", p.op("arith.mulf", d, v), slope)]
    found = p.several("nd,nd,nd->nd,nd", compute, *parts, grad, element=kind,
                      targets=targets)
    for name, x in zip(names, found):
        p.write(x, name)
    return p.text()


def _halves(x: Tensor, *names: str) -> dict[str, Tensor]:
    return dict(zip(names, x.view(-1, x.shape[-1]).chunk(2, dim=1)))


class GEGLU(torch.autograd.Function):

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        x = x.contiguous()
        out = x.new_empty(*x.shape[:-1], x.shape[-1] // 2)
        _ops.call(_kernels.get(_text, element(x), out.shape[-1]),
                  **_halves(x, "values", "gates"),
                  output=out.view(-1, out.shape[-1]))
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        x, = ctx.saved_tensors
        if torch.is_grad_enabled():
            return _gradients.recompute(geglu, [x], [True], grad)[0]
        x = x.contiguous()
        found = torch.empty_like(x)
        _ops.call(_kernels.get(_gradient, element(x), grad.shape[-1]),
                  **_halves(x, "values", "gates"),
                  d_output=grad.contiguous().view(-1, grad.shape[-1]),
                  **_halves(found, "d_values", "d_gates"))
        return found


def start(kind: str, inner: int) -> None:
    """Begins to compile the kernels."""
    for text in (_text, _gradient):
        _kernels.start(text, kind, inner)
