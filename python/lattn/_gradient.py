"""The class that Callable.grad returns."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _kernels, _lattn
from ._types import Array, ArrayLike

_FLOATS = ("float16", "bfloat16", "float32", "float64")


class Value(NamedTuple):
    """An argument or a result."""

    name: str
    spelling: str
    element: str
    is_array: bool
    sizes: tuple[int, ...]  # -1 where any

    @property
    def is_memref(self) -> bool:
        return self.spelling.startswith("memref")

    @property
    def is_float(self) -> bool:
        return self.element in _FLOATS


class Gradient:
    """A compiled function's values and gradients; lattn.Callable.grad makes it."""

    def __init__(self, function: _lattn.Callable, arguments: Union[
            str, int, Sequence[Union[str, int]], None] = None) -> None:
        entry, taken, returned = function._describe()
        self._entry, self._function = entry, function
        self._taken = [Value(*x) for x in taken]
        self._results = [Value(*x) for x in returned]
        self._floats = [x for x in self._results if x.is_float]
        for x in (*self._taken, *self._results):
            if x.is_memref:
                raise TypeError(f"{entry}: grad expected tensors and numbers, "
                                f"got {x.name} of {x.spelling}")
        if not self._floats:
            raise TypeError(f"{entry}: grad expected a result of floats, got "
                            f"{function.signature}")
        self._is_one = isinstance(arguments, (str, int))
        chosen = self._choose([arguments] if self._is_one else arguments)
        text, name, *options, cache = function._get_source()
        listed = ",".join(map(str, chosen))
        made = _lattn.run_passes(
            text, name, f"lattn-differentiate{{functions={entry} "
            f"arguments={listed} results=true}}").encode()
        _kernels.dump(made, "lattn.grad")
        self._callable = _lattn.Callable(made, name, f"{entry}_grad", *options,
                                         cache, False, -1, 0, False)

    @property
    def signature(self) -> str:
        """The signature of the compiled function. Cotangents come after the arguments,
        and gradients come after the values."""
        return self._callable.signature

    def __repr__(self) -> str:
        return f"<lattn.Gradient {self.signature}>"

    def __call__(self, *args: Union[ArrayLike, float],
                 cotangents: Union[ArrayLike, float, Sequence[ArrayLike],
                                   None] = None,
                 **kwargs: Union[ArrayLike, float]) -> tuple[Any, Any]:
        given = self._read(cotangents)
        found = self._callable(*self._function._bind(*args, **kwargs), *given)
        values = found[:len(self._results)]
        gradients = found[len(self._results):]
        # Sizes that no operation of the function depends on.
        floats = (x for x, info in zip(values, self._results) if info.is_float)
        for info, cotangent, x in zip(self._floats, given, floats):
            if not info.is_array:
                continue
            wanted, got = (tuple(_lattn.describe(y, info.name)[1])
                           for y in (x, cotangent))
            if wanted != got:
                raise ValueError(f"{self._entry}: cotangents: expected the shape "
                                 f"{wanted} of {info.name}, got {got}")
        return (values[0] if len(values) == 1 else values,
                gradients[0] if self._is_one else gradients)

    def _choose(self, arguments: Optional[Sequence[Union[str, int]]]
                ) -> list[int]:
        """The numbers of the chosen arguments."""
        if arguments is None:
            chosen = [i for i, x in enumerate(self._taken) if x.is_float]
        else:
            chosen = [self._find(x) for x in arguments]
        if not chosen:
            raise TypeError(f"{self._entry}: grad expected an argument of floats "
                            f"to differentiate by, got "
                            f"{self._function.signature}")
        for place, i in enumerate(chosen):
            x = self._taken[i]
            if not x.is_float:
                raise TypeError(f"{self._entry}: grad expected an argument of "
                                f"floats to differentiate by, got {x.name} of "
                                f"{x.spelling}")
            if i in chosen[:place]:
                raise ValueError(f"{self._entry}: grad expected each argument "
                                 f"once, got {x.name} again")
        return chosen

    def _find(self, argument: Union[str, int]) -> int:
        names = [x.name for x in self._taken]
        if isinstance(argument, str):
            if argument in names:
                return names.index(argument)
        elif 0 <= operator.index(argument) < len(names):
            return operator.index(argument)
        raise ValueError(f"{self._entry}: grad expected one of the arguments "
                         f"{', '.join(names)} or a number from 0 to "
                         f"{len(names) - 1}, got {argument!r}")

    def _read(self, cotangents: Any) -> list[Union[Array, float]]:
        """The cotangents, one for each float result."""
        what, infos = f"{self._entry}: cotangents", self._floats
        if cotangents is None:
            if len(infos) > 1 or any(size != 1 for size in infos[0].sizes):
                spelled = ", ".join(f"{x.name}: {x.spelling}" for x in infos)
                raise ValueError(f"{what}: expected one for each of ({spelled}), "
                                 "which are not a single number, got None")
            return [_make_ones(infos[0]) if infos[0].is_array else 1.0]
        if not isinstance(cotangents, (tuple, list)):
            cotangents = [cotangents]
        if len(cotangents) != len(infos):
            names = ", ".join(x.name for x in infos)
            raise ValueError(f"{what}: expected {len(infos)}, of {names}, got "
                             f"{len(cotangents)}")
        return [_check(f"{what}: {info.name}", x, info)
                for info, x in zip(infos, cotangents)]


def _make_ones(info: Value) -> Array:
    kind = info.element
    if kind == "bfloat16":
        import ml_dtypes

        kind = ml_dtypes.bfloat16
    return np.ones(info.sizes, kind)


def _check(what: str, x: Any, info: Value) -> Any:
    if not info.is_array:
        return float(x)
    element, shape = _lattn.describe(x, what)
    if element != info.element:
        raise TypeError(f"{what}: expected elements of {info.element}, got "
                        f"{element}")
    if len(shape) != len(info.sizes) or any(
            size not in (-1, n) for size, n in zip(info.sizes, shape)):
        raise ValueError(f"{what}: expected {info.spelling}, got the shape "
                         f"{shape}")
    return x
