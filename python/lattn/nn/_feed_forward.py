"""The feed-forward part of LocalTransformer's layers."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .. import _kernels
from .._checks import element
from . import (_blocks, _few, _gate, _library, _linear, _norms, _ops,
               _tensors)


def _text(kind: str, size: int, inner: int) -> str:
    """down(GEGLU(up(layer norm of x)))."""
    p = _tensors.Program(kind)
    x = p.array("x", None, size)
    gain, bias = (p.array(name, size)
                  for name in ("gain", "bias"))
    norm = _tensors.layer_norm(p, x, gain, bias, p.number("epsilon"), kind)
    up = p.array("up", 2 * inner, size)
    parts = [p.matmul(norm, p.slice(up, (at, 0), (inner, size)))
             for at in (0, inner)]
    hidden = _tensors.gate(p, *parts, element=kind)
    down = p.array("down", size, inner)
    target = p.array("output", None, size, writable=True)
    p.write(p.matmul(hidden, down, "nk", kind, target), "output")
    return p.text()


@_library.operator("feed_forward")
def _feed_forward(x: Tensor, gain: Tensor, bias: Tensor, epsilon: float,
                  up: Tensor, down: Tensor) -> Tensor:
    """x (..., D), up (2 F, D), down (D, F) all of one type, D a
    multiple of 16."""
    rows = x.reshape(-1, x.shape[-1]).contiguous()
    size, inner = rows.shape[1], down.shape[1]
    for name, vector in (("gain", gain), ("bias", bias)):
        _ops.check_shape(name, vector, size)
    _ops.check_shape("up", up, 2 * inner, size)
    _ops.check_shape("down", down, size, None)
    out = torch.empty_like(rows)
    kernel = _kernels.get(_text, element(x), size, inner)
    _ops.call(kernel, x=rows, gain=gain.contiguous(), bias=bias.contiguous(),
              epsilon=epsilon, up=up.contiguous(), down=down.contiguous(),
              output=out)
    return out.view(x.shape)


@_library.fake("feed_forward")
def _(x, gain, bias, epsilon, up, down):
    return x.new_empty(x.shape)


class GEGLU(nn.Module):

    def forward(self, x: Tensor) -> Tensor:
        return _gate.GEGLU.apply(x) if _gate.fits(x) else _gate.geglu(x)


class FeedForward(nn.Sequential):
    """A layer norm, a product, GEGLU, dropout and a product: as one kernel
    where that computes the same."""

    def forward(self, x: Tensor) -> Tensor:
        if torch.compiler.is_compiling() or not self._has_plain_parts():
            return super().forward(x)
        if not self.is_plain():
            return self._run_parts(x)
        run = (_feed_forward if self._fits(x)
               else _few.feed_forward if _few.fits(x, *self.weights())
               else None)
        if run is None:
            return self._run_parts(x)
        gain, bias, up, down = self.weights()
        return run(x, gain, bias, self[0].eps, up, down)

    def _run_parts(self, x: Tensor) -> Tensor:
        """Runs the parts one after the other. Kernels compute the gradients of both
        products."""
        norm, up, gate, drop, down = self
        up_x = _linear.apply(_norms.apply(x, norm), up)
        return _linear.apply(drop(gate(up_x)), down)

    def start_kernels(self, x: Tensor) -> None:
        """Begins to compile what forward(x) runs."""
        if torch.compiler.is_compiling() or not self.is_plain():
            return
        if self._fits(x):
            _kernels.start(_text, element(x), *self[4].weight.shape)
        elif torch.is_grad_enabled() and _gate.fits(x):
            _gate.start(element(x), self[4].weight.shape[1])
            _linear.start(element(x))
            _norms.start(x, self[0])

    def _fits(self, x: Tensor) -> bool:
        return _blocks.fits(x, *self.weights(), kinds=_blocks.KINDS)

    def weights(self) -> tuple[Tensor, ...]:
        norm, up, _, _, down = self
        return norm.weight, norm.bias, up.weight, down.weight

    def _has_plain_parts(self) -> bool:
        if len(self) != 5:
            return False
        norm, up, gate, drop, down = self
        return (_blocks.is_layer_norm(norm) and _blocks.is_linear(up)
                and _blocks.is_plain(gate, GEGLU) and _blocks.is_linear(down)
                and _blocks.is_plain(drop, nn.Dropout)
                and down.weight.shape[1] > 0)

    def is_plain(self) -> bool:
        return (self._has_plain_parts()
                and not (self[3].training and self[3].p > 0))


def feed_forward(dim: int, mult: float = 4, dropout: float = 0.0
                 ) -> nn.Sequential:
    inner = int(dim * mult * 2 / 3)
    return FeedForward(
        nn.LayerNorm(dim), nn.Linear(dim, inner * 2, bias=False), GEGLU(),
        nn.Dropout(dropout), nn.Linear(inner, dim, bias=False))
