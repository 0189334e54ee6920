"""Rotary embeddings, half layout: SinusoidalEmbeddings, apply_rotary_pos_emb."""

from __future__ import annotations

from typing import Optional, Union

import torch
from torch import Tensor, nn

from . import _rotary
from ._errors import require


class SinusoidalEmbeddings(nn.Module):
    """Angles and xpos scales of the positions 0 to N - 1.

    forward(x) takes any x (..., N, D). It returns the angles (N, D), and the scales
    (N, D) or, without xpos, a single 1.

    Args:
      dim: the size of a head.
      theta: the base of the frequencies.
      use_xpos: also makes scales. They need ``scale_base``.

    Source: docs/spec.md, "lattn.rotary"; Su et al., RoFormer (2021); Sun et
    al., A Length-Extrapolatable Transformer (2022).
    """

    inv_freq: Tensor
    scale: Tensor

    def __init__(self, dim: int, scale_base: Optional[float] = None,
                 use_xpos: bool = False, theta: float = 10000) -> None:
        super().__init__()
        self.dim, self.theta = dim, theta
        self.register_buffer("inv_freq", _rotary.frequencies(dim, theta))
        self.use_xpos = use_xpos
        self.scale_base = scale_base
        require(not use_xpos or scale_base is not None,
                "scale base must be defined if using xpos")
        self.register_buffer("scale", _rotary.xpos_scales(dim),
                             persistent=False)

    @torch.autocast("cuda", enabled=False)
    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        length = x.shape[-2]
        t = torch.arange(length, device=x.device).type_as(self.inv_freq)
        angle = t[:, None] * self.inv_freq
        angle = torch.cat((angle, angle), dim=-1)
        if not self.use_xpos:
            return angle, torch.ones(1, device=x.device)
        # A base of 0 is NaN: 0 / 0.
        power = (t - length // 2) / self.scale_base
        scale = self.scale ** power[:, None]
        return angle, torch.cat((scale, scale), dim=-1)


def _rotate_half(x: Tensor) -> Tensor:
    low, high = x.chunk(2, dim=-1)
    return torch.cat((-high, low), dim=-1)


@torch.autocast("cuda", enabled=False)
def apply_rotary_pos_emb(q: Tensor, k: Tensor, freqs: Tensor,
                         scale: Union[float, Tensor] = 1
                         ) -> tuple[Tensor, Tensor]:
    """Rotates q and k by the angles of SinusoidalEmbeddings; q stands at
    the last positions. Multiplies q by scale, and divides k by it."""
    length = q.shape[-2]
    angle = freqs[..., -length:, :]
    inverse = scale ** -1
    if getattr(scale, "ndim", 0) == 2:
        scale = scale[-length:, :]
    q = q * angle.cos() * scale + _rotate_half(q) * angle.sin() * scale
    k = k * freqs.cos() * inverse + _rotate_half(k) * freqs.sin() * inverse
    return q, k
