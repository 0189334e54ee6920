"""Derivatives of a formula in torch's operations, where no kernel computes them."""

from __future__ import annotations

import functools
import warnings
from typing import Callable, Optional, Sequence

import torch
from torch import Tensor
from torch.func import jvp, vjp

from ._derivatives import Kernels, Tensors


@functools.cache
def warn(name: str, what: str) -> None:
    """Says once that a GPU computes what has no kernel by torch's operations."""
    warnings.warn(f"{name}: GPUs have no kernel for {what} yet: torch's operations "
                  "compute them", stacklevel=2)


class Formula(Kernels):
    """`function` of tensors. Only those that are `differentiable` have derivatives."""

    def __init__(self, name: str, function: Callable[..., Tensor],
                 differentiable: Sequence[int]) -> None:
        self.name, self.function = name, function
        self.places = differentiable

    def _take(self, tensors: Tensors) -> tuple[Tensor, ...]:
        return tuple(tensors[i] for i in self.places if tensors[i] is not None)

    def _fix(self, tensors: Tensors) -> Callable[..., Tensor]:
        """The function of those that have derivatives."""
        def run(*given: Tensor) -> Tensor:
            left = iter(given)
            return self.function(*(
                next(left) if i in self.places and x is not None else x
                for i, x in enumerate(tensors)))
        return run

    def _fill(self, tensors: Tensors, given: Tensors) -> tuple[Tensor, ...]:
        """With zeros for those that are not given."""
        return tuple(torch.zeros_like(tensors[i]) if given[i] is None else given[i]
                     for i in self.places if tensors[i] is not None)

    def _place(self, tensors: Tensors, found: Sequence[Tensor],
               needed: Sequence[bool]) -> list[Optional[Tensor]]:
        left = iter(found)
        made = [next(left) if i in self.places and x is not None else None
                for i, x in enumerate(tensors)]
        return [x if need else None for x, need in zip(made, needed)]

    def compute(self, tensors: Tensors) -> tuple[Tensor, ...]:
        return self.function(*tensors),

    def pull_back(self, tensors: Tensors, kept: Tensors, grad: Tensor,
                  needed: Sequence[bool]) -> list[Optional[Tensor]]:
        found = vjp(self._fix(tensors), *self._take(tensors))[1](grad)
        return self._place(tensors, found, needed)

    def push_forward(self, tensors: Tensors, tangents: Tensors) -> Tensor:
        return jvp(self._fix(tensors), self._take(tensors),
                   self._fill(tensors, tangents))[1]

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> list[Optional[Tensor]]:
        function, given = self._fix(tensors), self._take(tensors)

        def pull(grad: Tensor, *given: Tensor) -> tuple[Tensor, ...]:
            return vjp(function, *given)[1](grad)
        of_grad, *found = vjp(pull, grad, *given)[1](self._fill(tensors, cotangents))
        return [*self._place(tensors, found, needed), of_grad]

    def push_forward_twice(self, tensors: Tensors, first: Tensors, second: Tensors,
                           both: Tensors) -> Tensor:
        function, given = self._fix(tensors), self._take(tensors)
        first, second, both = (self._fill(tensors, x) for x in (first, second, both))
        count = len(given)

        def push(*given: Tensor) -> Tensor:
            return jvp(function, given[:count], given[count:])[1]
        return jvp(push, (*given, *first), (*second, *both))[1]
