"""lattn.local_mha."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

import numpy as np

from ._local_attention import local_attention
from ._modules import (Weights, computed_in, layer_norm, linear, normalize,
                       sequence, sigmoid)
from ._types import ArrayLike

NAMES = (r"to_qkv\.weight|to_out\.weight|norm\.(weight|bias)|[qk]_scale"
         r"|to_v_gate\.0\.(weight|bias)|attn_fn\.rel_pos\.inv_freq")
_PAIRS = [("norm.weight", "norm.bias"), ("q_scale", "k_scale"),
          ("to_v_gate.0.weight", "to_v_gate.0.bias")]


def _project(x: Any, w: Weights, heads: int) -> Any:
    """Queries, keys and values (3, B, H, N, D)."""
    batches, length, dim = x.shape
    inner = w.get("to_qkv.weight", None, None).shape[0] // 3
    packed = x @ w.get("to_qkv.weight", 3 * inner, dim).T
    if heads < 1 or inner % heads:
        raise ValueError(f"heads: expected a divisor of {inner}, got {heads}")
    packed = packed.reshape(batches, length, 3, heads, inner // heads)
    return packed.transpose(2, 0, 3, 1, 4)


def _finish(out: Any, x: Any, w: Weights) -> Any:
    """Applies the gates and the last projection to (B, H, N, D)."""
    batches, heads, length, size = out.shape
    if "to_v_gate.0.weight" in w:
        gates = sigmoid(linear(x, w.under("to_v_gate.0."), heads))
        out = out * gates.swapaxes(1, 2)[..., None]
    out = out.swapaxes(1, 2).reshape(batches, length, heads * size)
    return linear(out, w.under("to_out."), x.shape[-1])


def run(x: Any, w: Weights, *, window_size: int, heads: int = 8,
        qk_scale: float = 8, exact_windowsize: Optional[bool] = None,
        use_rotary_pos_emb: bool = True, **options: Any) -> Any:
    """local_mha of x, which has the weights' type."""
    for name in ("autopad", "dim", "scale", "call_window_size", "dropout_p"):
        if name in options:
            raise TypeError(f"LocalMHA sets {name!r} of local_attention() itself")
    for name in ("to_qkv.weight", "to_out.weight"):
        w.get(name, None, None)
    for one, other in _PAIRS:
        if (one in w) != (other in w):
            raise ValueError(f"weights: expected both or none of {one!r} and "
                             f"{other!r}, got one")
    if "norm.weight" in w:
        x = layer_norm(x, w.under("norm."))
    q, k, v = _project(x, w, heads)
    size, scale = q.shape[3], None
    if "q_scale" in w:
        q = normalize(q, w.get("q_scale", size))
        k = normalize(k, w.get("k_scale", size))
        scale = qk_scale
    if use_rotary_pos_emb:
        w.check_table("attn_fn.rel_pos.inv_freq",
                      options.get("theta", 10000.0)
                      ** (-np.arange(0, size, 2) / size))
    out = local_attention(
        q, k, v, window_size=window_size, autopad=True, scale=scale,
        dim=size if use_rotary_pos_emb else None,
        exact_windowsize=exact_windowsize is None or exact_windowsize, **options)
    return _finish(out, x, w)


def local_mha(
    x: ArrayLike,
    weights: Mapping[str, ArrayLike],
    *,
    window_size: int,
    heads: int = 8,
    qk_scale: float = 8,
    exact_windowsize: Optional[bool] = None,
    use_rotary_pos_emb: bool = True,
    mask: Optional[ArrayLike] = None,
    attn_bias: Optional[ArrayLike] = None,
    **options: Union[bool, int, float, None],
) -> np.ndarray:
    """Computes what ``lattn.nn.LocalMHA`` computes, for NumPy and without torch.

    Args:
      x: (B, N, dim) of float16, bfloat16, float32 or float64.
      weights: arrays by the names of the module's state_dict. Their names tell
        what the module does: "norm.*" are those of prenorm, "q_scale" and
        "k_scale" of qk_rmsnorm, "to_v_gate.0.*" of gate_values_per_head.
      window_size, heads, qk_scale, use_rotary_pos_emb: as the module's;
        exact_windowsize is True if None.
      mask, attn_bias: as those of lattn.local_attention.
      options: causal, look_backward, look_forward, shared_qk, use_xpos and
        xpos_scale_base of lattn.local_attention.

    Returns:
      (B, N, dim) of x's type. Projections are NumPy's.

    Raises:
      TypeError, ValueError: an argument's type, shape or value.

    Source: docs/spec.md, "lattn.local_mha".
    """
    x = sequence("x", x)
    w = Weights(weights, computed_in(x))
    w.check_names(NAMES)
    out = run(x.astype(w.dtype, copy=False), w, window_size=window_size,
              heads=heads, qk_scale=qk_scale, exact_windowsize=exact_windowsize,
              use_rotary_pos_emb=use_rotary_pos_emb, mask=mask,
              attn_bias=attn_bias, **options)
    return out.astype(x.dtype)
