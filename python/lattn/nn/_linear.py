"""lattn::linear, a torch operator: rows times a weight, plus a bias. It and its
gradients are the compiler's matrix products."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor
from torch.nn import functional as F

from .. import _kernels
from .._checks import element
from . import _blocks, _library, _ops, _tensors


def _text(kind: str, biased: bool) -> str:
    """x (M, K) times y (K, N), of any strides: one program for rows times a transposed
    weight and for both gradients."""
    p = _tensors.Program(kind)
    x, y = (p.array(name, None, None, is_view=True) for name in "xy")
    bias = p.array("bias", None) if biased else None
    target = p.array("product", None, None, writable=True)
    if bias is None:
        product = _tensors.product(p, x, y, target, "mk", "kn")
    else:
        product = p.each("mn,n->mn", lambda v, b: p.op("arith.addf", v, b),
                         p.matmul(x, y, "kn"), bias, element=kind, target=target)
    p.write(product, "product")
    return p.text()


def _multiply(x: Tensor, y: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    """x (M, K) times y (K, N). Sums are float32, whatever the type."""
    out = x.new_empty(x.shape[0], y.shape[1])
    kernel = _kernels.get(_text, element(x), bias is not None)
    biases = {} if bias is None else {"bias": bias.contiguous()}
    _ops.call(kernel, x=x, y=y, **biases, product=out)
    return out


def _rows(x: Tensor) -> Tensor:
    return x.reshape(-1, x.shape[-1]).contiguous()


@_library.operator("linear")
def _linear(x: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    """x (..., K), weight (N, K) and bias (N), of one type, to (..., N)."""
    _ops.check_shape("weight", weight, None, x.shape[-1])
    _ops.check_shape("bias", bias, weight.shape[0])
    y = _multiply(_rows(x), weight.contiguous().t(), bias)
    return y.view(*x.shape[:-1], weight.shape[0])


@_library.fake("linear")
def _(x, weight, bias):
    return x.new_empty(*x.shape[:-1], weight.shape[0])


@_library.operator("linear_grad")
def _linear_grad(grad: Tensor, x: Tensor, weight: Tensor, of_x: bool,
                 of_weight: bool) -> tuple[Tensor, Tensor]:
    """Gradients of x and weight from the output's gradient; empty if they are not
    needed."""
    rows = _rows(grad)
    d_x, d_weight = x.new_empty(0), x.new_empty(0)
    if of_x:
        d_x = _multiply(rows, weight.contiguous()).view(x.shape)
    if of_weight:
        d_weight = _multiply(rows.t(), _rows(x))
    return d_x, d_weight


@_library.fake("linear_grad")
def _(grad, x, weight, of_x, of_weight):
    return (x.new_empty(x.shape if of_x else 0),
            x.new_empty(weight.shape if of_weight else 0))


def _setup(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
    ctx.save_for_backward(*inputs[:2])


def _backward(ctx: Any, grad: Tensor) -> tuple[Optional[Tensor], ...]:
    x, weight = ctx.saved_tensors
    of_x, of_weight, of_bias = ctx.needs_input_grad
    d_bias = grad.flatten(0, -2).sum(0) if of_bias else None
    if torch.is_grad_enabled():  # second derivatives are torch's
        return (grad @ weight if of_x else None,
                torch.einsum("...n,...k->nk", grad, x) if of_weight else None,
                d_bias)
    d_x, d_weight = (_linear_grad(grad, x, weight, of_x, of_weight)
                     if of_x or of_weight else (None, None))
    return d_x if of_x else None, d_weight if of_weight else None, d_bias


_library.derivatives("linear", _setup, _backward, F.linear)


def takes(x: Tensor, weight: Tensor, bias: Optional[Tensor]) -> bool:
    """Whether `compute` is for these: many rows."""
    return _blocks.fits(x, weight, bias, kinds=_blocks.KINDS, gradients=True,
                        lanes=1)


compute = _linear


def fits(x: Tensor, layer: torch.nn.Module) -> bool:
    """Whether `apply` computes layer(x)."""
    return (not torch.compiler.is_compiling()
            and _blocks.is_plain(layer, torch.nn.Linear) and layer.in_features > 0
            and takes(x, layer.weight, layer.bias))


def apply(x: Tensor, layer: torch.nn.Module) -> Tensor:
    """layer(x)."""
    return (_linear(x, layer.weight, layer.bias) if fits(x, layer)
            else layer(x))


def start(kind: str) -> None:
    """Begins to compile what `apply` and its backward pass run."""
    _kernels.start(_text, kind, False)
