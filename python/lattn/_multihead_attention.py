"""lattn.multihead_attention."""

from __future__ import annotations

from typing import Any, Callable, Mapping, MutableMapping, Optional

import numpy as np

from ._checks import check_shape
from ._modules import Weights, computed_in, layer_norm, linear, sequence
from ._multihead_kernels import call
from ._types import ArrayLike

_NAMES = (r"([qkv]_proj|out_proj|inner_attn_ln)\.([AB]\.)?(weight|bias)"
          r"|xpos\.scale")

State = MutableMapping[str, np.ndarray]


class _Module:
    """Weights by the names of their parts. A part may have two branches (Multiway); the
    second branch takes the positions from `split` on."""

    def __init__(self, weights: Mapping[str, Any], dtype: str,
                 split: Optional[int]) -> None:
        self.weights = Weights(weights, dtype)
        self.weights.check_names(_NAMES)
        self.split = -1 if split is None else split

    def __contains__(self, part: str) -> bool:
        return any(f"{part}.{branch}weight" in self.weights
                   for branch in ("", "A."))

    def apply(self, part: str, x: Any, function: Callable[[Any, Weights], Any]
              ) -> Any:
        w = self.weights.under(f"{part}.")
        if "A.weight" not in w:
            return function(x, w)
        if self.split > x.shape[1] or self.split < -1:
            raise ValueError(f"split_position: expected an integer from -1 to "
                             f"{x.shape[1]}, got {self.split}")
        at = x.shape[1] if self.split == -1 else self.split
        parts = [function(x[:, :at], w.under("A.")),
                 function(x[:, at:], w.under("B."))]
        return np.concatenate(parts, 1)

    def project(self, part: str, x: Any) -> Any:
        return self.apply(part, x, linear)


def _xpos(x: Any, base: float, offset: int, downscale: bool) -> Any:
    """Rotates and scales rows of x (B, H, N, D) by their positions from offset on.
    Pairs are neighbours."""
    length, size = x.shape[2:]
    if size % 2:
        raise ValueError("xpos_rel_pos: expected heads of an even size, got "
                         f"{size}")
    pair = np.arange(0, size, 2)
    frequency = (1e4 ** (-pair / size)).astype("f4").astype("f8")
    position = np.arange(offset, offset + length)[:, None]
    angle = position * frequency
    exponent = (position - (offset + length + 1) // 2) / np.float64(base)
    scale = ((pair + 0.4 * size) / (1.4 * size)) ** exponent
    scale = 1 / scale if downscale else scale
    cos, sin = ((f(angle) * scale).astype(x.dtype) for f in (np.cos, np.sin))
    out = np.empty_like(x)
    out[..., ::2] = x[..., ::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 1::2] * cos + x[..., ::2] * sin
    return out


def _extend(state: State, k: Any, v: Any) -> tuple[Any, Any]:
    """Earlier keys and values, followed by these. `state` keeps both."""
    if "prev_key" in state:
        shape = (*k.shape[:2], -1, k.shape[3])
        k, v = (np.concatenate([np.reshape(state[f"prev_{n}"], shape), x], 2,
                               dtype=x.dtype)
                for n, x in (("key", k), ("value", v)))
    state["prev_key"], state["prev_value"] = k, v
    return k, v


def _join_bias(shape: tuple[int, ...], dtype: Any, attn_mask: Any, rel_pos: Any
               ) -> Any:
    """The sum of all that is added to scores of `shape`."""
    bias = None
    if attn_mask is not None:
        attn_mask = np.asarray(attn_mask)
        if attn_mask.ndim > 2:
            raise ValueError(f"attn_mask: expected the shape {shape[2:]}, got "
                             f"{attn_mask.shape}")
        bias = np.broadcast_to(attn_mask.astype(dtype), shape)
    if rel_pos is not None:
        rel_pos = np.asarray(rel_pos).astype(dtype, copy=False).reshape(shape)
        bias = rel_pos if bias is None else bias + rel_pos
    return bias


def _attend(q: Any, k: Any, v: Any, bias: Any, key_mask: Any, finite: bool
            ) -> Any:
    """Attention, (B, H, N, D)."""
    out, lse = np.empty(q.shape, q.dtype), np.empty(q.shape[:3], q.dtype)
    if out.size:
        call(q, k, v, bias, key_mask, finite).run(output=out, lse=lse)
        if k.shape[2]:
            out[np.isneginf(lse)] = np.nan  # no key is visible
    return out


def _get_weights(q: Any, k: Any, bias: Any, key_mask: Any, finite: bool) -> Any:
    """The weights (H, B, N, M)."""
    scores = q @ k.swapaxes(-1, -2)
    with np.errstate(all="ignore"):
        if finite:
            scores = np.nan_to_num(scores)
        if bias is not None:
            scores = scores + bias
        if key_mask is not None:
            scores = np.where(key_mask[:, None, None], scores, -np.inf)
        scores = scores.astype("f4")
        scores = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf))
        scores /= scores.sum(-1, keepdims=True)
    return scores.swapaxes(0, 1)


def multihead_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    weights: Mapping[str, ArrayLike],
    *,
    num_heads: int,
    xpos_rel_pos: bool = False,
    xpos_scale_base: float = 512,
    layernorm_eps: float = 1e-5,
    split_position: Optional[int] = None,
    incremental_state: Optional[State] = None,
    key_padding_mask: Optional[ArrayLike] = None,
    attn_mask: Optional[ArrayLike] = None,
    rel_pos: Optional[ArrayLike] = None,
    is_first_step: bool = False,
    need_weights: bool = True,
) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """Computes what ``lattn.nn.MultiheadAttention`` computes, without torch.

    Args:
      query: (B, N, E) of float16, bfloat16, float32 or float64.
      key, value: (B, M, E).
      weights: arrays by the names of the module's state_dict. With
        "inner_attn_ln.*" there is a layer norm before the last projection;
        parts with branches "A" and "B" are those of Multiway.
      num_heads, xpos_scale_base, layernorm_eps: as the module's.
      xpos_rel_pos: xpos, which the module has in self-attention only.
      split_position: of Multiway, -1 if None.
      incremental_state: a dict that keeps keys and values for the next call,
        and gives those of the calls before.
      key_padding_mask: (B, M). Nonzero hides the key.
      attn_mask: (N, M), added to the scores.
      rel_pos: B * H * N * M numbers, added to the scores.
      is_first_step: the first call with an incremental_state, for xpos.
      need_weights: False returns None for the weights, which are then not
        computed.

    Returns:
      (B, N, E) of query's type, and the weights (H, B, N, M). Projections are
      NumPy's.

    Raises:
      TypeError, ValueError: an argument's type, shape or value.

    Source: docs/spec.md, "lattn.multihead_attention".
    """
    query, key, value = (sequence(n, x) for n, x in (
        ("query", query), ("key", key), ("value", value)))
    check_shape("key", key, query.shape[0], None, None, axes="B, M, E")
    check_shape("value", value, *key.shape[:2], None, axes="B, M, E")
    dtype, result = computed_in(query), query.dtype
    module = _Module(weights, dtype, split_position)

    def project(name: str, x: Any) -> Any:
        x = module.project(f"{name}_proj", x.astype(dtype, copy=False))
        size, rest = divmod(x.shape[2], max(num_heads, 1))
        if num_heads < 1 or rest or not size:
            raise ValueError(f"num_heads: expected a divisor of {x.shape[2]}, "
                             f"got {num_heads}")
        return x.reshape(*x.shape[:2], num_heads, size).swapaxes(1, 2)
    q, k, v = (project(n, x)
               for n, x in (("q", query), ("k", key), ("v", value)))
    for name, x in (("k", k), ("v", v)):
        if x.shape[3] != q.shape[3]:
            raise ValueError(f"weights[{name + '_proj'!r}]: expected heads of "
                             f"{q.shape[3]}, as of 'q_proj', got {x.shape[3]}")
    q = q * q.dtype.type(q.shape[3] ** -0.5)
    if incremental_state is not None:
        k, v = _extend(incremental_state, k, v)
    if xpos_rel_pos:
        pair = np.arange(0, q.shape[3], 2)
        module.weights.check_table("xpos.scale", (pair + 0.4 * q.shape[3])
                                   / (1.4 * q.shape[3]))
        is_later = incremental_state is not None and not is_first_step
        q = _xpos(q, xpos_scale_base, k.shape[2] - 1 if is_later else 0, False)
        k = _xpos(k, xpos_scale_base, 0, True)
    bias = _join_bias((*q.shape[:3], k.shape[2]), dtype, attn_mask, rel_pos)
    key_mask, finite = None, attn_mask is not None
    if key_padding_mask is not None:
        key_mask = np.asarray(key_padding_mask) == 0
        check_shape("key_padding_mask", key_mask, q.shape[0],
                     k.shape[2], axes="B, M")
    out = _attend(q, k, v, bias, key_mask, finite)
    out = out.swapaxes(1, 2).reshape(*query.shape[:2], num_heads * q.shape[3])
    if "inner_attn_ln" in module:
        out = module.apply("inner_attn_ln", out,
                           lambda x, w: layer_norm(x, w, layernorm_eps))
    out = module.project("out_proj", out).astype(result)
    if not need_weights:
        return out, None
    return out, _get_weights(q, k, bias, key_mask, finite).astype(result)
