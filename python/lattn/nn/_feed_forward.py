"""The feed-forward part of LocalTransformer's layers."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F


class GEGLU(nn.Module):

    def forward(self, x: Tensor) -> Tensor:
        x, gate = x.chunk(2, dim=-1)
        return x * F.gelu(gate)


def feed_forward(dim: int, mult: float = 4, dropout: float = 0.0
                 ) -> nn.Sequential:
    inner = int(dim * mult * 2 / 3)
    return nn.Sequential(
        nn.LayerNorm(dim), nn.Linear(dim, inner * 2, bias=False), GEGLU(),
        nn.Dropout(dropout), nn.Linear(inner, dim, bias=False))
