"""lattn.precompile."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np

from . import _kernels, _lattn
from ._attention import attention
from ._checks import type_name as _type_name
from ._local_attention import local_attention
from ._sdpa import scaled_dot_product_attention
from ._threads import get_num_threads

_FUNCTIONS = attention, scaled_dot_product_attention, local_attention
_INPUTS = {attention: "qkv", local_attention: "qkv",
           scaled_dot_product_attention: ("query", "key", "value")}
# The element types of arrays that are described by shapes alone; None is that of q.
_TYPES = {
    **dict.fromkeys(("q", "k", "v", "query", "key", "value", "bias", "sink",
                     "attn_bias")),
    **dict.fromkeys(("key_mask", "mask"), "bool"),
    **dict.fromkeys(("kv_lengths", "pages", "cu_seqlens_q", "cu_seqlens_k", "offset",
                     "q_segments", "kv_segments"), "int64"),
    "attn_mask": "",  # either
}


def _name(dtype: Any) -> str:
    """NumPy's name of an element type, which torch has, too."""
    return np.dtype(dtype).name if isinstance(dtype, type) else _type_name(dtype)


def _make(name: str, given: Any, dtype: str, device: str | None) -> Any:
    """An array as described; others as they are. `device` is that of torch's tensors;
    None makes arrays of NumPy."""
    if hasattr(given, "dtype") or not isinstance(given, (tuple, list)):
        return given
    shape, kind = given, _TYPES[name]
    if len(given) == 2 and isinstance(given[0], (tuple, list)):
        shape, kind = given[0], _name(given[1])
    if kind == "":
        raise ValueError(f"{name}: expected a shape and an element type such as "
                         f"({tuple(shape)}, 'bool'), got {given}")
    kind = kind or dtype
    if name.startswith("cu_seqlens"):
        raise ValueError(f"{name}: expected an array of lengths, got the shape {given}")
    if device is not None:
        import torch

        # Of pages that are never touched where nothing reads their values.
        make = torch.empty if kind in ("float16", "bfloat16", "float32", "float64"
                                       ) else torch.zeros
        return make(tuple(shape), dtype=getattr(torch, kind), device=device)
    if kind == "bfloat16":
        import ml_dtypes

        return np.zeros(shape, ml_dtypes.bfloat16)
    return np.zeros(shape, kind)


def _compile(call: Mapping[str, Any]) -> None:
    """Compiles what `call` needs."""
    options = dict(call)
    function = options.pop("function", attention)
    if function not in _FUNCTIONS:
        names = ", ".join(f"lattn.{f.__name__}" for f in _FUNCTIONS)
        raise ValueError(f"function: expected one of {names}, got {function!r}")
    dtype = _name(options.pop("dtype", "float32"))
    gradient, device = options.pop("gradient", False), options.pop("device", None)
    by = (tuple(_INPUTS[function]) if gradient is True else
          (gradient,) if isinstance(gradient, str) else tuple(gradient or ()))
    if by and device is None:
        device = "cpu"
    for name in options:
        if name in _TYPES:
            options[name] = _make(name, options[name], dtype, device)
    if options.get("dropout_p"):
        options.setdefault("seed", 0)  # no generator is asked
    for name in by:
        if name not in options:
            raise ValueError(f"gradient: expected names of arrays of the call, got "
                             f"{name!r}")
        options[name] = options[name].detach().requires_grad_()
    before = _lattn.set_dry(True)
    try:
        _differentiate(function(**options), [options[name] for name in by])
    finally:
        _lattn.set_dry(before)


def _differentiate(results: Any, inputs: Sequence[Any]) -> None:
    """Runs the backward pass by `inputs`."""
    if not inputs:
        return
    import torch
    from torch.utils import _pytree

    outputs = [x for x in _pytree.tree_leaves(results)
               if isinstance(x, torch.Tensor) and x.requires_grad]
    if not outputs:
        raise ValueError("gradient: expected a result that has gradients, got none")
    # In this thread, which is the one that computes nothing.
    with torch.autograd.set_multithreading_enabled(False):
        torch.autograd.grad(outputs, inputs, [
            torch.zeros((), dtype=x.dtype, device=x.device).expand(x.shape)
            for x in outputs], allow_unused=True)


def _run(function: Callable[..., Any], arguments: Any, gradient: bool) -> None:
    """Calls a function of torch's tensors, whose kernels depend on what it does."""
    torch = sys.modules.get("torch")
    if torch is None:
        args, kwargs = arguments
        function(*args, **kwargs)
        return
    from torch.utils import _pytree

    args, kwargs = _pytree.tree_map(
        lambda x: torch.zeros(x.shape, dtype=x.dtype) if isinstance(x, torch.Tensor)
        and x.device.type == "meta" else x, arguments)
    inputs: list[Any] = []
    if gradient:
        inputs = [x for x in _pytree.tree_leaves((args, kwargs))
                  if isinstance(x, torch.Tensor) and x.requires_grad]
        if isinstance(function, torch.nn.Module):
            inputs += [p for p in function.parameters() if p.requires_grad]
        if not inputs:
            raise ValueError("gradient: expected parameters or arguments that require "
                             "gradients, got none")
    with torch.random.fork_rng(devices=()), torch.set_grad_enabled(bool(gradient)):
        _differentiate(function(*args, **kwargs), inputs)


def precompile(
    what: Union[Sequence[Mapping[str, object]], Callable[..., object]],
    *args: object,
    gradient: bool = False,
    **kwargs: object,
) -> int:
    """Compiles kernels before they are needed, so that later calls do not wait.

    A program that serves requests calls it when it starts. Kernels also go to the
    cache on disk, where later processes find them.

    Args:
      what: descriptions of calls, or a function such as a PyTorch module.

        A description is a dict of the arguments of a call of lattn.attention. Arrays
        are described by their shapes, or by pairs of a shape and an element type.
        ``attn_mask`` needs a pair; ``cu_seqlens_q`` and ``cu_seqlens_k`` are arrays.
        Arrays may be given, too. Further keys: ``dtype``, the element type of q, k, v
        and what is added to scores ("float32"); ``gradient``, True for the kernels of
        calls with gradients by q, k and v, or the names of the arrays by which they
        are; ``function``, lattn.attention, lattn.local_attention or
        lattn.scaled_dot_product_attention; ``device``, such as "cuda:0". Nothing is
        computed. Arrays take memory on a GPU only, until this function returns; the
        sizes of those decide which kernels are compiled.

        A function is called once. Modules of lattn.nn, models of Hugging Face and
        what torch.compile returns are such.
      args, kwargs: the function's arguments. torch's tensors on the device "meta"
        stand for tensors of zeros.
      gradient: runs the function's backward pass, too: by its parameters and by
        arguments that require gradients. Without it the function runs under
        torch.no_grad(). No parameter's grad changes, nor does torch's generator.

    Returns:
      How many kernels are new in this process: compiled, or from the cache on disk.
      On a GPU, calls that differ in their sizes alone count once, whatever kernels
      they take.

    Raises:
      What the calls raise; the message begins with the number of the description.

    On CPUs, kernels depend on the number of queries and heads where queries are few (decoding),
    but on no other number of batches, heads and positions: one description serves all
    of them. Describe a call with few queries and one with many.
    """
    before = _kernels.count()
    if callable(what):
        _run(what, (args, kwargs), gradient)
    else:
        if args or kwargs:
            raise TypeError("lattn.precompile: expected no arguments after "
                            f"descriptions, got {[*args, *kwargs]}")
        calls = [{"gradient": gradient, **call} for call in what]

        def compile_one(i: int) -> None:
            try:
                _compile(calls[i])
            except (TypeError, ValueError, NotImplementedError, RuntimeError) as error:
                kind = type(error) if type(error) in (
                    TypeError, ValueError, NotImplementedError) else RuntimeError
                raise kind(f"lattn.precompile: call {i}: {error}") from error
        with ThreadPoolExecutor(max(get_num_threads(), 1)) as pool:
            list(pool.map(compile_one, range(len(calls))))
    _kernels.wait()
    return _kernels.count() - before
