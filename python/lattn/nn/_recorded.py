"""Derivatives of attention as torch operators, which programs that torch records
contain."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional, Sequence

from torch import Tensor

from . import _derivatives, _library
from ._derivatives import Kernels, Tensors
from ._module_kernels import BIAS, pad


class Operators:
    """lattn::name_grad, name_jvp, name_grad_grad and name_jvp_jvp. `options` are the
    schema of values for which make(tensors, *values) gives kernels, and
    bind(tensors, *values) the same by operators. make_empty(tensors) gives a result of
    the operation without values, and make_gradients(tensors, by_bias) gradients."""

    def __init__(self, name: str, options: str, make: Callable[..., Kernels],
                 bind: Callable[..., Kernels], make_empty: Callable[..., Tensor],
                 make_gradients: Callable[..., list[Tensor]],
                 devices: Sequence[str] = ("CPU",)) -> None:
        def define(suffix: str, arguments: str, result: str, method: str,
                   fake: Callable[..., Any]) -> Any:
            schema = f"(Tensor?[] tensors, {arguments}, {options}) -> {result}"
            count = arguments.count(",") + 1

            def run(tensors: Tensors, *others: Any) -> Any:
                kernels = make(tensors, *others[count:])
                return call(getattr(kernels, method), tensors, others[:count])

            def apply(tensors: Tensors, *others: Any) -> Any:
                function = getattr(_derivatives, method)
                kernels = bind(tensors, *others[count:])
                return call(functools.partial(function, kernels), tensors,
                            others[:count])
            made = _library.operator(name + suffix, devices=devices,
                                     schema=schema)(run)
            _library.fake(name + suffix)(fake)
            _library.rules(name + suffix, apply)
            return made
        self.pull_back = define(
            "_grad", "Tensor[] kept, Tensor grad, bool by_bias", "Tensor[]",
            "pull_back",
            lambda tensors, kept, grad, by_bias, *_: make_gradients(tensors, by_bias))
        self.push_forward = define(
            "_jvp", "Tensor?[] tangents", "Tensor", "push_forward",
            lambda tensors, *_: make_empty(tensors))
        self.pull_back_twice = define(
            "_grad_grad", "Tensor grad, Tensor?[] cotangents, bool by_bias", "Tensor[]",
            "pull_back_twice", _make_second_gradients)
        self.push_forward_twice = define(
            "_jvp_jvp", "Tensor?[] first, Tensor?[] second, Tensor?[] both", "Tensor",
            "push_forward_twice", lambda tensors, *_: make_empty(tensors))


def call(method: Callable[..., Any], tensors: Tensors, arguments: Sequence[Any]) -> Any:
    """Gradients come as a list, without those that are not needed."""
    *others, last = arguments
    if not isinstance(last, bool):
        return method(tensors, *arguments)
    needed = [i < BIAS or i == BIAS and last for i in range(len(tensors))]
    return [x for x in method(tensors, *others, needed) if x is not None]


def _make_second_gradients(tensors: Tensors, grad: Tensor, cotangents: Tensors,
                           by_bias: bool, *_: Any) -> list[Tensor]:
    return [x.new_empty(x.shape) for x in (*tensors[:BIAS + by_bias], grad)]


class Recorded(Kernels):
    """Kernels by operators, with the options of a call."""

    operators: Operators

    def __init__(self, *options: Any) -> None:
        self.options = options

    def pull_back(self, tensors: Tensors, kept: Sequence[Tensor], grad: Tensor,
                  needed: Sequence[bool]) -> list[Optional[Tensor]]:
        return pad(self.operators.pull_back(tensors, kept, grad, needed[BIAS],
                                            *self.options), tensors)

    def push_forward(self, tensors: Tensors, tangents: Tensors) -> Tensor:
        return self.operators.push_forward(tensors, tangents, *self.options)

    def pull_back_twice(self, tensors: Tensors, grad: Tensor, cotangents: Tensors,
                        needed: Sequence[bool]) -> list[Optional[Tensor]]:
        *made, of_grad = self.operators.pull_back_twice(
            tensors, grad, cotangents, needed[BIAS], *self.options)
        return [*pad(made, tensors), of_grad]

    def push_forward_twice(self, tensors: Tensors, first: Tensors, second: Tensors,
                           both: Tensors) -> Tensor:
        return self.operators.push_forward_twice(tensors, first, second, both,
                                                 *self.options)
