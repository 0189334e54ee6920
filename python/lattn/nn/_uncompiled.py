"""lattn.attention by options that torch.compile cannot trace: where the graph may
break it does, else torch's error tells the reason."""

from __future__ import annotations

import torch

from .._attention import attention


def _disable(option: str):
    def run(*arrays, **options):
        return attention(*arrays, **options)
    return torch.compiler.disable(
        run, reason=f"lattn.attention: {option} is not built for compiled graphs")


FUNCTIONS = {name: _disable(name) for name in ("score_mod", "mask_mod", "out")}
