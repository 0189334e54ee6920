"""Definition of torch operators. Not torch.library.custom_op's: its first call
imports torch's compiler, which takes more than a second."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import torch

_LIBRARY = torch.library.Library("lattn", "FRAGMENT")


def operator(name: str, mutates: Sequence[str] = ()
             ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes lattn::name of a function of tensors on the CPU."""
    def define(function: Callable[..., Any]) -> Callable[..., Any]:
        schema = torch.library.infer_schema(function, mutates_args=mutates)
        _LIBRARY.define(name + schema, tags=torch.Tag.pt2_compliant_tag)
        _LIBRARY.impl(name, function, "CPU")
        return getattr(torch.ops.lattn, name).default
    return define


def fake(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers what lattn::name gives for tensors without memory."""
    return torch.library.register_fake(f"lattn::{name}")
