"""Tables of rotary embeddings and the turns they make, in torch."""

from __future__ import annotations

from typing import Optional

import torch
from torch import Tensor


def frequencies(dim: int, theta: float) -> Tensor:
    """theta^(-2m/dim), float32 as the packages keep it."""
    return 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))


def tables(positions: Tensor, dim: int, theta: float, base: Optional[float],
           center: int, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Cosines, sines and xpos scales (rows, D/2) at `positions`, computed in
    f64: a float32 angle is 2e-3 off at position 65,536."""
    inverse = frequencies(dim, theta).to(positions.device, torch.float64)
    rows = positions.to(torch.float64)[:, None]
    angle = rows * inverse
    if base is None:
        scale = torch.ones((), dtype=torch.float64, device=positions.device)
    else:
        m = torch.arange(0, dim, 2, dtype=torch.float64,
                         device=positions.device)
        z = (m + 0.4 * dim) / (1.4 * dim)
        # 0 / 0 of base 0 is NaN here, too.
        scale = z ** ((rows - center) / torch.tensor(float(base),
                                                     dtype=torch.float64))
    return angle.cos().to(dtype), angle.sin().to(dtype), scale.to(dtype)


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Pairs are element m and m + D/2."""
    low, high = x.chunk(2, dim=-1)
    return torch.cat((low * cos - high * sin, high * cos + low * sin), dim=-1)
