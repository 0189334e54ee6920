"""torch's FlexAttention, compiled."""

import numpy as np

from harness import window
from harness.scores import SCORES

from . import peer, skip_unless
from .torch_arrays import prepared, rotary, tensor, with_projections


def _mask_mod(w):
    """The inequality of docs/spec.md, for create_block_mask."""
    shift = w.M - w.N

    def visible(b, h, i, j):
        p = i + shift
        shown = j >= 0
        if w.left is not None:
            shown = shown & (j >= p - w.left)
        if w.right is not None:
            shown = shown & (j <= p + w.right)
        if w.causal:
            shown = shown & (j <= p)
        if w.bucket is not None:
            own, other = p // w.bucket, j // w.bucket
            shown = shown & (other >= own - w.back) & (other <= own + w.forward)
        return shown
    return visible


def _block_mask(w, size):
    """The mask of create_block_mask, without its N x M elements of memory."""
    import torch
    from torch.nn.attention.flex_attention import BlockMask
    lower, upper = window.bounds(w)
    kinds = {"partial": [], "full": []}
    for begin in range(0, w.N, size):
        low, high = lower[begin:begin + size], upper[begin:begin + size]
        blocks = np.arange(low.min() // size, -(-high.max() // size))
        ends = np.minimum((blocks + 1) * size, w.M)
        full = (low.max() <= blocks * size) & (ends <= high.min())
        kinds["full"].append(blocks[full])
        kinds["partial"].append(blocks[~full])
    columns = -(-w.M // size)

    def arrays(rows):
        counts = np.array([len(row) for row in rows], np.int32)
        indices = np.zeros((len(rows), columns), np.int32)
        for i, row in enumerate(rows):
            indices[i, :len(row)] = row
        return (torch.from_numpy(counts)[None, None],
                torch.from_numpy(indices)[None, None])
    return BlockMask.from_kv_blocks(
        *arrays(kinds["partial"]), *arrays(kinds["full"]), BLOCK_SIZE=size,
        mask_mod=_mask_mod(w), seq_lengths=(w.N, w.M), compute_q_blocks=False)


def _prepare(w, arrays, size):
    import torch
    from torch.nn.attention.flex_attention import flex_attention
    score_mod = None
    if w.score == "bias":
        bias = tensor(arrays.bias)[0, 0]

        def score_mod(score, b, h, i, j):
            return score + bias[i, j]
    elif w.score:
        apply = SCORES[w.score].apply

        def score_mod(score, b, h, i, j):
            return apply(torch, score, h, i, j, w.H)
    options = dict(score_mod=score_mod, enable_gqa=w.H != w.Hkv,
                   block_mask=None if w.is_full else _block_mask(w, size))
    rotate = rotary(w)

    def run(q, k, v):
        return flex_attention(rotate(q), rotate(k), v, **options)
    run, inputs = with_projections(w, arrays, run)
    run = torch.compile(run)
    return prepared(lambda: run(*inputs), compiled=True)


@peer("flex-64", "torch")
def flex_64(w, arrays, threads):
    skip_unless(not w.is_full, "blocks are of no account without a mask")
    return _prepare(w, arrays, 64)


@peer("flex-128", "torch")
def flex_128(w, arrays, threads):
    return _prepare(w, arrays, 128)
