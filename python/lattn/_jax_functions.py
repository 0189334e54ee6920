"""jax.numpy's functions of symbols.

JAX asks no argument what to do with it, as NumPy and torch do. So functions that are
traced see stand-ins of JAX's modules and functions.
"""

from __future__ import annotations

import types
from typing import Any

from ._symbols import Symbol, call


def is_jax(value: Any) -> bool:
    """Whether `value` is a module or a function of JAX."""
    if isinstance(value, types.ModuleType):
        name = value.__name__
    elif callable(value) and not isinstance(value, type):
        name = getattr(value, "__module__", None) or ""
    else:
        return False
    return isinstance(name, str) and name.split(".")[0] == "jax"


def wrap(captures: Any, value: Any) -> Any:
    """A stand-in, which computes symbols from symbols, and captures arrays that
    it makes."""
    if isinstance(value, types.ModuleType):
        return _Module(captures, value)

    def function(*xs: Any, **options: Any) -> Any:
        given = *xs, *options.values()
        name = getattr(value, "__name__", "function")
        for x in given:
            if hasattr(type(x), "refuse"):
                x.refuse()
        if any(isinstance(x, Symbol) for x in given):
            return call(captures.region, "jax.numpy", name, xs, options)
        return captures.wrap(value(*xs, **options), name)

    return function


class _Module:
    def __init__(self, captures: Any, module: types.ModuleType) -> None:
        self._captures, self._module = captures, module

    def __getattr__(self, name: str) -> Any:
        return self._captures.wrap(getattr(self._module, name), name)
