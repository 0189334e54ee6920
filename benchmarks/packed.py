#!/usr/bin/env python
"""Attention over packed sequences, beside the same rows as a batch of padded ones.

Calls alternate within one process; each number is the least of many, in ms, on one
thread unless LATTN_NUM_THREADS says otherwise. Where all sequences have one length,
nothing is padded, and the batch is what the packed call is measured by.
"""

import argparse
import os

from harness.needs import require

require("numpy", "ml_dtypes", "lattn")

import ml_dtypes
import numpy as np

import lattn
from lattn.bench import take_turns

SHAPES = (  # sequences, options
    ([1024] * 4, {"window": (256, 0)}),
    ([512] * 8, {}),
    ([100] * 32, {"causal": True}),
    ([64] * 64, {"causal": True}),
    ([2048] + [64] * 31, {"causal": True}))


def pad(rows, lengths):
    """The sequences of (1, heads, T, size) as (S, heads, longest, size)."""
    padded = np.zeros((len(lengths), rows.shape[1], max(lengths), rows.shape[3]),
                      rows.dtype)
    borders = np.cumsum([0, *lengths])
    for i, n in enumerate(lengths):
        padded[i, :, :n] = rows[0, :, borders[i]:borders[i + 1]]
    return padded


def compare(rng, args, dtype, lengths, options):
    shapes = [(1, heads, sum(lengths), args.size)
              for heads in (args.heads, args.kv_heads, args.kv_heads)]
    packed = [rng.standard_normal(shape).astype(dtype) for shape in shapes]
    padded = [pad(x, lengths) for x in packed]
    borders = np.cumsum([0, *lengths]).astype(np.int32)
    same = len(set(lengths)) == 1
    more = {} if same else {"kv_lengths": np.array(lengths), "offset": 0}
    calls = {
        "batch": lambda: lattn.attention(*padded, **options, **more),
        "packed": lambda: lattn.attention(*packed, **options, cu_seqlens_q=borders,
                                          cu_seqlens_k=borders)}
    batch, rows = (call().astype(np.float32) for call in calls.values())
    for i, n in enumerate(lengths):
        np.testing.assert_allclose(rows[0, :, borders[i]:borders[i + 1]],
                                   batch[i, :, :n], rtol=2e-2, atol=2e-2)
    times = take_turns(calls, 2 * args.seconds, most_turns=10**6)
    return [1e3 * min(times[name]) for name in calls]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--kv-heads", type=int, default=8)
    parser.add_argument("--size", type=int, default=64, help="of a head")
    parser.add_argument("--seconds", type=float, default=0.5)
    args = parser.parse_args()
    if "LATTN_NUM_THREADS" not in os.environ:
        lattn.set_num_threads(1)
    rng = np.random.default_rng(0)
    print("type, sequences, options: batch, packed, ratio")
    for dtype in (np.float32, ml_dtypes.bfloat16):
        for lengths, options in SHAPES:
            batch, packed = compare(rng, args, dtype, lengths, options)
            longest, count = max(lengths), len(lengths)
            same = len(set(lengths)) == 1
            what = (f"{count} of {longest}" if same else
                    f"{count} of {min(lengths)} to {longest}")
            print(f"{np.dtype(dtype).name}, {what}, {options or 'full'}: "
                  f"{batch:.3f}, {packed:.3f}, {packed / batch:.2f}", flush=True)


if __name__ == "__main__":
    main()
