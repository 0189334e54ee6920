#!/usr/bin/env python
"""Attention over keys in pages, beside the same keys in one array.

Calls alternate within one process; each number is the least of many, in ms, on one
thread unless LATTN_NUM_THREADS says otherwise. Arrays and pools have memory of one kind:
each its own allocation of the same size, at a boundary of 64 bytes. The pages lie in
random or ascending order, or in place: then the pools are views of the arrays, and
nothing but the code differs. `reading` is a loop that only sums the same keys and
values, in the same order, and prefetches the next page: what the order of memory costs
without attention.
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


def read_text(chunk):
    """Sums chunks of f32 of a pool (pages, heads, chunk), head by head, in the order
    of a table."""
    pool = f"memref<?x?x{chunk}xf32, strided<[?, ?, 1]>>"
    each = range(4)

    def lines(text):
        return "\n".join(text.format(i=i, offset=16 * i) for i in each)

    def listed(text):
        return ", ".join(text.format(i=i) for i in each)

    return f"""
func.func @read(%pool: {pool}, %table: memref<?xi32>, %out: memref<4x16xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant 64 : index
  %chunk = arith.constant {chunk} : index
{lines("  %o{i} = arith.constant {offset} : index")}
{lines("  %k{i} = arith.constant {i} : index")}
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %heads = memref.dim %pool, %c1 : {pool}
  %pages = memref.dim %table, %c0 : memref<?xi32>
  %last = arith.subi %pages, %c1 : index
  %all:4 = scf.for %h = %c0 to %heads step %c1 iter_args({listed("%a{i} = %zero")})
      -> ({", ".join(["vector<16xf32>"] * 4)}) {{
    %of_head:4 = scf.for %p = %c0 to %pages step %c1
        iter_args({listed("%b{i} = %a{i}")}) -> ({", ".join(["vector<16xf32>"] * 4)}) {{
      %after = arith.addi %p, %c1 : index
      %limited = arith.minsi %after, %last : index
      %i = memref.load %table[%p] : memref<?xi32>
      %j = memref.load %table[%limited] : memref<?xi32>
      %page = arith.index_cast %i : i32 to index
      %next = arith.index_cast %j : i32 to index
      %sums:4 = scf.for %d = %c0 to %chunk step %step
          iter_args({listed("%s{i} = %b{i}")}) -> ({", ".join(["vector<16xf32>"] * 4)}) {{
{lines("        %d{i} = arith.addi %d, %o{i} : index")}
{lines("        memref.prefetch %pool[%next, %h, %d{i}], read, locality<3>, data : " + pool)}
{lines("        %x{i} = vector.load %pool[%page, %h, %d{i}] : " + pool + ", vector<16xf32>")}
{lines("        %t{i} = arith.addf %s{i}, %x{i} : vector<16xf32>")}
        scf.yield {listed("%t{i}")} : {", ".join(["vector<16xf32>"] * 4)}
      }}
      scf.yield {listed("%sums#{i}")} : {", ".join(["vector<16xf32>"] * 4)}
    }}
    scf.yield {listed("%of_head#{i}")} : {", ".join(["vector<16xf32>"] * 4)}
  }}
{lines("  vector.store %all#{i}, %out[%k{i}, %c0] : memref<4x16xf32>, vector<16xf32>")}
  return
}}
"""


def make_reads(arrays_in_order, pools, pages):
    """{name: call} that reads keys and values, in one array and in pages."""
    _, heads, size, width = pools[0].shape
    chunk = size * width * pools[0].itemsize // 4
    read, out = lattn.compile(read_text(chunk)), np.zeros((4, 16), np.float32)
    order = np.arange(len(pages), dtype=np.int32)

    def view(pool):
        floats = pool.view(np.uint8).view(np.float32)  # the last axis is contiguous
        return np.lib.stride_tricks.as_strided(
            floats, (len(pool), heads, chunk), (*pool.strides[:2], 4))

    def call(sources, table):
        sources = [view(x) for x in sources]
        return lambda: [read(x, table, out) for x in sources]
    whole = [view_in_place(x, size) for x in arrays_in_order]
    return {"reading": call(whole, order), "reading pages": call(pools, pages)}


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
    if args.reading:
        calls |= make_reads((k, v), pools, pages)
    times = take_turns(calls, len(calls) * args.seconds, most_turns=10**6)
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
    parser.add_argument("--reading", action="store_true",
                        help="time reading alone, too")
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
                whole, paged, *reads = compare(rng, args, dtype, queries, keys,
                                               options, size)
                of_reads = "; reading {:.3f}, {:.3f}, {:.2f}".format(
                    *reads, reads[1] / reads[0]) if reads else ""
                print(f"{np.dtype(dtype).name}, {queries} x {keys}, "
                      f"{options or 'full'}, {size}: {whole:.3f}, {paged:.3f}, "
                      f"{paged / whole:.2f}{of_reads}", flush=True)


if __name__ == "__main__":
    main()
