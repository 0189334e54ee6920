"""Residual wrappers of LocalTransformer's layers: plain, and in several streams
(hyper-connections 0.4.11)."""

from __future__ import annotations

import math
import random
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def _apply(out: Any, function: Any) -> Any:
    """function of the first result, the others as they are."""
    if isinstance(out, tuple):
        return (function(out[0]), *out[1:])
    return function(out)


class Residual(nn.Module):
    """x + branch(x)."""

    def __init__(self, *, dim: int, branch: nn.Module) -> None:
        super().__init__()
        self.branch = branch

    def forward(self, x: Tensor, **kwargs: Any) -> Any:
        return _apply(self.branch(x, **kwargs), lambda y: y + x)


class RMSNorm(nn.Module):

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.zeros(dim))

    def forward(self, x: Tensor) -> Tensor:
        scale = math.sqrt(x.shape[-1])
        return F.normalize(x, dim=-1) * scale * (self.gamma + 1)


class HyperConnections(nn.Module):
    """S streams: their mixture goes into the branch, whose result is added to
    each by its own weight. Weights are learned, and depend on the streams.

    Source: Zhu et al., Hyper-Connections (2024).
    """

    def __init__(self, streams: int, *, dim: int, branch: nn.Module) -> None:
        super().__init__()
        self.streams = streams
        self.branch = branch
        self.norm = RMSNorm(dim)
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
        """x (B * S, N, dim), as expand_streams makes it."""
        streams = x.unflatten(0, (-1, self.streams)).transpose(1, 2)
        normed = self.norm(streams)
        alpha = ((normed @ self.dynamic_alpha_fn).tanh()
                 * self.dynamic_alpha_scale + self.static_alpha)
        beta = ((normed @ self.dynamic_beta_fn).tanh()
                * self.dynamic_beta_scale + self.static_beta)
        mixed = alpha.transpose(-1, -2) @ streams

        def join(y: Tensor) -> Tensor:
            joined = mixed[:, :, 1:] + beta[..., None] * y[:, :, None]
            return joined.transpose(1, 2).flatten(0, 1)
        return _apply(self.branch(mixed[:, :, 0], **kwargs), join)


def expand_streams(x: Tensor, streams: int) -> Tensor:
    return x.repeat_interleave(streams, dim=0) if streams > 1 else x


def reduce_streams(x: Tensor, streams: int) -> Tensor:
    return x.unflatten(0, (-1, streams)).sum(1) if streams > 1 else x
