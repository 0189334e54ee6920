"""lattn::paged_attention, a torch operator: lattn.attention over keys in pages, where
torch traces the call. It has no derivatives."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .._attention_options import SCHEMA
from . import _attention, _library, _transforms
from . import _attention_operators as _operators


@_library.operator("paged_attention", devices=("CPU", "CUDA"), schema=(
    f"({_operators.ARRAYS}, {SCHEMA}, Tensor pages) "
    "-> (Tensor, Tensor)"))
def _paged_attention(*arguments: Any) -> tuple[Tensor, Tensor]:
    """The output and the log-sum-exp."""
    arrays, options, (pages,) = _operators.split(arguments)
    return _operators.run(arrays, options, None, pages=pages)


@_library.fake("paged_attention")
def _(*arguments: Any) -> tuple[Tensor, Tensor]:
    return _operators.make_results(*arguments[:-1])


def attention(q: Tensor, k: Any, v: Any, *, pages: Any, **o: Any) -> Any:
    """lattn.attention by the operator. All options must be given."""
    arrays, options = _attention.read(q, k, v, o)
    if (forward_ad._current_level >= 0 or _transforms.of_functions()
            or torch.is_grad_enabled() and any(
                x is not None and x.requires_grad for x in arrays)):
        raise NotImplementedError(
            "pages: gradients and torch.func are not built for paged keys yet: call "
            "under torch.no_grad(), or without pages")
    for name in ("score_mod", "mask_mod", "out"):
        if o[name] is None:
            continue
        if torch.compiler.is_dynamo_compiling():
            from ._uncompiled import FUNCTIONS

            return FUNCTIONS[name](q, k, v, pages=pages, **o)
        raise NotImplementedError(
            f"lattn.attention: {name} is not built with pages where torch traces "
            "the call: call without it, or outside of a trace")
    output, lse = _paged_attention(*arrays, *options,
                                   _attention.tensor("pages", pages))
    return (output, lse) if o["return_lse"] else output
