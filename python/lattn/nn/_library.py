"""Defines torch operators. It does not use torch.library.custom_op, whose first call
imports torch's compiler and takes more than a second."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import torch

from . import _transforms

_LIBRARY = torch.library.Library("lattn", "FRAGMENT")


def operator(name: str, mutates: Sequence[str] = (),
             devices: Sequence[str] = ("CPU",), schema: Optional[str] = None
             ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Defines lattn::name by a function of tensors on these devices. The schema comes
    from its annotations if none is given."""
    def define(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = schema or torch.library.infer_schema(
            function, mutates_args=mutates)
        _LIBRARY.define(name + signature, tags=torch.Tag.pt2_compliant_tag)
        for device in devices:
            _LIBRARY.impl(name, function, device)
        return getattr(torch.ops.lattn, name).default
    return define


class _Derivatives(torch.library.Library):
    """Uses the kernel that torch.library makes of a backward pass, and `forward` for
    what that kernel cannot do: it drops tangents, and its gradients do not work in
    torch.func."""

    def __init__(self, forward: Callable[..., Any]) -> None:
        super().__init__("lattn", "FRAGMENT")
        self._forward = forward

    def impl(self, op_name: Any, fn: Any, dispatch_key: str = "",
             **options: Any) -> None:
        def run(keyset: Any, *arguments: Any) -> Any:
            if (_transforms.have_tangents(*arguments)
                    or _transforms.have_gradients(*arguments)):
                return self._forward(*arguments)
            return fn(keyset, *arguments)
        super().impl(op_name, run, dispatch_key, **options)


_DERIVATIVES = []  # registered for as long as they live


def derivatives(name: str, setup: Callable[..., None],
                backward: Callable[..., Any], forward: Callable[..., Any]
                ) -> None:
    """Registers the derivatives of lattn::name. `forward` computes the same in torch's
    operations, of which torch knows all derivatives."""
    library = _Derivatives(forward)
    _DERIVATIVES.append(library)
    torch.library.register_autograd(f"lattn::{name}", backward,
                                    setup_context=setup, lib=library)


def rules(name: str, function: Callable[..., Any]) -> None:
    """Registers all derivatives of lattn::name. `function` computes the same by
    functions of torch.autograd."""
    call = getattr(torch.ops.lattn, name).default

    def run(keyset: Any, *arguments: Any) -> Any:
        if _transforms.need_rules(arguments):
            return function(*arguments)
        with torch._C._AutoDispatchBelowAutograd():
            return call.redispatch(keyset & torch._C._after_autograd_keyset,
                                   *arguments)
    _LIBRARY.impl(name, run, "Autograd", with_keyset=True)
    # torch.func calls it before all others, also in programs that torch records.
    _LIBRARY.impl(name, function, "FuncTorchDynamicLayerFrontMode")


def fake(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the results of lattn::name for tensors without memory."""
    return torch.library.register_fake(f"lattn::{name}")
