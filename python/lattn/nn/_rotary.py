"""Tables of rotary embeddings, and the rotation, in torch."""

from __future__ import annotations

import functools
import warnings
from typing import Optional

import torch
from torch import Tensor


def frequencies(dim: int, theta: float) -> Tensor:
    """theta^(-2m/dim), float32 as the packages keep it."""
    return 1.0 / (theta ** (torch.arange(0, dim, 2).float() / dim))


def xpos_scales(dim: int) -> Tensor:
    """(2m + 0.4 dim) / (1.4 dim), float32."""
    return (torch.arange(0, dim, 2) + 0.4 * dim) / (1.4 * dim)


def _is_close(given: Tensor, expected: Tensor) -> Tensor:
    """Elementwise: whether two numbers are the same float32, as another machine may
    round it or a checkpoint in 16 bits may hold it."""
    wide = given.to(torch.float64)
    same = (wide - expected).abs() <= 4e-7 * expected
    for narrow in (torch.bfloat16, torch.float16):
        same = same | (wide == expected.to(narrow))
    return same


def _are_given(given: Optional[Tensor], expected: Tensor) -> bool:
    return given is None or torch.equal(given, expected) or (
        given.shape == expected.shape
        and bool(_is_close(given, expected).all()))


@functools.lru_cache(maxsize=64)
def _expected(dim: int, theta: float) -> tuple[Tensor, Tensor]:
    return frequencies(dim, theta), xpos_scales(dim)


def are_expected(dim: int, theta: float, inv_freq: Optional[Tensor],
                 scales: Optional[Tensor]) -> bool:
    """Whether buffers hold the values that kernels compute from dim and theta. None is
    a buffer that is not used."""
    # A transform of torch.func would wrap what _expected keeps.
    with torch._C._DisableFuncTorch():
        expected = _expected(dim, theta)
        return (_are_given(inv_freq, expected[0])
                and _are_given(scales, expected[1]))


@functools.cache
def warn_of_buffers() -> None:
    warnings.warn(
        "lattn.nn: inv_freq or scale holds other numbers than its module's "
        "arguments give: torch operations compute with them, slower than the "
        "kernels", stacklevel=2)


def _refine(given: Optional[Tensor], single: Tensor, exact: Tensor) -> Tensor:
    """A buffer in f64. Elements that are equal to `single` become `exact`, of which
    `single` is the rounded form. It has no branch, and keeps the buffer's
    derivatives."""
    if given is None:
        return exact
    wide = given.to(torch.float64)
    rest = torch.where(_is_close(given, single), exact - wide, 0.0)
    return wide + rest.detach()


def tables(positions: Tensor, dim: int, theta: float, base: Optional[float],
           center: int, dtype: torch.dtype,
           inv_freq: Optional[Tensor] = None, scales: Optional[Tensor] = None
           ) -> tuple[Tensor, Tensor, Tensor]:
    """Cosines, sines and xpos scales (rows, D/2) at `positions`, computed in f64,
    because a float32 angle is wrong by 2e-3 at position 65,536. Numbers in the
    buffers count if they differ from those of dim and theta."""
    single = frequencies(dim, theta).to(positions.device)
    inverse = _refine(inv_freq, single, single.to(torch.float64))
    rows = positions.to(torch.float64)[:, None]
    angle = rows * inverse
    if base is None:
        scale = torch.ones((), dtype=torch.float64, device=positions.device)
    else:
        m = torch.arange(0, dim, 2, dtype=torch.float64,
                         device=positions.device)
        single = xpos_scales(dim).to(positions.device)
        z = _refine(scales, single, (m + 0.4 * dim) / (1.4 * dim))
        # 0 / 0 of base 0 is NaN here, too.
        scale = z ** ((rows - center) / torch.tensor(float(base),
                                                     dtype=torch.float64))
    return angle.cos().to(dtype), angle.sin().to(dtype), scale.to(dtype)


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotates pairs of the elements m and m + D/2."""
    low, high = x.chunk(2, dim=-1)
    return torch.cat((low * cos - high * sin, high * cos + low * sin), dim=-1)
