"""Derivatives of an operation by its kernels, up to the second order, for autograd,
torch.func and forward-mode differentiation.

The operation f has the Jacobian J by its tensors x. Its gradient is J^T g, where g is
the gradient of its result, and its tangent is J c, where c are the tangents of x. One
kernel multiplies the second derivatives of <g, f(x)>, a symmetric matrix, by c. That is
all at once:

- the gradient of <c, J^T g> by x (gradients of gradients)
- the tangent of J^T g (tangents of gradients)
- the gradient of <g, J c> by x (gradients of tangents)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Protocol, Sequence

import torch
from torch import Tensor

from . import _transforms
from ._last import Last

Tensors = Sequence[Optional[Tensor]]


class Kernels(Protocol):
    """An operation with its options. `needed` says by which of `tensors` it is
    differentiated; results for the others are None. Tangents and cotangents that are
    None are zero."""

    name: str

    def compute(self, tensors: Tensors) -> tuple[Tensor, ...]:
        """The result, and what `pull_back` reads of it."""

    def pull_back(self, tensors: Tensors, kept: Tensors, grad: Tensor,
                  needed: Sequence[bool]) -> Sequence[Optional[Tensor]]:
        """The gradients by `tensors`."""

    def push_forward(self, tensors: Tensors, tangents: Tensors) -> Tensor:
        """The tangent of the result."""

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> Sequence[Optional[Tensor]]:
        """From the cotangents of the gradients: the gradients by `tensors`, and at
        the end that by `grad`."""

    def push_forward_twice(self, tensors: Tensors, first: Tensors, second: Tensors,
                           both: Tensors) -> Tensor:
        """The tangent of the tangent by `first`, where `tensors` have the tangents
        `second`, and `first` have the tangents `both`."""


@dataclass(frozen=True)
class _Call:  # no tuple: torch.func would make new ones
    kernels: Kernels
    needed: tuple[bool, ...] = ()


def compute(kernels: Kernels, tensors: Tensors) -> tuple[Tensor, ...]:
    """The operation, with derivatives."""
    return _Operation.apply(_Call(kernels), *tensors)


def pull_back(kernels: Kernels, tensors: Tensors, kept: Tensors, grad: Tensor,
              needed: Sequence[bool]) -> list[Optional[Tensor]]:
    """The gradients by `tensors`, with derivatives."""
    call = _Call(kernels, tuple(needed))
    return _place(_Gradients.apply(call, *tensors, *kept, grad), needed)


def push_forward(kernels: Kernels, tensors: Tensors, tangents: Tensors) -> Tensor:
    """The tangent of the result, with derivatives."""
    return _Tangent.apply(_Call(kernels), *tensors, *tangents)


def pull_back_twice(kernels: Kernels, tensors: Tensors, grad: Tensor,
                    cotangents: Tensors, needed: Sequence[bool]
                    ) -> list[Optional[Tensor]]:
    return _pull_back_twice(_Call(kernels, tuple(needed)), tensors, grad, cotangents)


def push_forward_twice(kernels: Kernels, *groups: Tensors) -> Tensor:
    return _SecondTangent.apply(_Call(kernels), *(x for xs in groups for x in xs))


def _place(found: Sequence[Tensor], needed: Sequence[bool]
           ) -> list[Optional[Tensor]]:
    left = iter(found)
    return [next(left) if need else None for need in needed]


def _pick(found: Sequence[Optional[Tensor]], needed: Sequence[bool]
          ) -> tuple[Tensor, ...]:
    return tuple(x for x, need in zip(found, needed) if need)


class _Function(torch.autograd.Function):
    """A function of (call, *tensors). vmap is one call after the other."""

    @classmethod
    def map(cls, info: Any, in_dims: Any, call: _Call, *tensors: Any) -> Any:
        return _transforms.map_calls(call.kernels.name, cls, info, in_dims,
                                     (call, *tensors))


class _Operation(_Function):
    @staticmethod
    def vmap(*arguments: Any) -> Any:
        return _Operation.map(*arguments)

    @staticmethod
    def forward(call: _Call, *tensors: Any) -> tuple[Tensor, ...]:
        return call.kernels.compute(tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call, ctx.count = inputs[0], len(inputs) - 1
        ctx.kept = len(output) - 1
        ctx.mark_non_differentiable(*output[1:])
        ctx.save_for_backward(*inputs[1:], *output)
        ctx.save_for_forward(*inputs[1:])
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, grad: Optional[Tensor], *_: Any) -> Any:
        if grad is None:
            return (None,) * (1 + ctx.count)
        saved, kernels = ctx.saved_tensors, ctx.call.kernels
        arguments = (saved[:ctx.count], saved[ctx.count:], grad,
                     ctx.needs_input_grad[1:])
        if torch.is_grad_enabled() or _transforms.are_active():
            return None, *pull_back(kernels, *arguments)
        return None, *kernels.pull_back(*arguments)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> Any:
        made = _Tangent.apply(ctx.call, *ctx.saved_tensors[:ctx.count], *tangents)
        return made, *(None for _ in range(ctx.kept))


class _Gradients(_Function):
    """Of (call, *tensors, *kept, grad): the gradients that are needed."""

    @staticmethod
    def vmap(*arguments: Any) -> Any:
        return _Gradients.map(*arguments)

    @staticmethod
    def forward(call: _Call, *arguments: Any) -> tuple[Tensor, ...]:
        kernels, needed = call.kernels, call.needed
        count = len(needed)
        return _pick(kernels.pull_back(arguments[:count], arguments[count:-1],
                                       arguments[-1], needed), needed)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *cotangents: Optional[Tensor]) -> Any:
        needed = ctx.call.needed
        tensors, kept, grad = _split(ctx.saved_tensors, len(needed))
        made = _pull_back_twice(ctx.call, tensors, grad,
                                _place(cotangents, needed))
        return None, *made[:-1], *(None for _ in kept), made[-1]

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> Any:
        kernels, needed = ctx.call.kernels, ctx.call.needed
        tensors, kept, grad = _split(ctx.saved_tensors, len(needed))
        of_tensors, of_grad = tangents[:len(needed)], tangents[-1]
        # The result depends on all that has a tangent.
        active = tuple(need or x is not None
                       for need, x in zip(needed, of_tensors))
        found: Sequence[Optional[Tensor]] = [None] * len(needed)
        if any(x is not None for x in of_tensors):
            found = _pull_back_twice(_Call(kernels, active), tensors, grad,
                                     of_tensors)[:-1]
        if of_grad is not None:
            more = pull_back(kernels, tensors, kept, of_grad, needed)
            found = [y if x is None else x if y is None else x + y
                     for x, y in zip(found, more)]
        return _pick(found, needed)


class _Tangent(_Function):
    """Of (call, *tensors, *tangents): the tangent of the result."""

    @staticmethod
    def vmap(*arguments: Any) -> Any:
        return _Tangent.map(*arguments)

    @staticmethod
    def forward(call: _Call, *arguments: Any) -> Tensor:
        count = len(arguments) // 2
        return call.kernels.push_forward(arguments[:count], arguments[count:])

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.call, ctx.count = inputs[0], len(inputs) // 2
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, grad: Optional[Tensor]) -> Any:
        if grad is None:
            return (None,) * (1 + 2 * ctx.count)
        kernels, saved = ctx.call.kernels, ctx.saved_tensors
        tensors, tangents = saved[:ctx.count], saved[ctx.count:]
        needed = ctx.needs_input_grad[1:1 + ctx.count]
        of_tangents = ctx.needs_input_grad[1 + ctx.count:]
        made: Sequence[Optional[Tensor]] = [None] * ctx.count
        more = made
        if any(needed):
            active = tuple(need or x is not None
                           for need, x in zip(needed, tangents))
            made = _pull_back_twice(_Call(kernels, active), tensors, grad,
                                    tangents)[:-1]
        if any(of_tangents):
            kept = _Operation.apply(_Call(kernels), *tensors)
            more = pull_back(kernels, tensors, kept, grad, of_tangents)
        return None, *(x if need else None for x, need in zip(made, needed)), *more

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Optional[Tensor]) -> Any:
        saved = ctx.saved_tensors
        return _SecondTangent.apply(ctx.call, *saved, *tangents)


def _split(saved: Tensors, count: int) -> tuple[Tensors, Tensors, Tensor]:
    """The tensors, what was kept and the gradient."""
    return saved[:count], saved[count:-1], saved[-1]


def _pull_back_twice(call: _Call, tensors: Tensors, grad: Tensor, cotangents: Tensors
                     ) -> list[Optional[Tensor]]:
    made = _SecondGradients.apply(call, *tensors, grad, *cotangents)
    return _place(made, (*call.needed, True))


class _Last(_Function, Last):
    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.name = inputs[0].kernels.name


class _SecondGradients(_Last):
    """Of (call, *tensors, grad, *cotangents): the gradients of those that are needed,
    and of grad."""

    @staticmethod
    def vmap(*arguments: Any) -> Any:
        return _SecondGradients.map(*arguments)

    @staticmethod
    def forward(call: _Call, *arguments: Any) -> tuple[Tensor, ...]:
        kernels, needed = call.kernels, call.needed
        count = len(needed)
        return _pick(kernels.pull_back_twice(
            arguments[:count], arguments[count], arguments[count + 1:], needed),
            (*needed, True))


class _SecondTangent(_Last):
    """Of (call, *tensors, *first, *second, *both): the tangent of the tangent."""

    @staticmethod
    def vmap(*arguments: Any) -> Any:
        return _SecondTangent.map(*arguments)

    @staticmethod
    def forward(call: _Call, *arguments: Any) -> Tensor:
        count = len(arguments) // 4
        return call.kernels.push_forward_twice(
            *(arguments[i * count:(i + 1) * count] for i in range(4)))
