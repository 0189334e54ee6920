"""Errors of the modules: those of the packages they stand for."""

from __future__ import annotations

from typing import Any


class EinopsError(RuntimeError):
    """A wrong number or length of axes, where the packages raise einops' error
    of this name (a RuntimeError, too)."""


def require(condition: bool, message: str = "") -> None:
    """AssertionError, also under python -O."""
    if not condition:
        raise AssertionError(message) if message else AssertionError()


def require_cpu(name: str, device: Any) -> None:
    if device.type not in ("cpu", "meta"):
        raise ValueError(f"{name}: expected a tensor in the CPU's memory, got "
                         f"one on {device}")
