"""torch.autocast for functions that take arrays of any library."""

from __future__ import annotations

import sys
from typing import Any

_modules = sys.modules


def is_on() -> bool:
    """Whether torch.autocast is on, for any device."""
    core = getattr(_modules.get("torch"), "_C", None)
    return core is not None and core._is_any_autocast_enabled()


def _cast(x: Any, device: str, dtype: Any, kept: tuple[Any, ...]) -> Any:
    torch = _modules["torch"]
    if (not isinstance(x, torch.Tensor) or x.device.type != device
            or not x.is_floating_point() or x.dtype in kept):
        return x
    return x.to(dtype)


def cast(q: Any, k: Any, v: Any, *added: Any) -> tuple[Any, ...]:
    """Converts tensors to the type that autocast asks for on q's device, as torch's
    scaled_dot_product_attention does: not those of float64. What is `added` to scores
    also stays if it is of float32, for kernels add it in float32."""
    torch = _modules["torch"]
    given = q, k, v, *added
    if not isinstance(q, torch.Tensor) or not torch.is_autocast_enabled(
            q.device.type):
        return given
    device, dtype = q.device.type, torch.get_autocast_dtype(q.device.type)
    kept = torch.float64, dtype
    return (*(_cast(x, device, dtype, kept) for x in given[:3]),
            *(_cast(x, device, dtype, (*kept, torch.float32)) for x in added))
