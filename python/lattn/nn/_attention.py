"""lattn.attention where torch traces or transforms the call, or needs gradients."""

from __future__ import annotations

import functools
import operator
from typing import Any, Optional, Sequence

import torch
from torch import Tensor
from torch.autograd import forward_ad

from .. import _lattn, _scores, _window
from .._attention_options import Options
from .._checks import check_shape
from . import _attention_functions as _functions
from . import _attention_operators as _operators
from . import _sequences, _tangents, _transforms


def tensor(name: str, x: Any) -> Optional[Tensor]:
    if x is None or isinstance(x, Tensor):
        return x
    if not hasattr(x, "__array__") and not hasattr(x, "__dlpack__"):
        raise TypeError(f"{name}: expected a tensor, got {type(x).__name__}")
    return torch.as_tensor(x)


def _integer(x: Any) -> Any:
    """An integer, or a symbol of one, which stays open in compiled graphs."""
    return x if isinstance(x, (int, torch.SymInt)) else operator.index(x)


def _seed(dropout_p: float, seed: Any) -> Optional[Tensor]:
    if not dropout_p:
        return None
    if seed is None:
        return torch.randint(2**63 - 1, ())  # as lattn.attention draws it
    return torch.tensor(operator.index(seed))


def _describe(x: Any, name: str) -> tuple[str, tuple[int, ...]]:
    """Describes a tensor. Tensors have no memory while torch transforms the call."""
    if isinstance(x, Tensor):
        return str(x.dtype).removeprefix("torch."), tuple(x.shape)
    return _lattn.describe(x, name)


def _trace(arrays: list[Any], mods: tuple[Any, Any], layout: str
           ) -> tuple[_functions.Score, list[Tensor]]:
    """Traces score_mod, mask_mod and segments and removes them from `arrays`. Also
    returns the tensors that they read."""
    for name, x in zip("qkv", arrays):
        check_shape(name, x, None, None, None, None)
    real = "f64" if arrays[0].dtype == torch.float64 else "f32"
    program, found = _scores.trace((*mods, *arrays[9:11]), real,
                                   _sequences.get_extents(arrays, layout), _describe)
    arrays[9:11] = None, None
    return (_functions.Score(program, [(name, None if isinstance(x, Tensor) else x)
                             for name, x in found]),
            [x for _, x in found if isinstance(x, Tensor)])


def read(q: Tensor, k: Any, v: Any, o: dict[str, Any]
          ) -> tuple[list[Any], Options]:
    """The arrays and options of the operator."""
    offset, scale, p = o["offset"], o["scale"], float(o["dropout_p"] or 0)
    is_one = isinstance(offset, (int, torch.SymInt)) or (
        offset is not None and hasattr(offset, "__index__")
        and not hasattr(offset, "__array__"))
    arrays = [
        q, tensor("k", k), tensor("v", v),
        *(tensor(name, o[name]) for name in (
            "bias", "key_mask", "attn_mask", "kv_lengths")),
        None if is_one else tensor("offset", offset),
        *(tensor(name, o[name]) for name in (
            "sink", "q_segments", "kv_segments")), _seed(p, o["seed"]),
        *(tensor(name, o[name]) for name in ("cu_seqlens_q", "cu_seqlens_k"))]
    options = Options(
        _integer(offset) if is_one else None, *_window.bounds(o["window"]),
        bool(o["causal"]), None if scale is None else float(scale), o["layout"],
        float(o["softcap"]), p)
    return arrays, options


def attention(q: Tensor, k: Any, v: Any, **o: Any) -> Any:
    """lattn.attention by the operator. All options must be given."""
    for name in ("score_mod", "mask_mod", "out"):
        if o[name] is None or name != "out" and not _transforms.are_tracing():
            continue
        if torch.compiler.is_dynamo_compiling():
            from ._uncompiled import FUNCTIONS

            return FUNCTIONS[name](q, k, v, **o)
        raise NotImplementedError(
            f"lattn.attention: {name} is not built where torch traces or "
            f"{'transforms the call (vmap, ' if name == 'out' else 'the call ('}"
            "torch.compile, torch.export)"
            f"{' or keeps it for gradients' * (name == 'out')}: call without it, "
            "or outside of them")
    arrays, options = read(q, k, v, o)
    needed = [x is not None and torch.is_grad_enabled() and x.requires_grad
              for x in arrays]
    score, tensors = None, []
    mods = o["score_mod"], o["mask_mod"]
    if any(x is not None for x in mods):
        score, tensors = _trace(arrays, mods, o["layout"])
    found = None
    if (forward_ad._current_level >= 0
            and not torch.compiler.is_dynamo_compiling()):
        # torch.func would take the operator apart, to have its derivatives.
        both = (torch.ops.lattn.attention_jvp
                if score is None and not _transforms.of_functions()
                else functools.partial(_functions.Both.apply, score))
        found = _tangents.attend(arrays, options, tensors, both)
    is_active = _transforms.are_active()
    if found is not None:
        output, lse = found
    elif score is None and (is_active or not any(needed)):
        output, lse = _operators.attend(*arrays, *options)
    elif is_active:  # a score is no argument of operators
        output, lse = _functions.Attention.apply(score, *arrays, *options, *tensors)
    else:
        output, lse = _functions.Eager.apply(score, options, *arrays, *tensors)
    return (output, lse) if o["return_lse"] else output
