"""Residual wrappers of LocalTransformer's layers: plain, and in several streams
(hyper-connections 0.4.11)."""

from __future__ import annotations

import random
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from . import _blocks, _stream_gradients, _streams, _transforms


def _apply(out: Any, function: Any) -> Any:
    """Applies function to the first result, and keeps the others."""
    if isinstance(out, tuple):
        return (function(out[0]), *out[1:])
    return function(out)


class Residual(nn.Module):
    """x + branch(x)."""

    def __init__(self, *, dim: int, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch
        self.residual_transform = nn.Identity()

    def has_plain_parts(self) -> bool:
        """Whether its parts do nothing but what kernels do."""
        return _blocks.is_plain(self.residual_transform, nn.Identity)

    def start_kernels(self, x: Tensor) -> None:
        """Begins to compile what forward(x) runs."""
        if hasattr(self.branch, "start_kernels"):
            self.branch.start_kernels(x)

    def forward(self, x: Tensor, **kwargs: Any) -> Any:
        return _apply(self.branch(x, **kwargs),
                      lambda y: y + self.residual_transform(x))


class RMSNorm(nn.Module):

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(dim))

    def forward(self, x: Tensor) -> Tensor:
        return F.normalize(x, dim=-1) * x.shape[-1] ** 0.5 * (self.gamma + 1)


class HyperConnections(nn.Module):
    """S streams. A mixture of them goes into the branch, and the branch's result is
    added to each stream with a weight of its own. The weights are learned and depend
    on the streams.

    Source: Zhu et al., Hyper-Connections (2024)."""

    def __init__(self, streams: int, *, dim: int, branch: nn.Module) -> None:
        super().__init__()
        self.streams = streams
        self.branch = branch
        # The parts are called if they have hooks, or were replaced.
        self.act = nn.Tanh()
        self.norm = RMSNorm(dim)
        self.dropout = nn.Dropout(0.0)
        # Python's generator, as the package.
        first = torch.zeros(streams, 1)
        first[random.randrange(streams)] = 1.0
        self.static_alpha = nn.Parameter(
            torch.cat((first, torch.eye(streams)), dim=1))
        self.dynamic_alpha_fn = nn.Parameter(torch.zeros(dim, streams + 1))
        self.dynamic_alpha_scale = nn.Parameter(torch.ones(()) * 1e-2)
        self.static_beta = nn.Parameter(torch.ones(streams))
        self.dynamic_beta_fn = nn.Parameter(torch.zeros(dim))
        self.dynamic_beta_scale = nn.Parameter(torch.ones(()) * 1e-2)

    def forward(self, x: Tensor, **kwargs: Any) -> Any:
        """x (B, N, S, dim), as expand_streams makes it. Without gradients x is
        overwritten."""
        if not self.has_plain_parts():
            return self._run_parts(x, **kwargs)
        if self._fits(x, gradients=True) and not self._fits(x):
            y, weights, x = _stream_gradients.Mix.apply(x, *self.parts())
            return _apply(self.branch(y, **kwargs),
                          lambda y: self._join_with_gradients(x, weights, y))
        if not self._fits(x):
            alpha, beta = self._weigh(x)
            y = self.branch((alpha[..., :1, :] @ x).squeeze(2), **kwargs)
            return _apply(y, lambda y: _join(x, alpha[..., 1:, :], beta, y))
        y, weights = _streams.mix(x, *self.parts())
        return _apply(self.branch(y, **kwargs),
                      lambda y: self._join(x, weights, y))

    def _run_parts(self, x: Tensor, **kwargs: Any) -> Any:
        """Calls the parts one after the other."""
        normed = self.norm(x)
        alpha = (self.act(normed @ self.dynamic_alpha_fn) * self.dynamic_alpha_scale
                 + self.static_alpha)
        beta = (self.act(normed @ self.dynamic_beta_fn) * self.dynamic_beta_scale
                + self.static_beta)
        mixed = alpha.transpose(-1, -2) @ x
        return _apply(self.branch(mixed[..., 0, :], **kwargs),
                      lambda y: self.dropout(mixed[..., 1:, :]
                                             + beta[..., None] * y[:, :, None]))

    def has_plain_parts(self) -> bool:
        """Whether its parts do nothing but what kernels do."""
        return (_blocks.is_plain(self.act, nn.Tanh)
                and _blocks.is_plain(self.norm, RMSNorm)
                and _blocks.is_plain(self.dropout, nn.Dropout)
                and not (self.dropout.training and self.dropout.p > 0))

    def start_kernels(self, x: Tensor) -> None:
        """Begins to compile what forward(x) runs."""
        if not self.has_plain_parts():
            pass
        elif self._fits(x):
            _streams.start(x)
        elif self._fits(x, gradients=True):
            _stream_gradients.start(x)
        if hasattr(self.branch, "start_kernels"):
            self.branch.start_kernels(x[:, :, 0])

    def _fits(self, x: Tensor, gradients: bool = False) -> bool:
        return (1 < self.streams <= _streams.MOST and x.is_contiguous()
                and _blocks.fits(x, *self.parts(), least=1,
                                kinds=_blocks.KINDS, gradients=gradients))

    def parts(self) -> tuple[Tensor, ...]:
        return (self.norm.gamma, self.dynamic_alpha_fn, self.dynamic_beta_fn,
                self.dynamic_alpha_scale, self.dynamic_beta_scale,
                self.static_alpha, self.static_beta)

    def _join(self, x: Tensor, weights: Tensor, y: Tensor) -> Tensor:
        if torch.is_grad_enabled() and y.requires_grad:
            return self._join_with_gradients(x, weights, y)
        if y.dtype == x.dtype:
            _streams.join(x, weights, y)
            return x
        return _stream_gradients.join(x, weights, y)

    @staticmethod
    def _join_with_gradients(x: Tensor, weights: Tensor, y: Tensor) -> Tensor:
        if (y.dtype == x.dtype and y.is_cpu and y.shape == x[:, :, 0].shape
                and not _transforms.are_active()):
            return _stream_gradients.Join.apply(x, weights, y)
        return _stream_gradients.join(x, weights, y)

    def _weigh(self, x: Tensor) -> tuple[Tensor, Tensor]:
        return _stream_gradients.weigh(x, *self.parts())


def _join(x: Tensor, alpha: Tensor, beta: Tensor, y: Tensor) -> Tensor:
    """The mixed streams plus the branch's result."""
    y = y[:, :, None]
    if (torch.is_grad_enabled() or _transforms.are_active()
            or not x.dtype == alpha.dtype == y.dtype):
        return alpha @ x + beta * y
    # In place: large temporaries cost more than the arithmetic.
    for i in range(0, x.shape[1], 128):
        at = slice(i, i + 128)
        x[:, at] = (alpha[:, at] @ x[:, at]).addcmul_(beta[:, at], y[:, at])
    return x


def expand_streams(x: Tensor, streams: int) -> Tensor:
    if streams == 1:
        return x
    return x[:, :, None].expand(-1, -1, streams, -1).contiguous()


def reduce_streams(x: Tensor, streams: int) -> Tensor:
    return x.sum(2) if streams > 1 else x
