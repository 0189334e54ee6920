"""Whether torch traces a call, or transforms it for derivatives and batches. Such calls
use torch's operations instead of kernels that only save time."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.utils import _python_dispatch


def are_active() -> bool:
    """Whether torch traces, or is inside a transform of torch.func, a level of forward-
    mode differentiation, or a mode that sees all operations."""
    return _are_transforming() or are_tracing()


def _are_transforming() -> bool:
    return (forward_ad._current_level >= 0
            or torch._C._functorch.peek_interpreter_stack() is not None)


def are_tracing() -> bool:
    """Whether torch traces, or is inside a mode that sees all operations."""
    return (torch.compiler.is_compiling()
            or torch._C._get_tracing_state() is not None
            or _python_dispatch._get_current_dispatch_mode() is not None)


def are_transformed(*values: Optional[Tensor]) -> bool:
    """Whether one of the tensors may have a derivative, or is a batch of vmap."""
    return need_gradients(*values) or have_tangents(*values) or any(
        torch._C._functorch.is_functorch_wrapped_tensor(x)
        for x in values if x is not None)


def are_nested() -> bool:
    """Whether torch is inside more than one transform of torch.func."""
    return (torch._C._functorch.maybe_current_level() or 0) > 1


def need_gradients(*values: Any) -> bool:
    """Whether one of the tensors requires gradients, also inside torch.func's wrappers.
    """
    functorch = torch._C._functorch
    for x in values:
        while isinstance(x, Tensor) and functorch.is_functorch_wrapped_tensor(x):
            x = functorch.get_unwrapped(x)
        if isinstance(x, Tensor) and x.requires_grad:
            return True
    return False


def of_functions() -> bool:
    """Whether torch is inside a transform of torch.func, where torch.compile does not
    read the code."""
    return (not torch.compiler.is_dynamo_compiling()
            and torch._C._functorch.peek_interpreter_stack() is not None)


def have_tangents(*values: Any) -> bool:
    """Whether one of the tensors is a dual tensor of the innermost forward-mode level.
    """
    return any(isinstance(x, Tensor)
               and forward_ad.unpack_dual(x).tangent is not None
               for x in values)


def have_gradients(*values: Any) -> bool:
    """Whether a transform of torch.func differentiates one of the tensors."""
    return (torch._C._functorch.peek_interpreter_stack() is not None
            and torch.is_grad_enabled()
            and any(isinstance(x, Tensor) and x.requires_grad for x in values))


def need_rules(arguments: Sequence[Any]) -> bool:
    """Whether autograd or forward-mode differentiation follows an operator with these
    arguments."""
    tensors = [x for y in arguments
               for x in (y if isinstance(y, (list, tuple)) else (y,))]
    if torch.is_grad_enabled() and any(
            isinstance(x, Tensor) and x.requires_grad for x in tensors):
        return True
    return forward_ad._current_level >= 0 and have_tangents(*tensors)


def map_calls(name: str, function: Any, info: Any, in_dims: Sequence[Any],
              arguments: Sequence[Any]) -> Any:
    """vmap of a torch.autograd.Function, by one call after the other."""
    if info.batch_size == 0:
        raise ValueError(f"{name}: vmap: expected at least one call, got an axis of "
                         "size 0")
    found = [function.apply(*(
        x.select(dim, i) if isinstance(dim, int) else x
        for x, dim in zip(arguments, in_dims))) for i in range(info.batch_size)]
    if isinstance(found[0], Tensor):
        return torch.stack(found), 0
    return tuple(map(torch.stack, zip(*found))), (0,) * len(found[0])
