"""lattn.attention."""

from __future__ import annotations

import sys
from . import _lattn
from ._types import ArrayLike, ArrayOrPair, MaskMod, ScoreMod
from ._window import Window

_attention = _lattn.attention
_modules = sys.modules


def is_compiled_by_torch() -> bool:
    """Whether torch.compile reads this code, which it cannot leave."""
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
) -> ArrayOrPair:
    """softmax(scale * q k^T, windowed and masked) v.

    Arrays are NumPy's (bfloat16 by ml_dtypes), torch's, or any with
    ``__dlpack__``, in the CPU's memory; none is copied, and any strides will do.
    Or all are on one GPU, torch's or with ``__cuda_array_interface__`` or
    ``__dlpack__``: the kernel is queued on torch's current stream and nobody
    waits; results are torch's. The first call with a kernel loads it, which
    cannot be while a CUDA graph is captured.
    Query i of batch b stands at position ``offset[b] + i``, key j at j.

    Args:
      q: (B, H, N, D) of float16, bfloat16, float32 or float64.
      k: (B, Hkv, M, D), Hkv a divisor of H: query head h reads h // (H // Hkv).
      v: (B, Hkv, M, Dv).
      window: which keys a query sees: (left, right) keys before and after its
        position, both inclusive, None for all of them; or a lattn.Window.
      causal: no key behind the query's position, as right = 0.
      scale: of the products q k^T; D**-0.5 if None.
      bias: added to the scores; broadcastable to (B, H, N, M), of q's type or
        float32 (float64 where q is float64).
      key_mask: (B, M) of bool, True takes part.
      attn_mask: broadcastable to (B, H, N, M): of bool, True takes part; or
        numbers, as bias.
      kv_lengths: (B) of int32 or int64: the keys from there on are hidden.
      offset: an int, or (B) of int32 or int64, may be negative. The default is
        kv_lengths - N (M - N without): the last query stands at the last key.
      layout: "bhnd" as above; "bnhd" for heads behind positions in q, k, v and
        the output.
      softcap: c > 0 makes the score s into c * tanh(s / c), before all that
        follows.
      score_mod: a function of (score, batch, head, q_idx, kv_idx) that returns
        the new score, before bias and masks; q_idx and kv_idx are indices of q
        and k, not positions.
      mask_mod: a function of (batch, head, q_idx, kv_idx) that returns whether
        the pair takes part. Bounds on q_idx - kv_idx, or on their quotients by a
        constant, take the time of a window where no window is given.
      q_segments, kv_segments: (B, N) and (B, M) of integers: a query sees keys
        of its own segment only.
      sink: (H), of the types of bias: one logit a head that takes part in the
        softmax and has no value.
      dropout_p: each weight is 0 with this probability, else divided by
        1 - dropout_p; the sum of weights and return_lse are those before.
      seed: an integer; equal ones drop the same weights, on every machine. None
        draws one, of torch's generator if q is torch's, else of numpy.random's.
      return_lse: also return the natural log-sum-exp of the scores (B, H, N),
        float32 (float64 where q is float64).
      out: an array for the output; must be writable and overlap no input.

    Returns:
      The output (B, H, N, Dv) of q's type, or (output, lse): torch's if q is
      torch's, else NumPy's. A row that sees no key is 0, its lse -inf.

    Raises:
      TypeError, ValueError: an argument's type, shape or value; the message
        names it. NotImplementedError: an argument, or a gradient, that is not
        built. RuntimeError: the compiler. MemoryError.

    torch's tensors on the CPU have gradients where autograd asks for them, also
    by torch.func.grad, vmap, torch.compile and checkpoints: those of q, k, v,
    sink, bias, attn_mask of numbers and the tensors of floats that score_mod
    reads, of the output and lse, with all options but out; dropout drops the same
    weights again. torch.compile leaves its graph for score_mod and mask_mod. A
    kernel makes the gradients, which is compiled at the first backward pass and
    keeps nothing of the size N x M. Those of bias and attn_mask have their
    shapes. They and those of score_mod's tensors are summed by one thread for
    all heads, so they take longer: detach what needs none. All functions of
    lattn.math have derivatives. Not built yet: forward-mode and second
    derivatives.

    A kernel is compiled for each element type, D, Dv and set of options when
    first called, for all B, H, N, M.

    score_mod and mask_mod are called once, with symbols, at each call; kernels
    are made of what they compute, so that equal ones share a kernel. They may
    use Python's operators, the functions of lattn.math or NumPy's and torch's
    of those names, numbers, and arrays of any library that are variables of
    the function, its closure, defaults or globals, members of its object, or
    in lists and dicts of these: ``score + slopes[head] * (kv_idx - q_idx)``.
    Arrays are indexed by one integer for each axis; an index that is computed
    is moved into the array where it is outside, and negative ones don't count
    from the end. Numbers become part of the kernel, arrays do not: what changes
    from call to call should be an array, of no axes if it is one number.

    Source: docs/spec.md, "lattn.attention"; Dao et al., FlashAttention (2022).
    """
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
                              sink, mods, dropout_p, seed, return_lse, out, None, True)
        except (_lattn.TracedTensorError, _lattn.GradientsError):
            if not hasattr(q, "requires_grad"):
                raise
    # By torch operators, for gradients, torch.compile, vmap and what else looks
    # on.
    from .nn import _attention as operator

    return operator.attention(
        q, k, v, window=window, causal=causal, scale=scale, bias=bias,
        key_mask=key_mask, attn_mask=attn_mask, kv_lengths=kv_lengths,
        offset=offset, layout=layout, softcap=softcap, score_mod=score_mod,
        mask_mod=mask_mod, q_segments=q_segments, kv_segments=kv_segments,
        sink=sink, dropout_p=dropout_p, seed=seed, return_lse=return_lse,
        out=out)
