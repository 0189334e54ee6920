"""Modules in two branches, for positions before and from a split on
(torchscale's)."""

from __future__ import annotations

import copy
from typing import Any, Callable, Protocol

import torch
from torch import Tensor, nn


class MultiwayNetwork(nn.Module):
    """Applies A to the part of x before ``split_position`` along ``dim``, and B to
    the rest. A ``split_position`` of -1 applies A to all of x. B starts as a copy of
    A with new parameters."""

    def __init__(self, module: nn.Module, dim: int = 1) -> None:
        super().__init__()
        self.dim = dim
        self.A = module
        self.B = copy.deepcopy(module)
        self.B.reset_parameters()
        self.split_position = -1

    def forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        if self.split_position == -1:
            return self.A(x, **kwargs)
        if self.split_position == 0:
            return self.B(x, **kwargs)
        rest = x.size(self.dim) - self.split_position
        before, after = torch.split(x, [self.split_position, rest],
                                    dim=self.dim)
        return torch.cat([self.A(before, **kwargs), self.B(after, **kwargs)],
                         dim=self.dim)


class HasMultiway(Protocol):
    """An object that has the attribute ``multiway``."""

    multiway: bool


def MultiwayWrapper(args: HasMultiway, module: nn.Module, dim: int = 1
                    ) -> nn.Module:
    """A MultiwayNetwork if args.multiway, else the module."""
    return MultiwayNetwork(module, dim=dim) if args.multiway else module


def set_split_position(position: int) -> Callable[[nn.Module], None]:
    """For module.apply: sets it in every MultiwayNetwork."""
    def apply(module: nn.Module) -> None:
        if hasattr(module, "split_position"):
            module.split_position = position
    return apply


def branches(module: nn.Module) -> list[nn.Module]:
    if isinstance(module, MultiwayNetwork):
        return [module.A, module.B]
    return [module]
