"""lattn.local_attention."""

from __future__ import annotations

import math
import operator
from typing import Any, Optional

import numpy as np

from . import _seeds
from ._attention import is_compiled_by_torch
from ._builder import ELEMENTS
from ._lattn import TracedTensorError
from ._local_kernels import Options, get_kernel
from ._types import Array, ArrayLike


def _array(name: str, x: Any) -> Any:
    """NumPy's and torch's as they are, others by DLPack."""
    is_torch = type(x).__module__.partition(".")[0] == "torch"
    if isinstance(x, np.ndarray) or is_torch:
        return x
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"{name}: expected an array (NumPy, torch or DLPack), "
                        f"got {type(x).__name__}")
    return np.from_dlpack(x)


def _type_name(x: Any) -> str:
    return str(x.dtype).rpartition(".")[2]


def _check_type(name: str, x: Any, *expected: str) -> None:
    if _type_name(x) not in expected:
        raise TypeError(f"{name}: expected elements of "
                        f"{' or '.join(expected)}, got {_type_name(x)}")


def _check_shape(name: str, x: Any, axes: str, *sizes: Optional[int]) -> None:
    shape = tuple(x.shape)
    if len(shape) != len(sizes) or any(
            n is not None and n != m for n, m in zip(sizes, shape)):
        wanted = ", ".join("any" if n is None else str(n) for n in sizes)
        raise ValueError(f"{name}: expected the shape ({axes}) = ({wanted}), "
                         f"got {shape}")


def _integer(name: str, value: Any, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, got "
                        f"{type(value).__name__}") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: expected an integer from {least} to {most}, "
                         f"got {number}")
    return number


def _number(name: str, value: Any) -> float:
    try:
        number = float(value + 0)  # text is no number
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name}: expected a number, got "
                        f"{type(value).__name__}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def _flag(name: str, value: Any) -> bool:
    try:
        return bool(value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name}: expected True or False, got "
                        f"{type(value).__name__}") from None


def _check_operands(q: Any, k: Any, v: Any) -> None:
    _check_type("q", q, *ELEMENTS)
    _check_shape("q", q, "B, H, N, D", None, None, None, None)
    batches, heads, length, size = q.shape
    for name, x in (("k", k), ("v", v)):
        _check_type(name, x, _type_name(q))
    _check_shape("k", k, "B, Hkv, N, D", batches, None, length, size)
    _check_shape("v", v, "B, Hkv, N, Dv", batches, k.shape[1], length, None)
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
    acc = "float64" if _type_name(q) == "float64" else "float32"
    _check_type("attn_bias", bias, _type_name(q), acc)
    window, slots = o.call_window_size, o.slots
    shape = tuple(bias.shape)
    if (len(shape) != 3 or not shape[0] or q.shape[1] % shape[0]
            or shape[1] not in (1, window) or shape[2] not in (1, slots)):
        raise ValueError(
            f"attn_bias: expected the shape (a divisor of {q.shape[1]}, "
            f"{window} or 1, {slots} or 1), got {shape}")


def _check_rotary(dim: int, size: int) -> None:
    if dim and (size % 2 or dim not in (size, size - 1)):
        raise ValueError(f"dim: expected the even size of a head, or that less "
                         f"1, got {dim} for heads of {size}")


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
    """Attention in blocks of queries: what ``lattn.nn.LocalAttention`` computes,
    as a function and without torch.

    Arrays are as for ``lattn.attention``.

    Args:
      q: (B, H, N, D) of float16, bfloat16, float32 or float64.
      k, v: (B, Hkv, N, D) and (B, Hkv, N, Dv), Hkv a divisor of H.
      window_size: queries of a block.
      causal: no key ahead of the query.
      look_backward, look_forward: blocks that are seen before and after the
        query's own, from 0 to 256; look_forward is 0 if causal, else 1.
      shared_qk: keys are L2-normalised, a query's score for its own key is -5e4.
      dim, theta: rotary embeddings; dim is D, or D - 1, None for none.
      autopad: N need not be a multiple of window_size.
      exact_windowsize: keys are at most look_backward * window_size behind, and
        look_forward * window_size ahead.
      scale: of the products q k^T; D**-0.5 if None.
      use_xpos, xpos_scale_base: xpos scales; their base is window_size // 2 if
        None.
      call_window_size: blocks of another size for this call; needs use_xpos.
      mask: (B, N) of bool, True takes part.
      attn_bias: (Hb, window, slots), added to the scores; Hb divides H, slots are
        (look_backward + 1 + look_forward) * window, axes of 1 repeat.
      dropout_p, seed: as lattn.attention's.

    Returns:
      The output (B, H, N, Dv) of q's type: torch's if q is, else NumPy's.

    Raises:
      TypeError, ValueError: an argument's type, shape or value; the message
        names it. NotImplementedError: tensors that require gradients.

    Source: docs/spec.md, "lattn.local_attention".
    """
    q, k, v = (_array(n, x) for n, x in (("q", q), ("k", k), ("v", v)))
    _check_operands(q, k, v)
    causal, use_xpos = _flag("causal", causal), _flag("use_xpos", use_xpos)
    if look_forward is None:
        look_forward = 0 if causal else 1
    look_forward = _integer("look_forward", look_forward, 0, 256)
    if causal and look_forward:
        raise ValueError("look_forward: expected 0 where causal is given, got "
                         f"{look_forward}")
    window = _integer("window_size", window_size, 1, 2**30)
    if call_window_size is not None and not use_xpos:
        raise ValueError("call_window_size: expected None without use_xpos, got "
                         f"{call_window_size}")
    called = window if call_window_size is None else _integer(
        "call_window_size", call_window_size, 1, 2**30)
    base = window // 2 if xpos_scale_base is None else xpos_scale_base
    options = Options(
        window, called, _integer("look_backward", look_backward, 0, 256),
        look_forward, causal, _flag("exact_windowsize", exact_windowsize),
        _flag("autopad", autopad), _flag("shared_qk", shared_qk),
        _integer("dim", dim or 0, 0, 2**30), _number("theta", theta),
        use_xpos, _number("xpos_scale_base", base),
        q.shape[3] ** -0.5 if scale is None else _number("scale", scale))
    if options.theta <= 0:
        raise ValueError(f"theta: expected a positive number, got {theta}")
    _check_rotary(options.dim, q.shape[3])
    _check_length(q.shape[2], options)
    operands, bias_type = dict(query=q, key=k, value=v), None
    if mask is not None:
        operands["key_mask"] = mask = _array("mask", mask)
        _check_type("mask", mask, "bool")
        _check_shape("mask", mask, "B, N", q.shape[0], q.shape[2])
    if attn_bias is not None:
        operands["bias"] = bias = _array("attn_bias", attn_bias)
        _check_bias(bias, q, options)
        bias_type = (*map(int, bias.shape), ELEMENTS[_type_name(bias)])
    p = _number("dropout_p", dropout_p)
    if not 0 <= p <= 1:
        raise ValueError(f"dropout_p: expected a number from 0 to 1, got {p}")
    if seed is not None:
        seed = _integer("seed", seed, -2**63, 2**63 - 1)
    if p:
        if seed is None:
            is_numpy = isinstance(q, np.ndarray)
            seed = _seeds.of_numpy() if is_numpy else _seeds.of_torch()
        operands |= dict(p=p, seed=seed)
    if is_compiled_by_torch() and not isinstance(q, np.ndarray):
        return _trace(operands, options)
    shape = (*q.shape[:3], v.shape[3])
    out = (np.empty(shape, q.dtype) if isinstance(q, np.ndarray)
           else q.new_empty(shape))
    if 0 not in shape:
        kernel = get_kernel(ELEMENTS[_type_name(q)], int(q.shape[3]),
                            int(v.shape[3]), mask is not None, bias_type,
                            options, p > 0)
        try:
            kernel(**operands, output=out)
        except TracedTensorError:
            return _trace(operands, options)
    return out


def _trace(operands: dict[str, Any], o: Options) -> Any:
    """By the torch operator, for torch.compile, vmap and what else looks on."""
    import torch

    from .nn import _ops

    q, *shared = (operands[n] for n in ("query", "key", "value"))
    k, v = (x if x.shape[1] == q.shape[1] else x.repeat_interleave(
        q.shape[1] // x.shape[1], dim=1) for x in shared)
    seed, p = operands.get("seed"), operands.get("p", 0.0)
    if seed is not None:
        seed = torch.tensor(seed)
    return _ops.local_attention(q, k, v, operands.get("key_mask"),
                                operands.get("bias"), None, None, *o, seed, p)
