"""Compiled kernels: text of the dialect, compiled when first needed."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from typing import Any, Callable as Function, Hashable

from ._lattn import Callable

_kernels: dict[Hashable, Callable] = {}
_lock = threading.Lock()
_begun: dict[Hashable, Future] = {}


def _reset() -> None:
    """In a forked process, where no other thread compiles on."""
    global _lock
    _lock = threading.Lock()
    _begun.clear()


os.register_at_fork(after_in_child=_reset)


def _begin(name: Hashable) -> tuple[Future, bool]:
    """What will be the kernel, and whether the caller is to compile it."""
    with _lock:
        future, is_new = _begun.get(name), False
        if future is None:
            future, is_new = Future(), name not in _kernels
            if is_new:
                _begun[name] = future
            else:
                future.set_result(_kernels[name])
        return future, is_new


def _compile(name: tuple[Any, ...], future: Future) -> None:
    make, *key = name
    try:
        # No text of ours takes an index from what it computed.
        kernel = Callable(make(*key).encode(), "<text>", "", "", "", "llvm", "",
                          True)
    except BaseException as error:  # also one that a user raises by Ctrl-C
        del _begun[name]
        future.set_exception(error)
    else:
        _kernels[name] = kernel
        del _begun[name]
        future.set_result(kernel)


def _is_interrupted(future: Future) -> bool:
    error = future.exception()
    return error is not None and not isinstance(error, Exception)


def get(make: Function[..., str], *key: Hashable) -> Callable:
    """The kernel whose text is make(*key)."""
    name = (make, *key)
    kernel = _kernels.get(name)
    while kernel is None:
        future, is_new = _begin(name)
        if is_new:
            _compile(name, future)
        # Ctrl-C is the exception of one thread; others compile it again.
        if is_new or not _is_interrupted(future):
            kernel = future.result()
    return kernel


def start(make: Function[..., str], *key: Hashable) -> None:
    """Compiles it beside what the caller does; get waits."""
    name = (make, *key)
    if name not in _kernels:
        future, is_new = _begin(name)
        if is_new:
            threading.Thread(target=_compile, args=(name, future)).start()


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
             attributes: str, region: str = "", dropout: bool = False) -> str:
    """A function of one op, {name: type} of its arrays; takes them by name, and
    with dropout the numbers p and seed."""
    # In the order of the op's syntax.
    def spell(*names: str) -> str:
        return " ".join(f"{n}(%{n} : {operands[n]})" for n in names
                        if n in operands)
    inputs = [spell("query", "key", "value", "bias", "key_mask"),
              "dropout(%p, %seed, %offset : f32, i64, i64)" * dropout,
              spell("captures")]
    outs = ", ".join(f"%{n} : {type}" for n, type in outputs.items())
    numbers = {"p": "f32", "seed": "i64"} if dropout else {}
    signature = ", ".join(
        f'%{n}: {type} {{lattn.name = "{n}"}}'
        for n, type in (operands | outputs | numbers).items())
    return (f"func.func @main({signature}) {{\n"
            f"  %offset = arith.constant 0 : i64\n  {op} {' '.join(inputs)}\n"
            f"    outs({outs}) {{{attributes}}}{region}\n  return\n}}\n")
