"""Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3,
2011) in torch: which weights dropout keeps, by docs/spec.md."""

from __future__ import annotations

from typing import Union

import torch
from torch import Tensor

_WORD = 0xFFFFFFFF
_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_STEPS = 0x9E3779B9, 0xBB67AE85


def _multiply(x: Tensor, factor: int) -> tuple[Tensor, Tensor]:
    """High and low words of the product of two words."""
    # In halves: the product of words has 64 bits, of which int64 loses one.
    low, high = x * (factor & 0xFFFF), x * (factor >> 16)
    return ((low >> 16) + high) >> 16, (low + (high << 16)) & _WORD


def words(seed: Union[Tensor, int], offset: int, a: Tensor, b: Tensor, c: Tensor
          ) -> Tensor:
    """The four words of each counter (offset, a, b, c), along a new last axis;
    seed is an int64, and tensors hold int64, all taken mod 2^32."""
    a, b, c = torch.broadcast_tensors(*(x & _WORD for x in (a, b, c)))
    x0 = torch.full_like(a, offset & _WORD)
    x1, x2, x3 = a, b, c
    k0, k1 = seed & _WORD, (seed >> 32) & _WORD
    for _ in range(10):
        high0, low0 = _multiply(x0, _MULTIPLIERS[0])
        high1, low1 = _multiply(x2, _MULTIPLIERS[1])
        x0, x1, x2, x3 = high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0
        k0, k1 = (k0 + _STEPS[0]) & _WORD, (k1 + _STEPS[1]) & _WORD
    return torch.stack((x0, x1, x2, x3), dim=-1)


def keep(seed: Tensor, p: float, row: Tensor, query: Tensor, key: Tensor
         ) -> Tensor:
    """Which weights stay: row is b * H + h."""
    groups = words(seed, 0, row, query, key >> 2)
    row, query, key = torch.broadcast_tensors(row, query, key)
    word = groups.gather(-1, (key & 3)[..., None])[..., 0]
    return are_kept(word, p)


def are_kept(words: Tensor, p: float) -> Tensor:
    return (words >> 8).float() * 2.0 ** -24 >= p  # p rounds to f32
