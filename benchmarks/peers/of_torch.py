"""torch's scaled_dot_product_attention: with a mask, and on blocks."""

import numpy as np

from harness import window
from harness.scores import SCORES

from . import Skip, peer, skip_unless
from .torch_arrays import (Buckets, prepared_for, rotary, tensor_type,
                           with_projections)

MOST_PAIRS = 1 << 26  # of a mask


def _mask(w, arrays, begin, end):
    """A mask or numbers to add, or none."""
    import torch
    if w.is_full and not w.score:
        return None
    skip_unless(w.N * (end - begin) <= MOST_PAIRS,
                f"a mask of {w.N} x {end - begin}")
    shown = window.mask(w, begin, end)
    if not w.score:
        return None if shown.all() else torch.from_numpy(shown)
    skip_unless(w.score in ("bias", "alibi"), f"no {w.score} in a mask")
    if w.score == "bias":
        added = arrays.bias[..., begin:end].astype("f4")
    else:
        q, k = np.arange(w.N)[:, None], np.arange(begin, end)
        head = np.arange(w.H)[:, None, None]
        added = SCORES["alibi"].apply(np, 0.0, head, q, k, w.H)[None]
    added = np.where(shown, added, -np.inf).astype("f4")
    return torch.from_numpy(added).to(tensor_type(w))


@peer("torch-sdpa", "torch")
def masked(w, arrays, threads):
    import torch
    attention = torch.nn.functional.scaled_dot_product_attention
    begin, end = window.seen_keys(w)
    causal = w.is_plainly_causal and w.N == w.M and not w.score
    mask = None if causal else _mask(w, arrays, begin, end)
    options = dict(attn_mask=mask, is_causal=causal, enable_gqa=w.H != w.Hkv)
    rotate = rotary(w)

    def run(q, k, v):
        return attention(rotate(q), rotate(k[:, :, begin:end]),
                         v[:, :, begin:end], **options)
    return prepared_for(w, arrays, *with_projections(w, arrays, run))


def _on_blocks(w, arrays):
    import torch
    skip_unless(not w.score, "scores are plain here")
    if w.is_full or w.is_plainly_causal:
        raise Skip("no window")
    buckets, rotate = Buckets(w), rotary(w)
    mask = torch.from_numpy(buckets.mask)[None]

    def run(q, k, v):
        blocks = buckets.split(rotate(q), rotate(k), v)
        out = torch.nn.functional.scaled_dot_product_attention(
            *blocks, attn_mask=mask)
        return out.view(w.B, w.H, w.N, w.Dv)
    return with_projections(w, arrays, run)


@peer("torch-sdpa-blocks", "torch")
def blocks(w, arrays, threads):
    return prepared_for(w, arrays, *_on_blocks(w, arrays))


@peer("torch-sdpa-blocks-compiled", "torch")
def compiled_blocks(w, arrays, threads):
    import torch
    run, inputs = _on_blocks(w, arrays)
    run = torch.compile(run)
    return prepared_for(w, arrays, run, inputs, compiled=True)
