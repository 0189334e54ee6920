"""Errors of the modules: those of the packages they stand for."""

from __future__ import annotations


class EinopsError(RuntimeError):
    """A wrong number or length of axes, where the packages raise einops' error
    of this name (a RuntimeError, too)."""


def require(condition: bool, message: str = "") -> None:
    """AssertionError, also under python -O."""
    if not condition:
        raise AssertionError(message) if message else AssertionError()
