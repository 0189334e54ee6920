"""lattn.local_attention."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _autocast, _local_kernels, _seeds
from ._attention import is_compiled_by_torch
from ._checks import (ELEMENTS, check_shape, check_type, flag, integer, real,
                      type_name)
from ._lattn import GradientsError, TracedTensorError
from ._local_kernels import Options
from ._types import Array, ArrayLike


def _array(name: str, x: Any) -> Any:
    """Returns arrays of NumPy and torch as they are, and converts others by DLPack."""
    is_torch = type(x).__module__.partition(".")[0] == "torch"
    if isinstance(x, np.ndarray) or is_torch:
        return x
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"{name}: expected an array (NumPy, torch or DLPack), "
                        f"got {type(x).__name__}")
    return np.from_dlpack(x)


def _check_operands(q: Any, k: Any, v: Any) -> None:
    check_type("q", q, *ELEMENTS)
    check_shape("q", q, None, None, None, None, axes="B, H, N, D")
    batches, heads, length, size = q.shape
    for name, x in (("k", k), ("v", v)):
        check_type(name, x, type_name(q.dtype))
    check_shape("k", k, batches, None, length, size, axes="B, Hkv, N, D")
    check_shape("v", v, batches, k.shape[1], length, None, axes="B, Hkv, N, Dv")
    groups = k.shape[1]
    if heads % groups if groups else heads:
        raise ValueError(f"k: expected a number of heads that divides q's "
                         f"{heads}, got {groups}")
    if size == 0 or v.shape[3] == 0:
        raise ValueError(f"{'v' if size else 'q'}: expected heads of a size of "
                         "at least 1, got 0")


def _check_length(length: int, o: Options) -> None:
    if o.padded(length) % o.call_window_size:
        raise ValueError(f"q: expected a length divisible by "
                         f"{o.call_window_size} (or autopad), got {length}")


def _check_bias(bias: Any, q: Any, o: Options) -> None:
    acc = "float64" if type_name(q.dtype) == "float64" else "float32"
    check_type("attn_bias", bias, type_name(q.dtype), acc)
    window, slots = o.call_window_size, o.slots
    shape = tuple(bias.shape)
    if (len(shape) != 3 or not shape[0] or q.shape[1] % shape[0]
            or shape[1] not in (1, window) or shape[2] not in (1, slots)):
        raise ValueError(
            f"attn_bias: expected the shape (a divisor of {q.shape[1]}, "
            f"{window} or 1, {slots} or 1), got {shape}")


def _check_rotary(dim: int, size: int) -> None:
    # torch.compile compares open integers, and finds none in a tuple.
    if dim and (size % 2 or dim != size and dim != size - 1):
        raise ValueError(f"dim: expected the size of a head, which must be even, "
                         f"or one less, got {dim} for heads of {size}")


def local_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    window_size: int,
    causal: bool = False,
    look_backward: int = 1,
    look_forward: Optional[int] = None,
    shared_qk: bool = False,
    dim: Optional[int] = None,
    theta: float = 10000.0,
    autopad: bool = False,
    exact_windowsize: bool = False,
    scale: Optional[float] = None,
    use_xpos: bool = False,
    xpos_scale_base: Optional[float] = None,
    call_window_size: Optional[int] = None,
    mask: Optional[ArrayLike] = None,
    attn_bias: Optional[ArrayLike] = None,
    dropout_p: float = 0.0,
    seed: Optional[int] = None,
) -> Array:
    """Computes attention in blocks of queries: ``lattn.nn.LocalAttention`` as a
    function, without torch.

    It takes arrays of NumPy, and of PyTorch on a CPU or a GPU. PyTorch can
    differentiate the output by q, k, v and attn_bias, once or twice, in reverse and in
    forward mode. What a GPU has no kernel for, torch's operations compute, in memory of
    B * H * N * slots numbers, after a warning: float32 and float64, gradients of
    attn_bias, tangents and second derivatives, and xpos scales too large for the type.

    Args:
      q: (B, H, N, D) of float16, bfloat16, float32 or float64.
      k, v: (B, Hkv, N, D) and (B, Hkv, N, Dv), Hkv a divisor of H.
      window_size: the number of queries in a block.
      causal: hides the keys after the query.
      look_backward, look_forward: the numbers of blocks that a query sees before
        and after its own, from 0 to 256. look_forward is 0 if causal, else 1.
      shared_qk: L2-normalises keys. A query's score for its own key is -5e4.
      dim, theta: rotary embeddings. dim is D or D - 1; None is no embedding.
      autopad: allows any N. Else N must be a multiple of window_size.
      exact_windowsize: a query sees at most look_backward * window_size keys before
        it, and look_forward * window_size after it.
      scale: the factor of q k^T; D**-0.5 if None.
      use_xpos, xpos_scale_base: xpos scales. Their base is window_size // 2 if
        None.
      call_window_size: another size of blocks for this call. It needs use_xpos.
      mask: (B, N) of bool. False hides the key.
      attn_bias: (Hb, window, slots), is added to the scores. Hb divides H; slots are
        (look_backward + 1 + look_forward) * window; axes of 1 repeat.
      dropout_p, seed: as in lattn.attention.

    Returns:
      The output (B, H, N, Dv) of q's type: torch's if q is, else NumPy's.

    Raises:
      TypeError, ValueError: an argument's type, shape or value; the message
        names it. NotImplementedError: tensors that require gradients, beside
        queries of NumPy.

    Source: docs/spec.md, "lattn.local_attention".
    """
    q, k, v = (_array(n, x) for n, x in (("q", q), ("k", k), ("v", v)))
    if _autocast.is_on():
        q, k, v, attn_bias = _autocast.cast(q, k, v, attn_bias)
    _check_operands(q, k, v)
    causal, use_xpos = flag("causal", causal), flag("use_xpos", use_xpos)
    if look_forward is None:
        look_forward = 0 if causal else 1
    look_forward = integer("look_forward", look_forward, 0, 256)
    if causal and look_forward:
        raise ValueError("look_forward: expected 0 where causal is given, got "
                         f"{look_forward}")
    window = integer("window_size", window_size, 1, 2**30)
    if call_window_size is not None and not use_xpos:
        raise ValueError("call_window_size: expected None without use_xpos, got "
                         f"{call_window_size}")
    called = window if call_window_size is None else integer(
        "call_window_size", call_window_size, 1, 2**30)
    base = window // 2 if xpos_scale_base is None else xpos_scale_base
    options = Options(
        window, called, integer("look_backward", look_backward, 0, 256),
        look_forward, causal, flag("exact_windowsize", exact_windowsize),
        flag("autopad", autopad), flag("shared_qk", shared_qk),
        integer("dim", dim or 0, 0, 2**30), real("theta", theta),
        use_xpos, real("xpos_scale_base", base),
        q.shape[3] ** -0.5 if scale is None else real("scale", scale))
    if options.theta <= 0:
        raise ValueError(f"theta: expected a positive number, got {theta}")
    _check_rotary(options.dim, q.shape[3])
    _check_length(q.shape[2], options)
    if mask is not None:
        mask = _array("mask", mask)
        check_type("mask", mask, "bool")
        check_shape("mask", mask, q.shape[0], q.shape[2], axes="B, N")
    if attn_bias is not None:
        attn_bias = _array("attn_bias", attn_bias)
        _check_bias(attn_bias, q, options)
    p = real("dropout_p", dropout_p)
    if not 0 <= p <= 1:
        raise ValueError(f"dropout_p: expected a number from 0 to 1, got {p}")
    if seed is not None:
        seed = integer("seed", seed, -2**63, 2**63 - 1)
    if not p:
        seed = None
    elif seed is None:
        is_numpy = isinstance(q, np.ndarray)
        seed = _seeds.of_numpy() if is_numpy else _seeds.of_torch()
    # On a GPU the operator knows what has no kernel.
    if not isinstance(q, np.ndarray) and (is_compiled_by_torch() or q.is_cuda):
        return _call_operator(q, k, v, mask, attn_bias, options, p, seed)
    shape = (*q.shape[:3], v.shape[3])
    out = (np.empty(shape, q.dtype) if isinstance(q, np.ndarray)
           else q.new_empty(shape))
    if 0 not in shape:
        try:
            _local_kernels.call(q, k, v, mask, attn_bias, options, p, seed).run(
                output=out)
        except (TracedTensorError, GradientsError):
            if isinstance(q, np.ndarray):
                raise
            return _call_operator(q, k, v, mask, attn_bias, options, p, seed)
    return out


def _call_operator(q: Any, k: Any, v: Any, mask: Any, bias: Any, o: Options, p: float,
           seed: Optional[int]) -> Any:
    """Calls the torch operator, which has gradients, and which torch.compile, vmap and
    other transformations see."""
    import torch

    from .nn import _ops

    k, v = (x if x.shape[1] == q.shape[1] else x.repeat_interleave(
        q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    return _ops.local_attention(
        q, k, v, mask, bias, None, None, *o,
        None if seed is None else torch.tensor(seed), p)
