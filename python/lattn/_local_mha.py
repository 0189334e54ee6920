"""lattn.local_mha."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np

from ._local_attention import local_attention

_NAMES = {"to_qkv.weight", "to_out.weight", "norm.weight", "norm.bias",
          "q_scale", "k_scale", "to_v_gate.0.weight", "to_v_gate.0.bias",
          "attn_fn.rel_pos.inv_freq"}
_PAIRS = [("norm.weight", "norm.bias"), ("q_scale", "k_scale"),
          ("to_v_gate.0.weight", "to_v_gate.0.bias")]


class _Weights:
    """Parameters by their names, checked, in the type of the computation."""

    def __init__(self, weights: Mapping[str, Any], dtype: Any) -> None:
        self.arrays = {n: np.asarray(x).astype(dtype, copy=False)
                       for n, x in weights.items()}
        unknown = sorted(set(self.arrays) - _NAMES)
        if unknown:
            raise ValueError(f"weights: expected names among {sorted(_NAMES)}, "
                             f"got {unknown[0]!r}")
        for name in ("to_qkv.weight", "to_out.weight"):
            if name not in self.arrays:
                raise ValueError(f"weights: expected {name!r}, which is missing")
        for one, other in _PAIRS:
            if (one in self.arrays) != (other in self.arrays):
                raise ValueError(f"weights: expected both or none of {one!r} and "
                                 f"{other!r}, got one")

    def __contains__(self, name: str) -> bool:
        return name in self.arrays

    def get(self, name: str, *shape: int) -> Any:
        x = self.arrays[name]
        if x.shape != shape:
            raise ValueError(f"weights[{name!r}]: expected the shape {shape}, "
                             f"got {x.shape}")
        return x


def _layer_norm(x: Any, w: _Weights) -> Any:
    size = x.shape[-1]
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + x.dtype.type(1e-5))
    return x * w.get("norm.weight", size) + w.get("norm.bias", size)


def _normalize(x: Any, scale: Any) -> Any:
    norm = np.sqrt((x * x).sum(-1, keepdims=True))
    return x / np.maximum(norm, x.dtype.type(1e-12)) * scale


def _project(x: Any, w: _Weights, heads: int) -> Any:
    """Queries, keys and values (3, B, H, N, D)."""
    batches, length, dim = x.shape
    rows = w.arrays["to_qkv.weight"].shape[:1]
    inner = rows[0] // 3 if rows else 0
    packed = x @ w.get("to_qkv.weight", 3 * inner, dim).T
    if heads < 1 or inner % heads:
        raise ValueError(f"heads: expected a divisor of {inner}, got {heads}")
    packed = packed.reshape(batches, length, 3, heads, inner // heads)
    return packed.transpose(2, 0, 3, 1, 4)


def _finish(out: Any, x: Any, w: _Weights) -> Any:
    """Gates and the last projection of (B, H, N, D)."""
    batches, heads, length, size = out.shape
    dim, inner = x.shape[-1], heads * size
    if "to_v_gate.0.weight" in w:
        gates = (x @ w.get("to_v_gate.0.weight", heads, dim).T
                 + w.get("to_v_gate.0.bias", heads))
        out = out / (1 + np.exp(-gates)).swapaxes(1, 2)[..., None]
    out = out.swapaxes(1, 2).reshape(batches, length, inner)
    return out @ w.get("to_out.weight", dim, inner).T


def local_mha(
    x: Any,
    weights: Mapping[str, Any],
    *,
    window_size: int,
    heads: int = 8,
    qk_scale: float = 8,
    exact_windowsize: Optional[bool] = None,
    use_rotary_pos_emb: bool = True,
    mask: Any = None,
    attn_bias: Any = None,
    **options: Any,
) -> Any:
    """What ``lattn.nn.LocalMHA`` computes, for NumPy and without torch.

    Args:
      x: (B, N, dim) of float16, bfloat16, float32 or float64.
      weights: arrays by the names of the module's state_dict. Which are there
        tells what the module does: "norm.*" are those of prenorm, "q_scale" and
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

    Source: docs/spec.md, "lattn.local_attention".
    """
    x = np.asarray(x)
    if x.ndim != 3:
        raise ValueError(f"x: expected the shape (B, N, dim), got {x.shape}")
    if str(x.dtype) not in ("float16", "bfloat16", "float32", "float64"):
        raise TypeError("x: expected elements of float16, bfloat16, float32 or "
                        f"float64, got {x.dtype}")
    for name in ("autopad", "dim", "scale", "call_window_size"):
        if name in options:
            raise TypeError(f"local_mha() sets {name!r} of local_attention() "
                            "itself")
    # NumPy has no fast products of narrow types.
    w = _Weights(weights, "f8" if x.dtype == np.float64 else "f4")
    result, x = x.dtype, x.astype("f8" if x.dtype == np.float64 else "f4",
                                  copy=False)
    if "norm.weight" in w:
        x = _layer_norm(x, w)
    q, k, v = _project(x, w, heads)
    size, scale = q.shape[3], None
    if "q_scale" in w:
        q = _normalize(q, w.get("q_scale", size))
        k = _normalize(k, w.get("k_scale", size))
        scale = qk_scale
    out = local_attention(
        q, k, v, window_size=window_size, autopad=True, scale=scale,
        dim=size if use_rotary_pos_emb else None, mask=mask,
        exact_windowsize=exact_windowsize is None or exact_windowsize,
        attn_bias=attn_bias, **options)
    return _finish(out, x, w).astype(result)
