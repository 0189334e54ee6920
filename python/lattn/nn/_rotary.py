"""Tables of rotary embeddings and the turns they make, in torch."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor


def frequencies(dim: int, theta: float) -> Tensor:
    """theta^(-2m/dim), float32 as the packages keep it."""
    return 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))


def xpos_scales(dim: int) -> Tensor:
    """(2m + 0.4 dim) / (1.4 dim), float32."""
    return (torch.arange(0, dim, 2) + 0.4 * dim) / (1.4 * dim)


def check_loaded(state_dict: dict[str, Any], name: str, expected: Tensor
                 ) -> None:
    """Kernels compute the tables of a buffer anew: others must not be loaded."""
    given = state_dict.get(name)
    if given is None or given.is_meta or given.shape != expected.shape:
        return
    # bfloat16 rounds by 2^-9.
    if not torch.allclose(given.cpu().double(), expected.double(), rtol=0.01,
                          atol=1e-6):
        raise ValueError(f"{name}: expected what its module's arguments give, "
                         f"got other numbers")


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
