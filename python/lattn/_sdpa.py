"""lattn.scaled_dot_product_attention."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ._attention import attention
from ._types import Array, ArrayLike


def scaled_dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    attn_mask: ArrayLike | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Array:
    """torch.nn.functional.scaled_dot_product_attention, for any arrays.

    Args:
      query: (..., H, L, E). Leading axes are broadcast, and may be missing.
      key: (..., H, S, E).
      value: (..., H, S, Ev).
      attn_mask: broadcastable to (..., H, L, S). Bools: False hides the pair.
        Numbers: added to the scores.
      dropout_p: as in lattn.attention, with a seed from torch's generator (from
        numpy.random if query is not torch's).
      is_causal: query i sees the keys 0 to i, for all L and S. It excludes
        attn_mask.
      scale: E**-0.5 if None.
      enable_gqa: the heads of query may be a multiple of those of key and value.

    Returns:
      (..., H, L, Ev) of query's type: torch's if query is torch's, else
      NumPy's. A query that sees no key gives 0.

    Raises:
      The errors of lattn.attention, and ValueError for shapes that do not fit.

    Arrays of four axes that need no broadcast are not copied.
    """
    if attn_mask is not None and is_causal:
        raise ValueError("is_causal: expected False where attn_mask is given")
    for name, array in (("query", query), ("key", key), ("value", value)):
        if not hasattr(array, "shape"):
            raise TypeError(f"{name}: expected an array, got "
                            f"{type(array).__name__}")
        if len(array.shape) < 2:
            raise ValueError(f"{name}: expected at least 2 axes, got the shape "
                             f"{tuple(array.shape)}")
    leading = tuple(query.shape[:-2])
    if (len(leading) != 2 or tuple(key.shape[:1]) != leading[:1]
            or not enable_gqa and tuple(key.shape[:-2]) != leading
            or tuple(value.shape[:-2]) != tuple(key.shape[:-2])):
        return _broadcast(query, key, value, attn_mask, dropout_p, is_causal,
                          scale, enable_gqa)
    return attention(query, key, value, causal=is_causal, scale=scale,
                     offset=0 if is_causal else None, attn_mask=attn_mask,
                     dropout_p=dropout_p)


def _broadcast(query: Any, key: Any, value: Any, attn_mask: Any,
               dropout_p: float, is_causal: bool, scale: float | None,
               enable_gqa: bool) -> Any:
    """Calls attention on arrays of four axes."""
    shapes = [tuple(x.shape[:-2]) for x in (query, key, value)]
    heads = [shape[-1] if shape else 1 for shape in shapes]
    try:
        if enable_gqa:
            # Heads are not broadcast then.
            outer = np.broadcast_shapes(*(shape[:-1] for shape in shapes))
            leads = [(*outer, number) for number in heads]
        else:
            leads = [np.broadcast_shapes(*shapes)] * 3
    except ValueError:
        names = "query's {}, key's {} and value's {}".format(*shapes)
        raise ValueError("expected leading axes that broadcast, got "
                         f"{names}") from None
    arrays = [_flatten(x, lead)
              for x, lead in zip((query, key, value), leads)]
    if attn_mask is not None:
        if not hasattr(attn_mask, "shape"):
            raise TypeError("attn_mask: expected an array, got "
                            f"{type(attn_mask).__name__}")
        pairs = (query.shape[-2], key.shape[-2])
        try:
            whole = np.broadcast_shapes(tuple(attn_mask.shape),
                                        (*leads[0], *pairs))
        except ValueError:
            whole = None
        if whole != (*leads[0], *pairs):
            raise ValueError(
                "attn_mask: expected a shape that broadcasts to "
                f"{(*leads[0], *pairs)}, got {tuple(attn_mask.shape)}")
        attn_mask = _flatten(_expand(attn_mask, whole), leads[0])
    output = attention(*arrays, causal=is_causal, scale=scale,
                       offset=0 if is_causal else None, attn_mask=attn_mask,
                       dropout_p=dropout_p)
    return output.reshape(*leads[0], *output.shape[-2:])


def _flatten(array: Any, leading: tuple[int, ...]) -> Any:
    """(..., H, L, E) as (B, H, L, E), broadcast along its leading axes."""
    rest = tuple(array.shape[-2:])
    array = _expand(array, (*leading, *rest))
    return array.reshape(math.prod(leading[:-1]),
                         leading[-1] if leading else 1, *rest)


def _expand(array: Any, shape: tuple[int, ...]) -> Any:
    if tuple(array.shape) == shape:
        return array
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return array.expand(shape)
    return np.broadcast_to(np.from_dlpack(array) if hasattr(
        array, "__dlpack__") and not isinstance(array, np.ndarray) else array,
                           shape)
