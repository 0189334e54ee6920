"""What the functions of whole modules share in NumPy: their weights, and the work
around attention."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional

import numpy as np

from ._checks import ELEMENTS, check_shape


def computed_in(x: Any) -> str:
    """The type to compute in: NumPy has no fast products of narrow types."""
    return "f8" if x.dtype == np.float64 else "f4"


def sequence(name: str, x: Any) -> Any:
    """Checks an array (B, N, dim) of floats."""
    x = np.asarray(x)
    if x.ndim != 3:
        raise ValueError(f"{name}: expected the shape (B, N, dim), got "
                         f"{x.shape}")
    if str(x.dtype) not in ELEMENTS:
        raise TypeError(f"{name}: expected elements of {', '.join(ELEMENTS)}, "
                        f"got {x.dtype}")
    return x


class Weights:
    """Parameters by the names of a module's state_dict, in the type of the
    computation."""

    def __init__(self, weights: Mapping[str, Any], dtype: str,
                 prefix: str = "") -> None:
        self.arrays = {n: np.asarray(x).astype(dtype, copy=False)
                       for n, x in weights.items()}
        self.dtype, self.prefix = dtype, prefix

    def check_names(self, pattern: str) -> None:
        unknown = sorted(n for n in self.arrays if not re.fullmatch(pattern, n))
        if unknown:
            raise ValueError("weights: expected the names of the module's "
                             f"state_dict, got {unknown[0]!r}")

    def under(self, prefix: str) -> "Weights":
        """The weights of a part of the module, by their names in it."""
        part = Weights({}, self.dtype, self.prefix + prefix)
        part.arrays = self.arrays
        return part

    def __contains__(self, name: str) -> bool:
        return self.prefix + name in self.arrays

    def get(self, name: str, *shape: Optional[int]) -> Any:
        """A weight. A size of None may be any."""
        name = self.prefix + name
        if name not in self.arrays:
            raise ValueError(f"weights: expected {name!r}, which is missing")
        check_shape(f"weights[{name!r}]", self.arrays[name], *shape)
        return self.arrays[name]

    def check_table(self, name: str, expected: Any) -> None:
        """A buffer that kernels compute anew: others would not be heeded."""
        if name not in self:
            return
        # bfloat16 rounds by 2^-9.
        if not np.allclose(self.get(name, *expected.shape), expected, rtol=4e-3,
                           atol=6e-8):
            raise ValueError(
                f"weights[{self.prefix + name!r}]: expected the numbers that "
                "follow from the arguments, because the kernel computes them "
                "itself; got others, which only lattn.nn supports")


def layer_norm(x: Any, w: Weights, eps: float = 1e-5) -> Any:
    size = x.shape[-1]
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + x.dtype.type(eps))
    return x * w.get("weight", size) + w.get("bias", size)


def normalize(x: Any, scale: Any) -> Any:
    """Divides rows by their length and multiplies them by scale."""
    norm = np.sqrt((x * x).sum(-1, keepdims=True))
    return x / np.maximum(norm, x.dtype.type(1e-12)) * scale


def linear(x: Any, w: Weights, size: Optional[int] = None) -> Any:
    out = x @ w.get("weight", size, x.shape[-1]).T
    return out + w.get("bias", out.shape[-1]) if "bias" in w else out


def sigmoid(x: Any) -> Any:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))
