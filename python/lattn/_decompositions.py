"""How operators are decomposed before torch-mlir converts them: its table, and
decompositions of operators of which it loses NaN or negative amounts."""

from __future__ import annotations

import math
from typing import Any, Callable as Function, Optional, Sequence

import torch
from torch import _decomp
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

aten = torch.ops.aten
_own: dict[Any, Function[..., Any]] = {}


def _decomposes(*targets: Any) -> Function[..., Any]:
    def register(function: Function[..., Any]) -> Function[..., Any]:
        _own.update(dict.fromkeys(targets, function))
        return function
    return register


def _is_float(*values: Any) -> bool:
    return any(x.is_floating_point() if isinstance(x, torch.Tensor)
               else isinstance(x, (float, torch.SymFloat)) for x in values)


# ---- Comparisons that keep NaN -----------------------------------------------


@_decomposes(aten.maximum.default)
def _maximum(x: torch.Tensor, y: torch.Tensor) -> Any:
    if not _is_float(x, y):
        return NotImplemented
    return torch.where((x > y) | (x != x), x, y)


@_decomposes(aten.minimum.default)
def _minimum(x: torch.Tensor, y: torch.Tensor) -> Any:
    if not _is_float(x, y):
        return NotImplemented
    return torch.where((x < y) | (x != x), x, y)


@_decomposes(aten.clamp.default)
def _clamp(x: torch.Tensor, low: Any = None, high: Any = None) -> Any:
    if not _is_float(x, low, high):
        return NotImplemented
    if any(isinstance(bound, float) and math.isnan(bound) for bound in (low, high)):
        return x * math.nan
    if low is not None:
        x = torch.where(x < low, low, x)
    return x if high is None else torch.where(x > high, high, x)


@_decomposes(aten.hardtanh.default)
def _hardtanh(x: torch.Tensor, low: float = -1, high: float = 1) -> torch.Tensor:
    return torch.clamp(x, low, high)


@_decomposes(aten.reciprocal.default)
def _reciprocal(x: torch.Tensor) -> torch.Tensor:
    """torch-mlir adds an assertion that no number is 0. `1 / x` would come back here."""
    return torch.ones_like(x) / x


@_decomposes(aten.clamp.Tensor)
def _clamp_tensor(x: torch.Tensor, low: Optional[torch.Tensor] = None,
                  high: Optional[torch.Tensor] = None) -> torch.Tensor:
    if low is not None:
        x = torch.maximum(x, low)
    return x if high is None else torch.minimum(x, high)


@_decomposes(aten.argmax.default)
def _argmax(x: torch.Tensor, dim: Optional[int] = None, keepdim: bool = False) -> Any:
    if not _is_float(x):
        return NotImplemented
    most = x.amax() if dim is None else x.amax(dim, keepdim=True)
    return torch.argmax(((x == most) | (x != x)).int(), dim, keepdim)


@_decomposes(aten.argmin.default)
def _argmin(x: torch.Tensor, dim: Optional[int] = None, keepdim: bool = False) -> Any:
    return torch.argmax(-x, dim, keepdim) if _is_float(x) else NotImplemented


@_decomposes(aten.max.dim)
def _max(x: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
    if not _is_float(x):
        return NotImplemented
    return x.amax(dim, keepdim), torch.argmax(x, dim, keepdim)


@_decomposes(aten.min.dim)
def _min(x: torch.Tensor, dim: int, keepdim: bool = False) -> Any:
    if not _is_float(x):
        return NotImplemented
    return x.amin(dim, keepdim), torch.argmin(x, dim, keepdim)


# ---- Padding by negative amounts ---------------------------------------------


@_decomposes(aten.constant_pad_nd.default)
def _constant_pad_nd(x: torch.Tensor, amounts: Sequence[Any], value: Any = 0) -> Any:
    """Negative amounts are slices: tensor.pad takes no negative ones."""
    if all(amount >= 0 for amount in amounts):
        return NotImplemented
    for i, (low, high) in enumerate(zip(amounts[::2], amounts[1::2])):
        axis = x.dim() - 1 - i
        if low < 0 or high < 0:
            x = x.narrow(axis, max(-low, 0), x.shape[axis] + min(low, 0) + min(high, 0))
    return aten.constant_pad_nd(x, [max(amount, 0) for amount in amounts], value)


def get_decompositions() -> dict:
    """The table for aot_autograd. torch's own decompositions of the operators in the
    list end in the comparisons above; torch-mlir's do not."""
    torchs = _decomp.get_decompositions(
        [aten.hardsigmoid, aten.hardswish, aten.leaky_relu])
    return get_decomposition_table() | torchs | _own
