"""Errors of the modules, which are those of the packages that they replace."""

from __future__ import annotations

from typing import Any


class EinopsError(RuntimeError):
    """Axes of a wrong length or number. The packages raise einops' error of this name,
    which is a RuntimeError, too."""


def require(condition: bool, message: str = "") -> None:
    """Raises AssertionError, also under python -O."""
    if not condition:
        raise AssertionError(message) if message else AssertionError()


def require_cpu(name: str, device: Any) -> None:
    if device.type not in ("cpu", "meta"):
        raise NotImplementedError(
            f"{name}: expected a tensor in the CPU's memory, got one on {device}: "
            "lattn.nn computes on the CPU only")
