#!/usr/bin/env python
"""Attention over keys in pages, beside the same keys in one array.

Calls alternate within one process; each number is the least of many, in ms, on one
thread unless LATTN_NUM_THREADS says otherwise. Arrays and pools have memory of one kind:
each its own allocation of the same size, at a boundary of 64 bytes. The pages lie in
random or ascending order, or in place: then the pools are views of the arrays, and
nothing but the code differs.
"""

import argparse
import os

from harness.needs import require

require("numpy", "ml_dtypes", "lattn")

import ml_dtypes
import numpy as np

import lattn
from harness import arrays
from lattn.bench import take_turns

SHAPES = (  # queries, keys, options
    (512, 512, {"causal": True}),
    (1024, 1024, {"window": (256, 0)}),
    (1, 8192, {}),
    (1, 8192, {"window": (1023, 0)}))


def make_rows(rng, shape, dtype):
    rows = arrays.empty(shape, dtype)
    rows[...] = rng.standard_normal(shape)
    return rows


def lay_out(rows, pages, size):
    """The pool of pages that holds `rows` (1, heads, keys, size of a head)."""
    _, heads, keys, width = rows.shape
    pool = arrays.empty((keys // size, heads, size, width), rows.dtype)
    for i, page in enumerate(pages):
        pool[page] = rows[0, :, i * size:(i + 1) * size]
    return pool


def view_in_place(rows, size):
    """The same pool, without a copy."""
    _, heads, keys, width = rows.shape
    return rows.reshape(heads, keys // size, size, width).swapaxes(0, 1)


def compare(rng, args, dtype, queries, keys, options, size):
    q = make_rows(rng, (1, args.heads, queries, args.size), dtype)
    k, v = (make_rows(rng, (1, args.kv_heads, keys, args.size), dtype)
            for _ in range(2))
    pages = np.arange(keys // size, dtype=np.int32)
    if args.order == "random":
        rng.shuffle(pages)
    table = pages[None]
    pools = [view_in_place(x, size) if args.order == "in-place" else
             lay_out(x, pages, size) for x in (k, v)]
    options = {"kv_lengths": np.array([keys]), **options}
    calls = {
        "contiguous": lambda: lattn.attention(q, k, v, **options),
        "paged": lambda: lattn.attention(q, *pools, pages=table, **options)}
    results = [call().astype(np.float32) for call in calls.values()]
    np.testing.assert_allclose(*results, rtol=2e-2, atol=2e-2)
    times = take_turns(calls, 2 * args.seconds, most_turns=10**6)
    return [1e3 * min(times[name]) for name in calls]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--kv-heads", type=int, default=2)
    parser.add_argument("--size", type=int, default=64, help="of a head")
    parser.add_argument("--pages", type=int, nargs="+",
                        default=[16, 64, 128, 256], help="keys in a page")
    parser.add_argument("--order", choices=["random", "ascending", "in-place"],
                        default="random", help="of pages")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--keys", type=int, nargs="+",
                        help="one query over so many keys, and nothing else")
    args = parser.parse_args()
    if "LATTN_NUM_THREADS" not in os.environ:
        lattn.set_num_threads(1)
    shapes = [(1, keys, {}) for keys in args.keys] if args.keys else SHAPES
    rng = np.random.default_rng(0)
    print("type, queries x keys, options, page: contiguous, paged, ratio")
    for dtype in (np.float32, ml_dtypes.bfloat16):
        for queries, keys, options in shapes:
            for size in args.pages:
                whole, paged = compare(rng, args, dtype, queries, keys, options,
                                       size)
                print(f"{np.dtype(dtype).name}, {queries} x {keys}, "
                      f"{options or 'full'}, {size}: {whole:.3f}, {paged:.3f}, "
                      f"{paged / whole:.2f}", flush=True)


if __name__ == "__main__":
    main()
