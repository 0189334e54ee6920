"""Generates tokens one by one."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor
from torch.nn import functional as F


def top_k(logits: Tensor, thres: float = 0.9) -> Tensor:
    """Keeps the int((1 - thres) * V) largest logits; the others become -inf."""
    count = int((1 - thres) * logits.shape[-1])
    values, indices = torch.topk(logits, count)
    return torch.full_like(logits, float("-inf")).scatter_(1, indices, values)


def sample(logits: Tensor, temperature: float, thres: float) -> Tensor:
    """Draws a token of each row: (B, V) to (B, 1)."""
    filtered = top_k(logits, thres)
    if temperature == 0.0:
        return filtered.argmax(dim=-1, keepdim=True)
    return torch.multinomial(F.softmax(filtered / temperature, dim=-1), 1)


def generate(step: Callable[..., tuple[Tensor, Any]], prime: Tensor, count: int,
             longest: int, choose: Callable[[Tensor], Tensor],
             use_cache: bool) -> Tensor:
    """Generates tokens. step(tokens, cache) returns logits and a cache. It gets the
    last `longest` tokens so far, which come from prime and from choose(logits)."""
    start = prime.shape[1]
    tokens = torch.cat((prime, prime.new_empty(prime.shape[0], count)), dim=1)
    cache = None
    for end in range(start, start + count):
        logits, new = step(tokens[:, max(end - longest, 0):end], cache)
        if use_cache:
            cache = new
        tokens[:, end] = choose(logits[:, -1])[:, 0]
    return tokens[:, start:]
