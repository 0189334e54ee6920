"""Feed-forward networks with a gate, as of Llama: down(act(gate(x)) * up(x)), one
kernel without gradients."""

from __future__ import annotations

import math
from typing import Callable, NamedTuple, Optional

import torch
from torch import Tensor

from .. import _kernels
from .._checks import element
from . import _blocks, _few, _ops, _tensors
from ._tensors import Program


class Weights(NamedTuple):
    """gate and up (F, D), down (D, F), and biases for all of them or none."""

    gate: Tensor
    up: Tensor
    down: Tensor
    gate_bias: Optional[Tensor] = None
    up_bias: Optional[Tensor] = None
    down_bias: Optional[Tensor] = None


def _silu(p: Program, v: str) -> str:
    power = p.op("math.exp", p.op("arith.negf", v))
    return p.op("arith.divf", v, p.op("arith.addf", power, p.constant(1.0)))


def _gelu_tanh(p: Program, v: str) -> str:
    cube = p.op("arith.mulf", p.op("arith.mulf", v, v), v)
    inner = p.op("math.fma", cube, p.constant(0.044715), v)
    scaled = p.op("arith.mulf", inner, p.constant(math.sqrt(2 / math.pi)))
    return _tensors.half_of(p, v, p.op("math.tanh", scaled))


# By the names of transformers' ACT2FN.
ACTIVATIONS: dict[str, Callable[[Program, str], str]] = {
    "silu": _silu, "gelu": _tensors.gelu, "gelu_pytorch_tanh": _gelu_tanh}


def _text(kind: str, size: Optional[int], inner: Optional[int], act: str,
          biased: bool, rows: Optional[int]) -> str:
    """Sizes are None where weights are read once, for few rows."""
    p = Program(kind)
    x = p.array("x", rows, size)
    names = "gate", "up"
    weights = [p.array(name, inner, size) for name in names]
    down = p.array("down", size, inner)
    biases = [p.array(f"{name}_bias", inner) if biased else None
              for name in names]
    last = p.array("down_bias", size) if biased else None
    target = p.array("output", rows, size, writable=True)
    parts = [p.matmul(x, weight) for weight in weights]

    def gate(v: str, w: str, *added: str) -> str:
        if added:
            v, w = (p.op("arith.addf", a, b) for a, b in zip((v, w), added))
        return p.op("arith.mulf", ACTIVATIONS[act](p, v), w)
    axes = "nf,nf,f,f->nf" if biased else "nf,nf->nf"
    hidden = p.each(axes, gate, *parts, *(b for b in biases if b is not None),
                    element="f32" if rows else kind)
    if last is None:
        y = p.matmul(hidden, down, "nk", kind, target)
    else:
        y = p.each("nd,d->nd", lambda v, b: p.op("arith.addf", v, b),
                   p.matmul(hidden, down), last, element=kind, target=target)
    p.write(y, "output")
    return p.text()


def fits(x: Tensor, weights: Weights) -> bool:
    """Whether `compute` takes rows x (..., D): few or many, without gradients."""
    rows = x.numel() // max(x.shape[-1], 1)
    return ((0 < rows <= _few.MOST or rows >= _blocks.LEAST_ROWS)
            and weights.down.shape[1] > 0
            and _blocks.fits(x, *weights, least=1, kinds=_blocks.KINDS,
                             lanes=1))


def compute(x: Tensor, weights: Weights, act: str) -> Tensor:
    """x (..., D) to (..., D)."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    count, size = rows.shape
    inner, biased = weights.down.shape[1], weights.down_bias is not None
    few = count <= _few.MOST
    kernel = _kernels.get(_text, element(x), None if few else size,
                          None if few else inner, act, biased,
                          count if few else None)
    out = torch.empty_like(rows)
    _ops.call(kernel, x=rows, **{
        name: w.contiguous() for name, w in weights._asdict().items()
        if w is not None}, output=out)
    return out.view(x.shape)
