"""lattn.attention for JAX, on CPUs.

    import lattn.jax
    output = lattn.jax.attention(q, k, v, window=(256, 0))

Kernels are custom calls of XLA: a compiled program does not enter Python.
"""

from __future__ import annotations

from typing import Any, NoReturn, Optional, Union

_NEEDED = "lattn.jax: expected jax 0.10 or newer: pip install 'jax>=0.10'; got"

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise ImportError(f"{_NEEDED}: {error}") from None

if tuple(map(int, jax.__version__.split(".")[:2])) < (0, 10):
    raise ImportError(f"{_NEEDED} jax {jax.__version__}")

from . import _lattn

if not hasattr(_lattn, "xla_handlers"):
    raise ImportError("lattn.jax: this lattn was built without jaxlib, whose "
                      "headers it needs: build it again where jaxlib is installed")

from . import _jax_arguments, _jax_primitives
from ._checks import refuse
from ._types import MaskMod, ScoreMod
from ._window import Window

__all__ = ["attention", "dot_product_attention"]


def attention(
    q: jax.Array,
    k: jax.Array,
    v: jax.Array,
    *,
    window: Window | tuple[int | None, int | None] | None = None,
    causal: bool = False,
    scale: float | None = None,
    bias: jax.Array | None = None,
    key_mask: jax.Array | None = None,
    attn_mask: jax.Array | None = None,
    kv_lengths: jax.Array | None = None,
    pages: jax.Array | None = None,
    cu_seqlens_q: jax.Array | None = None,
    cu_seqlens_k: jax.Array | None = None,
    offset: int | jax.Array | None = None,
    layout: str = "bhnd",
    softcap: float = 0.0,
    score_mod: ScoreMod | None = None,
    mask_mod: MaskMod | None = None,
    q_segments: jax.Array | None = None,
    kv_segments: jax.Array | None = None,
    sink: jax.Array | None = None,
    dropout_p: float | jax.Array = 0.0,
    seed: int | jax.Array | None = None,
    return_lse: bool = False,
    **unknown: NoReturn,
) -> Union[jax.Array, tuple[jax.Array, jax.Array]]:
    """Computes softmax(scale * q k^T) v over the keys that each query sees.

    The arguments are those of lattn.attention, with arrays of JAX or NumPy. Under
    jax.jit, window, causal, scale, layout and softcap are constants. Arrays, offset,
    dropout_p and seed may be traced. With cu_seqlens_q or cu_seqlens_k, what score_mod
    and mask_mod read by q_idx or kv_idx has an element for each packed row.

    jax.grad, jax.vjp, jax.jvp, jax.vmap and jax.shard_map (over batches and heads)
    work. The output and lse have gradients and tangents by q, k, v, bias, sink, an
    attn_mask of numbers, and arrays of floats that score_mod reads. Dropout drops the
    same weights again. Gradients can be differentiated again, by jax.jvp or jax.grad,
    as jax.hessian does, but not those of packed sequences. Paged keys have no
    derivatives. jax.vmap makes one call with more batches if it can. With dropout,
    packed sequences, a mapped sink, mapped pools of pages, or a score_mod that reads
    its batch or a mapped array, it makes one call after the other.

    Args:
      seed: an integer of 32 bits, or an array of one. The same seed drops the same
        weights as in lattn.attention. JAX draws no seed by itself:
        jax.random.bits(key) makes one.

    Returns:
      The output (B, H, N, Dv) of q's type, or (output, lse).

    Raises:
      TypeError, ValueError: the type, shape or value of an argument, which the
        message names. ValueError or jax.errors.JaxRuntimeError, as JAX chooses:
        values in pages, kv_lengths, cu_seqlens_q and cu_seqlens_k, and the lengths
        of masks and biases of packed sequences, which only the compiled program
        sees. NotImplementedError: a device other than a CPU, or a derivative that
        is not built: by dropout_p, with pages, a second one of packed sequences,
        or a third one.

    XLA compiles a program for each shape. lattn compiles a kernel once for all of
    them.

    Source: docs/spec.md, "lattn.attention".
    """
    if unknown:
        refuse("lattn.jax.attention", unknown)
    arrays, options = _jax_arguments.read(
        q, k, v, window, causal, scale, bias, key_mask, attn_mask, kv_lengths,
        pages, cu_seqlens_q, cu_seqlens_k, offset, layout, softcap,
        (score_mod, mask_mod, q_segments, kv_segments), sink, dropout_p, seed)
    output, lse = _jax_primitives.call(arrays, options)
    return (output, lse) if return_lse else output


def dot_product_attention(
    query: jax.Array,
    key: jax.Array,
    value: jax.Array,
    bias: jax.Array | None = None,
    mask: jax.Array | None = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
    query_seq_lengths: jax.Array | None = None,
    key_value_seq_lengths: jax.Array | None = None,
    local_window_size: int | tuple[int, int] | None = None,
    implementation: Optional[str] = None,
    return_residual: bool = False,
) -> Union[jax.Array, tuple[jax.Array, jax.Array]]:
    """jax.nn.dot_product_attention with its arguments.

    Args:
      query: (B, T, N, H) or (T, N, H) of float16, bfloat16, float32 or float64.
      key, value: (B, S, K, H) or (S, K, H). N is a multiple of K.
      bias: is added to the scores. Broadcastable to (B, N, T, S).
      mask: of bool, broadcastable to (B, N, T, S). False hides the pair.
      scale: the factor of the products; H**-0.5 if None.
      is_causal: query i sees the keys 0 to i, for all T and S.
      query_seq_lengths: (B) of int32. Rows from there on are 0.
      key_value_seq_lengths: (B) of int32. Keys from there on are hidden.
      local_window_size: the numbers of keys that a query sees before and after its
        place. One number means both.
      implementation: jax.nn's None, "xla" and "cudnn", or "lattn". All mean lattn.
      return_residual: also returns the log-sum-exp of the scores, (B, T, N) of
        query's type, which has no gradients.

    Returns:
      (B, T, N, H) or (T, N, H) of query's type. A query that sees no key gives
      0, where jax.nn averages all values; its log-sum-exp is -inf.

    Raises:
      The errors of attention.

    Source: the documentation of jax.nn.dot_product_attention.
    """
    if implementation not in (None, "xla", "cudnn", "lattn"):
        raise ValueError("implementation: expected None, 'xla', 'cudnn' or 'lattn', "
                         f"got {implementation!r}")
    query = jnp.asarray(query)
    if query.ndim not in (3, 4):
        raise ValueError("query: expected the shape (B, T, N, H) or (T, N, H), "
                         f"got {query.shape}")
    if query.ndim == 3:
        key, value = jnp.asarray(key)[None], jnp.asarray(value)[None]
    arrays = query if query.ndim == 4 else query[None]
    if isinstance(local_window_size, int):
        local_window_size = (local_window_size, local_window_size)
    left, right = local_window_size or (None, None)
    output, lse = attention(
        arrays, key, value, window=(left, right), causal=is_causal, scale=scale,
        bias=bias, attn_mask=mask, kv_lengths=key_value_seq_lengths, offset=0,
        layout="bnhd", return_lse=True)
    if query_seq_lengths is not None:
        rows = jnp.arange(arrays.shape[1]) < query_seq_lengths[:, None]
        output = jnp.where(rows[..., None, None], output, 0)
        lse = jnp.where(rows[:, None], lse, -jnp.inf)
    output = output.reshape(*query.shape[:-1], output.shape[-1])
    if not return_residual:
        return output
    residual = jax.lax.stop_gradient(lse.transpose(0, 2, 1).astype(query.dtype))
    return output, residual.reshape(query.shape[:-1])
