"""Draws seeds for dropout from the generators that users seed."""

from __future__ import annotations

import numpy as np


def of_numpy() -> int:
    """A seed from numpy.random."""
    return int(np.random.randint(0, 2**63 - 1, dtype=np.int64))


def of_torch() -> int:
    """A seed from torch's generator."""
    import torch

    return int(torch.randint(2**63 - 1, ()))
