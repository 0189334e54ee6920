"""lattn::heads, a torch operator: rows, or their layer norm, times a weight,
split into heads, of which the first are made of length 1 and scaled, if asked."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor, nn

from .. import _kernels
from .._checks import element
from . import _blocks, _library, _ops, _tensors


def _unit(p: _tensors.Program, split: _tensors.Tensor, scales: _tensors.Tensor,
          target: _tensors.Tensor) -> _tensors.Tensor:
    """Heads (3, H, N, D) of (N, 3, H, D), as torch's normalize, and scaled:
    values have a scale of 1 and stay what they are."""
    squares = p.each("npht->nph", lambda v, sum: p.op(
        "arith.addf", sum, p.op("arith.mulf", v, v)), split)
    are_units = scales._replace(sizes=(3,), element="f32")
    are_units = are_units._replace(name=p.op(
        "arith.constant", "dense<[1.0, 1.0, 0.0]>", kind=are_units.kind))

    def scale(v: str, square: str, scale: str, is_unit: str) -> str:
        one, least = p.constant(1.0), p.constant(1e-12)
        length = p.op("math.sqrt", square)
        is_short = p.op("arith.cmpf olt,", length, least)
        divisor = p.op("arith.select", is_short, least, length)
        chosen = p.op("arith.cmpf oeq,", is_unit, one)
        factor = p.op("arith.select", chosen,
                      p.op("arith.divf", one, divisor), one)
        return p.op("arith.mulf", p.op("arith.mulf", v, factor), scale)
    return p.each("npht,nph,pt,p->phnt", scale, split, squares, scales,
                  are_units, element=target.element, target=target)


def _text(kind: str, width: int, heads: int, size: int, normed: bool,
          scaled: bool) -> str:
    p = _tensors.Program(kind)
    x = p.array("x", None, width)
    weight = p.array("weight", width, 3 * heads * size)
    target = p.array("output", 3, heads, None, size, writable=True)
    if normed:
        gain, bias = (p.array(name, width)
                      for name in ("gain", "bias"))
        x = _tensors.layer_norm(p, x, gain, bias, p.number("epsilon"))
    packed = p.matmul(x, weight, "kn")
    split = p.reshape(packed, [[0], [1, 2, 3]],
                      (packed.sizes[0], 3, heads, size))
    if scaled:
        y = _unit(p, split, p.array("scales", 3, size), target)
    else:
        y = p.each("npht->phnt", lambda v: v, split, element=kind,
                   target=target)
    p.write(y, "output")
    return p.text()


@_library.operator("heads")
def _heads(x: Tensor, weight: Tensor, size: int, gain: Optional[Tensor],
           bias: Optional[Tensor], epsilon: float, scales: Optional[Tensor]
           ) -> Tensor:
    """x (B, N, K) and weight (3 H size, K) to (3 H, B, N, size). K and size are
    multiples of 16; gain and bias (K) of the norm, scales (2, size) of the first
    H heads and the next."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    _ops.check_shape("weight", weight, None, rows.shape[1])
    heads = weight.shape[0] // (3 * size)
    out = rows.new_empty(3, heads, rows.shape[0], size)
    arguments = dict(x=rows, weight=weight.t().contiguous())
    if gain is not None:
        _ops.check_shape("gain", gain, rows.shape[1])
        _ops.check_shape("bias", bias, rows.shape[1])
        arguments |= dict(gain=gain.contiguous(), bias=bias.contiguous(),
                          epsilon=epsilon)
    if scales is not None:
        _ops.check_shape("scales", scales, 2, size)
        arguments["scales"] = torch.cat((scales, scales.new_ones(1, size)))
    kernel = _kernels.get(_text, element(x), rows.shape[1], heads, size,
                          gain is not None, scales is not None)
    _ops.call(kernel, **arguments, output=out)
    return out.view(3 * heads, *x.shape[:2], size)


@_library.fake("heads")
def _(x, weight, size, gain, bias, epsilon, scales):
    return x.new_empty(weight.shape[0] // size, *x.shape[:2], size)


def size_of(layer: nn.Module, heads: int) -> int:
    return layer.weight.shape[0] // (3 * heads)


def start(x: Tensor, layer: nn.Module, heads: int, norm: Optional[nn.Module],
          scales: Optional[Tensor]) -> None:
    """Begins to compile what `project` runs."""
    _kernels.start(_text, element(x), x.shape[-1], heads,
                   size_of(layer, heads), norm is not None, scales is not None)


def fits(x: Tensor, layer: nn.Module, heads: int, norm: Optional[nn.Module],
         scales: Optional[Tensor]) -> bool:
    """Whether `project` takes these."""
    if torch.compiler.is_compiling() or not _blocks.is_linear(layer):
        return False
    size = size_of(layer, heads)
    return (size > 0 and size % _blocks.LANES == 0
            and (norm is None or _blocks.is_layer_norm(norm))
            and _blocks.fits(x, layer.weight, scales,
                             *(() if norm is None else norm.parameters())))


def project(x: Tensor, layer: nn.Module, heads: int, norm: Optional[nn.Module],
            scales: Optional[Tensor]) -> tuple[Tensor, ...]:
    """Queries, keys and values (B, H, N, size) of layer(norm(x)); with scales
    (2, size) queries and keys are unit vectors times them."""
    gain, bias, epsilon = (None, None, 0.0) if norm is None else (
        norm.weight, norm.bias, norm.eps)
    size = size_of(layer, heads)
    product = _heads(x, layer.weight, size, gain, bias, epsilon, scales)
    return tuple(part.transpose(0, 1) for part in product.chunk(3))
