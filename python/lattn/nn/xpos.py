"""XPOS: rotary embeddings with xpos scales, interleaved layout (torchscale's)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from . import _rotary


class XPOS(nn.Module):
    """Rotates and scales x (..., N, head_dim), the last N of N + offset
    positions.

    Source: Sun et al., A Length-Extrapolatable Transformer (2022).
    """

    scale: Tensor

    def __init__(self, head_dim: int, scale_base: float = 512) -> None:
        super().__init__()
        self.head_dim = head_dim
        self.scale_base = scale_base
        self.register_buffer("scale", _rotary.xpos_scales(head_dim))

    def forward(self, x: Tensor, offset: int = 0, downscale: bool = False
                ) -> Tensor:
        total = x.shape[-2] + offset
        at = torch.arange(offset, total, device=x.device)
        kind = torch.float64 if x.dtype == torch.float64 else torch.float32
        # Centred on half of the length, rounded up.
        cos, sin, scale = _rotary.tables(
            at, self.head_dim, 10000.0, self.scale_base, (total + 1) // 2, kind,
            scales=self.scale)
        if downscale:
            scale = 1 / scale
        cos, sin = cos * scale, sin * scale
        even, odd = x[..., ::2].to(kind), x[..., 1::2].to(kind)
        turned = torch.stack((even * cos - odd * sin, odd * cos + even * sin),
                             dim=-1)
        return turned.flatten(-2).to(x.dtype)
