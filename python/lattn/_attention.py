"""lattn.attention."""

from __future__ import annotations

import functools
import sys
from typing import NoReturn

from . import _autocast, _lattn
from ._checks import refuse
from ._types import ArrayLike, ArrayOrPair, MaskMod, ScoreMod
from ._window import Window

_attention = _lattn.attention
_modules = sys.modules


def is_compiled_by_torch() -> bool:
    """Whether torch.compile is reading this code."""
    compiler = getattr(_modules.get("torch"), "compiler", None)
    return compiler is not None and compiler.is_dynamo_compiling()


def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    window: Window | tuple[int | None, int | None] | None = None,
    causal: bool = False,
    scale: float | None = None,
    bias: ArrayLike | None = None,
    key_mask: ArrayLike | None = None,
    attn_mask: ArrayLike | None = None,
    kv_lengths: ArrayLike | None = None,
    pages: ArrayLike | None = None,
    cu_seqlens_q: ArrayLike | None = None,
    cu_seqlens_k: ArrayLike | None = None,
    offset: int | ArrayLike | None = None,
    layout: str = "bhnd",
    softcap: float = 0.0,
    score_mod: ScoreMod | None = None,
    mask_mod: MaskMod | None = None,
    q_segments: ArrayLike | None = None,
    kv_segments: ArrayLike | None = None,
    sink: ArrayLike | None = None,
    dropout_p: float = 0.0,
    seed: int | None = None,
    return_lse: bool = False,
    out: ArrayLike | None = None,
    **unknown: NoReturn,
) -> ArrayOrPair:
    """Computes softmax(scale * q k^T) v over the keys that each query sees.

    Query i of batch b stands at position ``offset[b] + i``, key j at position j. A
    query sees a key unless one of the options hides it.

    Args:
      q: queries (B, H, N, D) of float16, bfloat16, float32 or float64.
      k: keys (B, Hkv, M, D). H is a multiple of Hkv: query head h reads head
        h // (H // Hkv) of the keys.
      v: values (B, Hkv, M, Dv).
      window: (left, right), the numbers of keys that a query sees before and after
        its position, besides the one at it; None means no bound. Or a lattn.Window.
      causal: hides the keys after the query's position.
      scale: the factor of q k^T; D**-0.5 if None.
      bias: is added to the scores. Broadcastable to (B, H, N, M), of q's type or
        float32 (float64 if q is float64).
      key_mask: (B, M) of bool. False hides the key.
      attn_mask: broadcastable to (B, H, N, M). Bools: False hides the pair.
        Numbers: added to the scores, as bias.
      kv_lengths: (B) of int32 or int64, the number of keys in each batch. Later
        keys are hidden.
      pages: (B, P) of int32 or int64, a block table. k and v are then pools of
        pages (pages, Hkv, S, D) and (pages, Hkv, S, Dv), or with layout "bnhd"
        (pages, S, Hkv, D) and (pages, S, Hkv, Dv), and key t of batch b is row
        t % S of page pages[b, t // S]. M is P * S, and kv_lengths says how many
        of them there are. Entries of later keys may be anything. On a GPU, S is a
        multiple of 16.
      cu_seqlens_q, cu_seqlens_k: (S + 1) of int32 or int64, the cumulated lengths of
        S sequences that are packed one after another: (0, n0, n0 + n1, ..., T).
        With cu_seqlens_q, q is (1, H, T, D), the output (1, H, T, Dv) and the lse
        (1, H, T). With cu_seqlens_k, k and v are (1, Hkv, T, D) and (1, Hkv, T, Dv).
        B is then S, and N or M is the length of the longest sequence, on a GPU the
        number of all rows. A query sees no key of another sequence. Either may be
        given alone, for example with keys in pages, or with one query for each
        sequence of keys.
      offset: the position of the first query: an int, or (B) of int32 or int64. It
        may be negative. The default, M - N or kv_lengths - N, puts the last query
        at the last key, that of its sequence where sequences are packed.
      layout: "bhnd" as above, or "bnhd", in which heads come after positions in q,
        k, v and the output.
      softcap: c > 0 turns a score s into c * tanh(s / c), before score_mod.
      score_mod: a function of (score, batch, head, q_idx, kv_idx) that returns the
        new score, before bias and masks. q_idx and kv_idx are indices of q and k,
        not positions.
      mask_mod: a function of (batch, head, q_idx, kv_idx) that returns whether the
        pair takes part. Bounds on q_idx - kv_idx, or on their quotients by a
        constant, cost as little as a window, if no window is given.
      q_segments, kv_segments: (B, N) and (B, M) of integers. A query sees only the
        keys of its own segment.
      sink: (H), of the types of bias: a score for each head that takes part in the
        softmax and has no value.
      dropout_p: the probability that a weight becomes 0. Others are divided by
        1 - dropout_p. return_lse and the sum of weights are those before dropout.
      seed: an integer. The same seed drops the same weights, on every machine. None
        draws one, from torch's generator if q is torch's, else from numpy.random.
      return_lse: also returns the natural log-sum-exp of the scores (B, H, N), in
        float32 (float64 if q is float64).
      out: an array for the output. It must be writable and overlap no input.

    Returns:
      The output (B, H, N, Dv) of q's type, or (output, lse). They are torch's
      tensors if q is one, else NumPy's arrays. A query that sees no key gives 0 and
      an lse of -inf.

    Raises:
      TypeError, ValueError: the type, shape or value of an argument, which the
        message names. NotImplementedError: an option, or a gradient, that is not
        built. RuntimeError: the compiler's message. MemoryError.

    **Arrays** are NumPy's (bfloat16 by ml_dtypes), torch's, or any with
    ``__dlpack__``, in the CPU's memory. They may have any strides, and none is
    copied. Or all of them are on one GPU: torch's, or arrays with
    ``__cuda_array_interface__`` or ``__dlpack__``. The kernel is then queued on
    torch's current stream, the call does not wait, and results are torch's. The
    first call with a kernel loads it, which is not possible while a CUDA graph is
    captured. Numbers on a GPU (pages, kv_lengths, cu_seqlens_q, cu_seqlens_k and
    arrays for offset) are not checked, because that would wait. If they are wrong,
    results are wrong, but nothing outside of the arrays is read or written.

    **torch.autocast** converts q, k and v to its type, as it does for torch's
    scaled_dot_product_attention: the output has this type, gradients have those of
    their tensors. Tensors of float64 stay as they are. bias, attn_mask and sink of
    float32 do, too, because kernels add them in float32.

    **Kernels** are compiled at the first call for each element type, D, Dv and set
    of options. A kernel serves all B, H, N and M.

    **score_mod and mask_mod** are called once in each call, with symbols. What they
    compute becomes part of the kernel, and equal functions share a kernel. They may
    use Python's operators, numbers, the functions of lattn.math or those of NumPy
    and torch with the same names, and arrays of any library:
    ``score + slopes[head] * (kv_idx - q_idx)``. Arrays may be variables of the
    function, its closure, defaults or globals, members of its object, or in lists
    and dicts of these. One integer for each axis indexes an array. A computed index
    outside of the array is moved to its nearest element, and negative indices do not
    count from the end. Numbers become part of the kernel, arrays do not. So what
    changes from call to call should be an array, without axes if it is one number.

    **Gradients.** The output and lse have gradients by these of torch's tensors: q, k,
    v, sink, bias, an attn_mask of numbers, and tensors of floats that score_mod reads.
    autograd, torch.func.grad, vmap, torch.compile and checkpoints work, with all
    options except out and pages. Dropout drops the same weights again. torch.compile
    breaks its graph at score_mod and mask_mod. A kernel, which is compiled in the first
    backward pass, computes the gradients. It stores no array of N x M elements. The
    gradients of bias, attn_mask and the tensors of score_mod have the shapes of these.
    They take longer: on the CPU, one thread adds them up for all heads. Detach those
    that need no gradient. docs/status.md lists tangents and second derivatives. On a
    GPU, torch's operations compute what has no kernel, tile by tile, and a warning says
    so (docs/GPU.md).

    Source: docs/spec.md, "lattn.attention"; Dao et al., FlashAttention (2022).
    """
    if unknown:
        refuse("lattn.attention", unknown)
    if _autocast.is_on():
        q, k, v, bias, attn_mask, sink = _autocast.cast(q, k, v, bias, attn_mask, sink)
    if not ("torch" in _modules and is_compiled_by_torch()
            and hasattr(q, "requires_grad")):
        mods = None
        if (score_mod is not None or mask_mod is not None
                or q_segments is not None or kv_segments is not None):
            mods = (score_mod, mask_mod, q_segments, kv_segments)
        if type(dropout_p) is float and dropout_p == 0:
            dropout_p = None
        try:
            return _attention(q, k, v, window, causal, scale, bias, key_mask,
                              attn_mask, kv_lengths, offset, layout, softcap,
                              sink, mods, dropout_p, seed, return_lse, out, None, True,
                              pages, cu_seqlens_q, cu_seqlens_k)
        except (_lattn.TracedTensorError, _lattn.GradientsError):
            if not hasattr(q, "requires_grad"):
                raise
    # By torch's operators, which gradients, torch.compile and vmap can see.
    from .nn import _attention as operator, _pages as of_pages

    attend = operator.attention
    if pages is not None:
        attend = functools.partial(of_pages.attention, pages=pages)
    return attend(
        q, k, v, window=window, causal=causal, scale=scale, bias=bias,
        key_mask=key_mask, attn_mask=attn_mask, kv_lengths=kv_lengths,
        offset=offset, layout=layout, softcap=softcap, score_mod=score_mod,
        mask_mod=mask_mod, q_segments=q_segments, kv_segments=kv_segments,
        sink=sink, dropout_p=dropout_p, seed=seed, return_lse=return_lse,
        out=out, cu_seqlens_q=cu_seqlens_q, cu_seqlens_k=cu_seqlens_k)
