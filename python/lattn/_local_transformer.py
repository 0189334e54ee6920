"""lattn.local_transformer."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import _local_mha
from ._feed_forward import feed_forward
from ._modules import (Weights, computed_in, layer_norm, linear, normalize,
                       sequence, sigmoid)
from ._types import ArrayLike

_WRAPPER = (r"static_(alpha|beta)|dynamic_(alpha|beta)_(fn|scale)|norm\.gamma")
_NAMES = (r"(token_emb|pos_emb|to_logits\.[01])\.weight|to_logits\.0\.bias"
          r"|dynamic_pos_bias\.mlp\.[024]\.(weight|bias)"
          rf"|layers\.\d+\.[01]\.({_WRAPPER})"
          rf"|layers\.\d+\.0\.branch\.({_local_mha.NAMES})"
          r"|layers\.\d+\.1\.branch\.(0\.weight|0\.bias|1\.weight|4\.weight)")


def _embed(x: Any, w: Weights) -> Any:
    tokens = np.asarray(x)
    if tokens.ndim != 2 or tokens.dtype.kind not in "iu":
        raise ValueError(f"x: expected integers (B, N), got {tokens.dtype} "
                         f"{tokens.shape}")
    table = w.get("token_emb.weight", None, None)
    places = w.get("pos_emb.weight", None, table.shape[1])
    length, most = tokens.shape[1], len(places)
    if length > most:
        raise ValueError(f"x: expected {most} tokens at most, got {length}")
    if tokens.size and not 0 <= tokens.min() <= tokens.max() < len(table):
        raise ValueError(f"x: expected tokens from 0 to {len(table) - 1}, got "
                         f"{tokens.min()} to {tokens.max()}")
    return table[tokens] + places[:length]


def _position_bias(w: Weights, window: int) -> Any:
    """DynamicPositionBias for blocks of window queries, (heads, W, 2 W)."""
    hidden = np.arange(2 * window, dtype=w.dtype)[:, None]
    for name in ("0", "2"):
        hidden = linear(hidden, w.under(f"mlp.{name}."))
        hidden = hidden * sigmoid(hidden)
    bias = linear(hidden, w.under("mlp.4."))
    distance = window + np.arange(window)[:, None] - np.arange(2 * window)
    return np.ascontiguousarray(bias[np.abs(distance)].transpose(2, 0, 1))


def _count_streams(w: Weights) -> int:
    name = "layers.0.0.static_beta"
    return len(w.get(name, None)) if name in w else 1


def _wrap(x: Any, w: Weights, branch: Callable[[Any, Weights], Any]) -> Any:
    """Joins x (B, N, S, dim) and the result of a branch: by a sum for one stream, else
    by hyper-connections."""
    streams, dim = x.shape[2:]
    part = w.under("branch.")
    if streams == 1:
        return x + branch(x[:, :, 0], part)[:, :, None]
    gamma = w.get("norm.gamma", dim)
    normed = normalize(x, x.dtype.type(math.sqrt(dim)) * (gamma + 1))
    alpha = (np.tanh(normed @ w.get("dynamic_alpha_fn", dim, streams + 1))
             * w.get("dynamic_alpha_scale")
             + w.get("static_alpha", streams, streams + 1))
    beta = (np.tanh(normed @ w.get("dynamic_beta_fn", dim))
            * w.get("dynamic_beta_scale") + w.get("static_beta", streams))
    mixed = alpha.swapaxes(-1, -2) @ x
    y = branch(np.ascontiguousarray(mixed[:, :, 0]), part)
    return mixed[:, :, 1:] + beta[..., None] * y[:, :, None]


def _mean_loss(logits: Any, labels: Any, ignore_index: int) -> Any:
    """The mean cross entropy; NaN if there are no labels."""
    most = logits.max(-1, keepdims=True)
    total = np.log(np.exp(logits - most).sum(-1)) + most[..., 0]
    kept = labels != ignore_index
    at = np.where(kept, labels, 0)[..., None]
    each = total - np.take_along_axis(logits, at, -1)[..., 0]
    with np.errstate(invalid="ignore"):
        return each[kept].sum() / logits.dtype.type(kept.sum())


def local_transformer(
    x: ArrayLike,
    weights: Mapping[str, ArrayLike],
    *,
    heads: int = 8,
    local_attn_window_size: int = 512,
    causal: bool = True,
    mask: Optional[ArrayLike] = None,
    return_loss: bool = False,
    ignore_index: int = -1,
    **options: Union[bool, int, float, None],
) -> np.ndarray:
    """Computes what ``lattn.nn.LocalTransformer`` computes, for NumPy and without torch.

    Args:
      x: tokens (B, N), integers; floats (B, N, dim) for a module without
        embeddings.
      weights: arrays by the names of the module's state_dict. Their names tell
        the module's depth and streams, whether it has embeddings, and whether it
        has DynamicPositionBias in place of rotary embeddings. The computation is in
        float64 if the embeddings (without them, x) are float64, else in float32.
      heads, local_attn_window_size, causal, ignore_index: as the module's.
      mask: (B, N) of bool, True takes part.
      return_loss: the mean cross entropy of each token's successor instead.
      options: others of lattn.local_mha.

    Returns:
      Logits (B, N, num_tokens); without embeddings (B, N, dim) of x's type.
      Projections are NumPy's. Modules with a global_attn_layer are not supported.

    Raises:
      TypeError, ValueError: an argument's type, shape or value.

    Source: docs/spec.md, "lattn.local_mha"; Zhu et al., Hyper-Connections (2024).
    """
    has_tokens, labels = "token_emb.weight" in weights, None
    if not has_tokens:
        x = sequence("x", x)
    w = Weights(weights, computed_in(
        np.asarray(weights["token_emb.weight"]) if has_tokens else x))
    w.check_names(_NAMES)
    if return_loss:
        if not has_tokens:
            raise ValueError("return_loss: expected weights with embeddings")
        x, labels = np.asarray(x)[:, :-1], np.asarray(x)[:, 1:]
    result = np.dtype(w.dtype) if has_tokens else x.dtype
    h = _embed(x, w) if has_tokens else x.astype(w.dtype)
    bias = None
    if "dynamic_pos_bias.mlp.0.weight" in w:
        bias = _position_bias(w.under("dynamic_pos_bias."),
                              local_attn_window_size)

    def attend(y: Any, part: Weights) -> Any:
        return _local_mha.run(
            y, part, window_size=local_attn_window_size, heads=heads,
            causal=causal, use_rotary_pos_emb=bias is None, mask=mask,
            attn_bias=bias, **options)
    h = np.repeat(h[:, :, None], _count_streams(w), 2)
    layers = {int(n.split(".")[1]) for n in weights if n.startswith("layers.")}
    for layer in range(max(layers, default=-1) + 1):
        h = _wrap(h, w.under(f"layers.{layer}.0."), attend)
        h = _wrap(h, w.under(f"layers.{layer}.1."), feed_forward)
    h = h.sum(2)
    if not has_tokens:
        return h.astype(result)
    logits = linear(layer_norm(h, w.under("to_logits.0.")),
                    w.under("to_logits.1."))
    return logits if labels is None else _mean_loss(logits, labels, ignore_index)
