"""Compiled kernels: text of the dialect, compiled when first needed."""

from __future__ import annotations

import os
import threading
from typing import Callable as Function, Hashable

from .._compile import compile
from .._lattn import Callable
from ._options import Options

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


def _attributes(o: Options) -> str:
    parts = [f"window_size = {o.window_size} : i64",
             f"look_backward = {o.look_backward} : i64",
             f"look_forward = {o.look_forward} : i64",
             f"scale = {number(o.scale)}"]
    parts += [name for name in ("causal", "exact_windowsize", "autopad",
                                "shared_qk", "use_xpos") if getattr(o, name)]
    if o.call_window_size != o.window_size:
        parts.append(f"call_window_size = {o.call_window_size} : i64")
    if o.dim:
        parts += [f"dim = {o.dim} : i64", f"theta = {number(o.theta)}"]
        if o.use_xpos:
            parts.append(f"xpos_scale_base = {number(o.xpos_scale_base)}")
    return ", ".join(parts)


def local_attention(element: str, size: int, value_size: int, masked: bool,
                    bias: tuple[str, str] | None, o: Options) -> str:
    """(query, key, value, mask?, bias?, output). bias: its sizes and element."""
    head = memref(f"?x?x?x{size}", element)
    value = memref(f"?x?x?x{value_size}", element)
    arguments = {"query": head, "key": head, "value": value}
    if masked:
        arguments["key_mask"] = memref("?x?", "i1")
    if bias is not None:
        arguments["bias"] = memref(*bias)
    operands = " ".join(f"{name}(%{name} : {type})"
                        for name, type in arguments.items())
    arguments["output"] = value
    signature = ", ".join(f"%{name}: {type}"
                          for name, type in arguments.items())
    return (f"func.func @local_attention({signature}) {{\n"
            f"  lattn.local_attention {operands}\n"
            f"    outs(%output : {value}) {{{_attributes(o)}}}\n"
            "  return\n}\n")
