"""Compiled kernels: text of the dialect, compiled when first needed."""

from __future__ import annotations

import os
import threading
from typing import Callable as Function, Hashable

from torch import Tensor

from .._compile import compile
from .._lattn import Callable

_kernels: dict[Hashable, Callable] = {}
_lock = threading.Lock()


def _reset_lock() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_reset_lock)


def get(make: Function[..., str], *key: Hashable) -> Callable:
    """The kernel whose text is make(*key)."""
    name = (make, *key)
    kernel = _kernels.get(name)
    if kernel is None:
        with _lock:
            kernel = _kernels.get(name)
            if kernel is None:
                kernel = _kernels[name] = compile(make(*key))
    return kernel


def count() -> int:
    """How many were compiled."""
    return len(_kernels)


def memref(sizes: str, element: str) -> str:
    """The type of an array of any strides; sizes as "?x?x?x64"."""
    strides = ", ".join("?" for _ in sizes.split("x"))
    return f"memref<{sizes}x{element}, strided<[{strides}], offset: ?>>"


def number(value: float) -> str:
    """As MLIR reads it back exactly."""
    return f"{value:.17e} : f64"


def function(op: str, operands: dict[str, str], outputs: dict[str, str],
             attributes: str, region: str = "") -> str:
    """A function of one op, {name: type} of its arrays; takes them by name."""
    # In the order of the op's syntax.
    ordered = [n for n in ("query", "key", "value", "bias", "key_mask",
                           "captures") if n in operands]
    inputs = " ".join(f"{n}(%{n} : {operands[n]})" for n in ordered)
    outs = ", ".join(f"%{n} : {type}" for n, type in outputs.items())
    signature = ", ".join(f'%{n}: {type} {{lattn.name = "{n}"}}'
                          for n, type in (operands | outputs).items())
    return (f"func.func @main({signature}) {{\n  {op} {inputs}\n"
            f"    outs({outs}) {{{attributes}}}{region}\n  return\n}}\n")


def call(kernel: Callable, **arrays: Tensor) -> None:
    kernel(**{name: x.detach() for name, x in arrays.items()})
