"""DynamicPositionBias."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ._errors import require


class DynamicPositionBias(nn.Module):
    """A bias (heads, i, j) of distances, by a small network.

    Source: Wang et al., CrossFormer (2021).
    """

    def __init__(self, dim: int, heads: int) -> None:
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(1, dim), nn.SiLU(),
                                 nn.Linear(dim, dim), nn.SiLU(),
                                 nn.Linear(dim, heads))

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def forward(self, i: int, j: int) -> Tensor:
        """The bias (heads, i, j) for i queries that stand at the last i of j positions.
        """
        require(j >= i)
        weight = next(self.parameters())
        distance = torch.arange(j, dtype=torch.float, device=weight.device)
        bias = self.mlp(distance.to(weight.dtype)[:, None])
        at = torch.arange(j - i, j, device=weight.device)
        other = torch.arange(j, device=weight.device)
        return bias[(at[:, None] - other).abs()].permute(2, 0, 1)
