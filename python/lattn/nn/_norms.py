"""RMS norms and layer norms of rows: one kernel, and one for the gradients."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor, nn

from .. import _kernels
from .._checks import element
from . import _blocks, _gradients, _ops, _tensors


class Options(NamedTuple):
    epsilon: float
    centered: bool  # subtracts the mean
    added: float  # to the gain


def _text(kind: str, size: int, centered: bool, added: float, biased: bool
          ) -> str:
    p = _tensors.Program(kind)
    x, gain = p.array("x", None, size), p.array("gain", size)
    bias = p.array("bias", size) if biased else None
    epsilon = p.number("epsilon")
    target = p.array("output", None, size, writable=True)
    p.write(_tensors.norm(p, x, gain, bias, epsilon, kind, centered=centered,
                          added=added, target=target), "output")
    return p.text()


def _gradient(kind: str, size: int, centered: bool, added: float, biased: bool
              ) -> str:
    """With u = away from the mean, s = scale and w = d_output (gain + added), d_x =
    s (w - mean w) - u s^3 mean(w u). The gradients of gain and bias are sums of
    d_output u s and d_output over rows."""
    p = _tensors.Program(kind)
    x, gain = p.array("x", None, size), p.array("gain", size)
    grad, epsilon = p.array("d_output", None, size), p.number("epsilon")
    target = p.array("d_x", None, size, writable=True)
    names = ["d_gain", "d_bias"][:1 + biased]
    targets = [p.array(name, size, writable=True, element="f32")
               for name in names]
    made = _tensors.Norm(p, x, epsilon, centered)
    more = made.more

    def weigh(d: str, gain: str) -> str:
        if added:
            gain = p.op("arith.addf", gain, p.constant(added))
        return p.op("arith.mulf", d, gain)

    def dot(v: str, d: str, gain: str, *rest: str) -> list[str]:
        total, sums = rest[:centered], rest[centered:]
        w = weigh(d, gain)
        terms = p.op("arith.mulf", w, made.away(v, total)), w
        return [p.op("arith.addf", sum, term) for sum, term in zip(sums, terms)]
    sums = p.several(f"nd,nd,d{more}->n{more}", dot, x, grad, gain, *made.totals)

    def compute(v: str, d: str, gain: str, squares: str, dot: str, *rest: str
                ) -> str:
        """rest: the sum of w, and of x, if centered."""
        s, w = made.scale(squares), weigh(d, gain)
        along = p.op("arith.divf", p.op("arith.mulf", p.op(
            "arith.mulf", s, s), dot), made.size)
        w = made.away(w, rest[:centered])
        return p.op("arith.mulf", s, p.op("arith.subf", w, p.op(
            "arith.mulf", made.away(v, rest[centered:]), along)))
    d_x = p.each(f"nd,nd,d,n,n{more}{more}->nd", compute, x, grad, gain,
                 made.squares, *sums, *made.totals, element=kind,
                 target=target)

    def of_parameters(v: str, d: str, squares: str, *rest: str) -> list[str]:
        total, sums = rest[:centered], rest[centered:]
        unit = p.op("arith.mulf", made.away(v, total), made.scale(squares))
        terms = p.op("arith.mulf", d, unit), d
        return [p.op("arith.addf", sum, term) for sum, term in zip(sums, terms)]
    found = p.several(f"nd,nd,n{more}->d{',d' * biased}", of_parameters, x, grad,
                      made.squares, *made.totals, targets=targets)
    p.write(d_x, "d_x")
    for name, sum in zip(names, found):
        p.write(sum, name)
    return p.text()


def _compute(x: Tensor, gain: Tensor, bias: Optional[Tensor], o: Options) -> Tensor:
    """The norm in torch's operations."""
    wide = x if x.dtype == torch.float64 else x.float()
    if o.centered:
        wide = wide - wide.mean(-1, keepdim=True)
    y = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + o.epsilon)
    y = y * (gain + o.added)
    return (y if bias is None else y + bias).to(x.dtype)


def _run(x: Tensor, gain: Tensor, bias: Optional[Tensor], o: Options) -> Tensor:
    out = torch.empty_like(x)
    biases = {} if bias is None else {"bias": bias.contiguous()}
    _ops.call(_kernels.get(_text, element(x), x.shape[1], *o[1:],
                           bias is not None),
              x=x, gain=gain.contiguous(), **biases, epsilon=o.epsilon,
              output=out)
    return out


class _Norm(torch.autograd.Function):
    """Of rows (N, D)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, gain: Tensor, bias: Optional[Tensor],
                o: Options) -> Tensor:
        ctx.save_for_backward(x, gain, bias)
        ctx.options = o
        return _run(x, gain, bias, o)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        x, gain, bias = ctx.saved_tensors
        o, needed = ctx.options, ctx.needs_input_grad[:3]
        if torch.is_grad_enabled():
            return *_gradients.recompute(
                lambda *xs: _compute(*xs, o), (x, gain, bias), needed, grad), None
        grad = grad.contiguous()
        d_x, names = torch.empty_like(x), ["d_gain", "d_bias"][:1 + needed[2]]
        sums = gain.new_empty(len(names), len(gain), dtype=torch.float32)
        _ops.call(_kernels.get(_gradient, element(x), x.shape[1], *o[1:],
                               needed[2]),
                  x=x, gain=gain.contiguous(), d_output=grad,
                  epsilon=o.epsilon, d_x=d_x, **dict(zip(names, sums)))
        d_gain, d_bias = (*sums.to(gain.dtype), None)[:2]
        return d_x, d_gain, d_bias, None


def fits(x: Tensor, gain: Optional[Tensor], bias: Optional[Tensor] = None) -> bool:
    """Whether `compute` takes x (..., D)."""
    return (gain is not None and gain.shape == x.shape[-1:] and x.numel() > 0
            and _blocks.fits(x, gain, bias, least=1, kinds=_blocks.KINDS,
                             gradients=True, lanes=1))


def compute(x: Tensor, gain: Tensor, epsilon: float, *,
            bias: Optional[Tensor] = None, centered: bool = False,
            added: float = 0.0) -> Tensor:
    """Rows of x (..., D) over the root of their mean square plus epsilon, times
    gain (D) + added, plus bias (D); `centered` subtracts the mean first. The result
    has x's order of axes, where heads were split and swapped with positions."""
    swapped = x.dim() == 4 and not x.is_contiguous()
    rows = (x.transpose(1, 2) if swapped else x).contiguous()
    options = Options(epsilon, centered, added)
    has_gradients = torch.is_grad_enabled() and any(
        t is not None and t.requires_grad for t in (x, gain, bias))
    out = (_Norm.apply if has_gradients else _run)(
        rows.view(-1, x.shape[-1]), gain, bias, options).view(rows.shape)
    return out.transpose(1, 2) if swapped else out


# torch's layer norm of float32 is as fast, and its gradients are faster.
_NARROW = torch.bfloat16, torch.float16


def _is_faster(x: Tensor, layer: nn.Module) -> bool:
    return (not torch.compiler.is_compiling() and _blocks.is_layer_norm(layer)
            and x.dtype in _NARROW and x.dim() > 0
            and x.numel() >= _blocks.LEAST_ROWS * x.shape[-1]
            and fits(x, layer.weight, layer.bias))


def apply(x: Tensor, layer: nn.Module) -> Tensor:
    """layer(x)."""
    if _is_faster(x, layer):
        return compute(x, layer.weight, layer.eps, bias=layer.bias,
                       centered=True)
    return layer(x)


def start(x: Tensor, layer: nn.Module) -> None:
    """Begins to compile what `apply` and its backward pass run."""
    if _is_faster(x, layer):
        for text in (_text, _gradient):
            _kernels.start(text, element(x), x.shape[-1], True, 0.0, True)
