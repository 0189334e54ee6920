"""Decides when modules compute rows by lattn's kernels."""

from __future__ import annotations

from typing import Optional, Sequence

import torch
from torch import Tensor, nn
from torch.nn.modules import module as _modules

from . import _transforms

LANES = 16  # widths of rows are multiples
KINDS = torch.float32, torch.bfloat16, torch.float16  # of programs of tensors
# Below, reading the weights costs more than it saves.
LEAST_ROWS = 256


def is_plain(module: nn.Module, kind: type) -> bool:
    """Whether a call of the module does what its class does, with its own tensors."""
    return (type(module) is kind and "forward" not in vars(module)
            and not (module._forward_hooks or module._forward_pre_hooks
                     or _modules._has_any_global_hook())
            and all(type(p) in (Tensor, nn.Parameter)
                    for p in module._parameters.values() if p is not None))


def is_linear(module: nn.Module) -> bool:
    return is_plain(module, nn.Linear) and module.bias is None


def is_layer_norm(module: nn.Module) -> bool:
    return (is_plain(module, nn.LayerNorm) and module.bias is not None
            and len(module.normalized_shape) == 1)


def fits(x: Tensor, *others: Optional[Tensor], least: int = LEAST_ROWS,
         kinds: Sequence[torch.dtype] = (torch.float32,),
         gradients: bool = False, lanes: int = LANES) -> bool:
    """Whether kernels can take rows of x. There must be enough rows, in whole vectors
    of lanes. All tensors must have one supported type, and no gradients if the
    kernels have none.

    Compilers see torch's operations, which they fuse. Transforms see operations that
    they know."""
    size = x.shape[-1]
    if (x.dtype not in kinds or size == 0 or size % lanes
            or x.numel() // size < least or _transforms.are_active()
            or torch.is_autocast_enabled("cpu")):
        return False
    with_gradients = torch.is_grad_enabled() and not gradients
    return all(t is None or t.dtype == x.dtype and t.is_cpu
               and not (with_gradients and t.requires_grad)
               for t in (x, *others))
