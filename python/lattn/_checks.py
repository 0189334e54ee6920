"""Checks of arguments. Their errors name the argument."""

from __future__ import annotations

import math
import operator
from typing import Any, Optional

# Element types by the names of NumPy and torch, and of MLIR.
ELEMENTS = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
            "float64": "f64"}


# Names that other libraries have for arguments of attention.
_SPELLINGS = {
    "is_causal": "causal", "mask": "attn_mask, key_mask or mask_mod",
    "attention_mask": "attn_mask or key_mask", "block_mask": "mask_mod",
    "key_padding_mask": "key_mask", "dropout": "dropout_p", "sinks": "sink",
    "s_aux": "sink", "softmax_scale": "scale", "sm_scale": "scale",
    "window_size": "window=(left, right)", "sliding_window": "window=(left, right)",
    "local_window_size": "window=(left, right)", "logits_soft_cap": "softcap",
    "alibi_slopes": "score_mod", "block_table": "pages", "return_residual": "return_lse",
    "enable_gqa": "nothing: heads of q may always be a multiple of k's"}


def refuse(function: str, unknown: Any) -> None:
    """Raises Python's error for unknown arguments, with their names in lattn."""
    for name in unknown:
        spelled = _SPELLINGS.get(name)
        raise TypeError(f"{function}() got an unexpected keyword argument '{name}'"
                        + (f"; expected {spelled}" if spelled else ""))


def type_name(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def element(x: Any) -> str:
    """MLIR's name of the float type of an array's elements."""
    name = type_name(x.dtype)
    if name not in ELEMENTS:
        raise TypeError(f"lattn: expected elements of {', '.join(ELEMENTS)}, "
                        f"got {name}")
    return ELEMENTS[name]


def check_type(name: str, x: Any, *expected: str) -> None:
    if type_name(x.dtype) not in expected:
        raise TypeError(f"{name}: expected elements of "
                        f"{' or '.join(expected)}, got {type_name(x.dtype)}")


def check_shape(name: str, x: Any, *sizes: Optional[int], axes: str = "") -> None:
    """Checks the shape of an array. A size of None may be any; an array of None is not
    checked. `axes` are names for messages."""
    if x is None or x.shape == sizes:
        return
    shape = tuple(x.shape)
    if len(shape) != len(sizes) or any(
            n is not None and n != m for n, m in zip(sizes, shape)):
        wanted = ", ".join("any" if n is None else str(n) for n in sizes)
        named = f"({axes}) = " if axes else ""
        raise ValueError(f"{name}: expected the shape {named}({wanted}), got "
                         f"{shape}")


def _spell(number: int) -> str:
    is_power = number >= 2**32 and number & (number - 1) == 0
    return f"2**{number.bit_length() - 1}" if is_power else str(number)


def integer(name: str, value: Any, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected an integer, got "
                        f"{type(value).__name__}") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: expected an integer from {least} to "
                         f"{_spell(most)}, got {number}")
    return number


def real(name: str, value: Any) -> float:
    try:
        number = float(value + 0)  # text is no number
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name}: expected a number, got "
                        f"{type(value).__name__}") from None
    if not -math.inf < number < math.inf:  # torch.compile reads no math.isfinite
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def flag(name: str, value: Any) -> bool:
    try:
        return bool(value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name}: expected True or False, got "
                        f"{type(value).__name__}") from None
