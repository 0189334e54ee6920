"""lattn.attention with options that torch.compile cannot trace. The graph breaks there
if it may; otherwise torch's error gives the reason."""

from __future__ import annotations

import torch

from .._attention import attention


def _disable(option: str):
    def run(*arrays, **options):
        return attention(*arrays, **options)
    return torch.compiler.disable(
        run, reason=f"lattn.attention: {option} is not built for compiled graphs")


FUNCTIONS = {name: _disable(name) for name in ("score_mod", "mask_mod", "out")}
