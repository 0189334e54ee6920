"""Derivatives that no kernel computes: by torch's operations."""

from __future__ import annotations

import functools
import warnings
from typing import Callable, Optional, Sequence

import torch
from torch import Tensor


@functools.cache
def warn(what: str) -> None:
    warnings.warn(
        f"lattn.nn has no kernel for {what} yet: torch operations compute both "
        "results and derivatives there", stacklevel=3)


def recompute(function: Callable[..., Tensor], inputs: Sequence[Optional[Tensor]],
              needed: Sequence[bool], grad: Tensor) -> list[Optional[Tensor]]:
    """Gradients of `inputs`; None where they are not needed. Their graph is kept if
    autograd asks for it, so that second derivatives are right."""
    again = torch.is_grad_enabled()
    with torch.enable_grad():
        # Views, to tell apart inputs that are one tensor.
        inputs = [x.view_as(x) if need else x
                  for x, need in zip(inputs, needed)]
        wanted = [x for x, need in zip(inputs, needed) if need]
        out = function(*inputs)
        found = iter(torch.autograd.grad(out, wanted, grad, create_graph=again,
                                         allow_unused=True))
    return [next(found) if need else None for need in needed]
