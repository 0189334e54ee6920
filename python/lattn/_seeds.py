"""Seeds for dropout where none is given, of the generators that users seed."""

from __future__ import annotations

import numpy as np


def of_numpy() -> int:
    """By numpy.random.seed."""
    return int(np.random.randint(0, 2**63 - 1, dtype=np.int64))


def of_torch() -> int:
    """By torch.manual_seed."""
    import torch

    return int(torch.randint(2**63 - 1, ()))
