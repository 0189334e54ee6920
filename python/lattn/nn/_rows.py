"""lattn::rows, a torch operator: many rows, or their layer norm, times a weight.
Where the result is queries, keys and values, it can divide each row of queries
and of keys by its length, and scale it."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor, nn

from .. import _kernels
from .._checks import element
from . import _blocks, _few, _library, _linear, _norms, _ops, _tensors


def _unit(p: _tensors.Program, split: _tensors.Tensor, scales: _tensors.Tensor,
          target: _tensors.Tensor) -> _tensors.Tensor:
    """Divides heads (N, 3, H, D) by their length as torch's normalize, and scales them.
    Values have a scale of 1 and stay the same."""
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
    return p.each("npht,nph,pt,p->npht", scale, split, squares, scales,
                  are_units, element=target.element, target=target)


def _text(kind: str, width: int, columns: int, normed: bool, size: int) -> str:
    """The text of the kernel. `size` is that of the heads that are scaled, or 0."""
    p = _tensors.Program(kind)
    x, weight = p.array("x", None, width), p.array("weight", columns, width)
    if normed:
        gain, bias = (p.array(name, width) for name in ("gain", "bias"))
        x = _tensors.layer_norm(p, x, gain, bias, p.number("epsilon"), kind)
    if size:
        shape = 3, columns // (3 * size), size
        target = p.array("output", None, *shape, writable=True)
        packed = p.matmul(x, weight)
        split = p.reshape(packed, [[0], [1, 2, 3]], (packed.sizes[0], *shape))
        y = _unit(p, split, p.array("scales", 3, size), target)
    else:
        target = p.array("output", None, columns, writable=True)
        y = _tensors.product(p, x, weight, target)
    p.write(y, "output")
    return p.text()


@_library.operator("rows")
def _rows(x: Tensor, weight: Tensor, gain: Optional[Tensor],
          bias: Optional[Tensor], epsilon: float, scales: Optional[Tensor]
          ) -> Tensor:
    """x (..., K) and weight (N, K), K a multiple of 16, to (..., N); gain and
    bias (K) of a layer norm before it. With scales (2, size) N is (3, heads,
    size), and scales are those of the first two thirds. All are of one type."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    _ops.check_shape("weight", weight, None, rows.shape[1])
    columns, size = weight.shape[0], 0
    arguments = dict(x=rows, weight=weight.contiguous())
    if gain is not None:
        _ops.check_shape("gain", gain, rows.shape[1])
        _ops.check_shape("bias", bias, rows.shape[1])
        arguments |= dict(gain=gain.contiguous(), bias=bias.contiguous(),
                          epsilon=epsilon)
    out = rows.new_empty(rows.shape[0], columns)
    target = out
    if scales is not None:
        size = scales.shape[-1]
        _ops.check_shape("scales", scales, 2, size)
        arguments["scales"] = torch.cat((scales, scales.new_ones(1, size)))
        target = out.view(len(out), 3, -1, size)
    kernel = _kernels.get(_text, element(x), rows.shape[1], columns,
                          gain is not None, size)
    _ops.call(kernel, **arguments, output=target)
    return out.view(*x.shape[:-1], columns)


@_library.fake("rows")
def _(x, weight, gain, bias, epsilon, scales):
    return x.new_empty(*x.shape[:-1], weight.shape[0])


def start(x: Tensor, layer: nn.Module, norm: Optional[nn.Module],
          scales: Optional[Tensor] = None) -> None:
    """Begins to compile what `project` runs."""
    if fits(x, layer, norm, scales):
        columns, width = layer.weight.shape
        _kernels.start(_text, element(x), width, columns, norm is not None,
                       0 if scales is None else scales.shape[-1])


def _parts(norm: Optional[nn.Module]
           ) -> tuple[Optional[Tensor], Optional[Tensor], float]:
    return (None, None, 0.0) if norm is None else (norm.weight, norm.bias,
                                                   norm.eps)


def _are_plain(layer: nn.Module, norm: Optional[nn.Module]) -> bool:
    return (not torch.compiler.is_compiling() and _blocks.is_linear(layer)
            and (norm is None or _blocks.is_layer_norm(norm)))


def fits(x: Tensor, layer: nn.Module, norm: Optional[nn.Module],
         scales: Optional[Tensor]) -> bool:
    """Whether many rows of x are for the kernel."""
    return _are_plain(layer, norm) and _are_many(x, layer, norm, scales)


def _are_many(x: Tensor, layer: nn.Module, norm: Optional[nn.Module],
              scales: Optional[Tensor]) -> bool:
    return _blocks.fits(x, layer.weight, scales, *_parts(norm)[:2],
                        kinds=_blocks.KINDS)


def project(x: Tensor, layer: nn.Module, norm: Optional[nn.Module] = None,
            scales: Optional[Tensor] = None) -> Tensor:
    """layer(norm(x)). With scales, queries and keys become unit vectors times the
    scales; this needs `fits`."""
    if _are_plain(layer, norm):
        parts = _parts(norm)
        if _are_many(x, layer, norm, scales):
            return _rows(x, layer.weight, *parts, scales)
        if _few.fits(x, layer.weight, *parts[:2]):
            return _few.multiply(x, layer.weight, *parts)
    return _linear.apply(x if norm is None else _norms.apply(x, norm), layer)
