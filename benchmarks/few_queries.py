#!/usr/bin/env python
"""Attention of few queries, and of random shapes, beside PyTorch's SDPA.

reads      one query a head over long keys: the rate at which keys and values are
           read, beside that of a dot product over as many bytes
shapes     random shapes of all kinds, the slowest against SDPA first

Calls alternate within one process; each number is the least of many.
"""

import argparse

from harness.needs import require

require("torch", "numpy", "lattn")

import torch
import torch.nn.functional as F

import lattn
from lattn.bench import take_turns

KINDS = ("one", "few", "full", "causal", "window", "mask", "bias")


def find_least(calls, seconds):
    """The least time of each call, by turns."""
    for call in calls:
        call()
    times = take_turns(dict(enumerate(calls)), seconds * len(calls),
                       most_turns=10**6)
    return [min(x) for x in times.values()]


def make(batches, heads, kv_heads, queries, keys, size, dtype):
    return (torch.randn(batches, heads, queries, size, dtype=dtype),
            torch.randn(batches, kv_heads, keys, size, dtype=dtype),
            torch.randn(batches, kv_heads, keys, size, dtype=dtype))


def reads(args):
    print("shape, type, window: lattn, SDPA, dot product (GB/s); lattn's share "
          "of the dot product")
    for heads, kv_heads, keys, size, dtype, window in (
            (8, 8, 16384, 64, torch.float32, None),
            (32, 8, 16384, 128, torch.float32, None),
            (8, 1, 65536, 64, torch.float32, None),
            (8, 8, 16384, 64, torch.float32, 1024),
            (8, 8, 32768, 64, torch.bfloat16, None),
            (32, 8, 16384, 128, torch.bfloat16, None),
            (8, 1, 131072, 64, torch.bfloat16, None)):
        q, k, v = make(1, heads, kv_heads, 1, keys, size, dtype)
        seen = (k, v) if window is None else (k[:, :, -window:],
                                              v[:, :, -window:])
        size_in_bytes = sum(x.numel() * x.element_size() for x in seen)
        line = torch.ones(size_in_bytes // 4)
        options = {} if window is None else {"window": (window - 1, 0)}
        times = find_least(
            [lambda: lattn.attention(q, k, v, **options),
             lambda: F.scaled_dot_product_attention(
                 q, *seen, enable_gqa=heads != kv_heads),
             lambda: torch.dot(line, line)], args.seconds)
        rates = [size_in_bytes / t / 1e9 for t in times]
        print(f"H {heads} over {kv_heads}, M {keys}, D {size}, "
              f"{str(dtype)[6:]}, {window}: "
              + ", ".join(f"{rate:.1f}" for rate in rates)
              + f"; {rates[0] / rates[2]:.0%}", flush=True)


def draw(random, kind):
    """Arguments of lattn.attention and SDPA, and what they are."""
    def pick(*choices):
        return choices[int(torch.randint(len(choices), (), generator=random))]

    def power(low, high):
        return int(2 ** (low + (high - low) * torch.rand((), generator=random)))
    dtype = pick(torch.float32, torch.float32, torch.bfloat16)
    size, kv_heads = pick(32, 40, 64, 80, 96, 128), pick(1, 2, 4, 8)
    heads, batches = kv_heads * pick(1, 1, 2, 4), pick(1, 1, 2, 4)
    if kind == "one":
        queries, keys = 1, power(4, 14)
    elif kind == "few":
        queries, keys = pick(*range(2, 17)), power(4, 12)
    else:
        queries = keys = power(3, 10.5)
    if batches * kv_heads * keys * size > 1 << 24:
        batches = 1
    arrays = make(batches, heads, kv_heads, queries, keys, size, dtype)
    ours, theirs = {}, {"enable_gqa": heads != kv_heads}
    if kind == "causal":
        ours["causal"] = theirs["is_causal"] = True
    elif kind == "window":
        width = pick(8, 64, 256)
        ours["window"] = (width - 1, 0)
        distance = torch.arange(queries)[:, None] - torch.arange(keys)
        theirs["attn_mask"] = (distance >= 0) & (distance < width)
    elif kind == "mask":
        mask = torch.rand(batches, keys) < 0.8
        mask[:, 0] = True
        ours["key_mask"] = mask
        theirs["attn_mask"] = mask[:, None, None].expand(-1, -1, queries, -1)
    elif kind == "bias":
        ours["bias"] = theirs["attn_mask"] = torch.randn(
            1, heads, queries, keys, dtype=dtype)
    what = (f"B {batches}, H {heads} over {kv_heads}, N {queries}, M {keys}, "
            f"D {size}, {str(dtype)[6:]}")
    return arrays, ours, theirs, what


def shapes(args):
    random = torch.Generator().manual_seed(args.seed)
    torch.manual_seed(args.seed)
    rows = []
    for _ in range(args.count):
        kind = KINDS[int(torch.randint(len(KINDS), (), generator=random))]
        arrays, ours, theirs, what = draw(random, kind)
        ours_time, theirs_time = find_least(
            [lambda: lattn.attention(*arrays, **ours),
             lambda: F.scaled_dot_product_attention(*arrays, **theirs)],
            args.seconds)
        rows.append((theirs_time / ours_time, kind, what, ours_time * 1e6))
    rows.sort()
    few = [ratio for ratio, kind, *_ in rows if kind in ("one", "few")]
    print(f"{sum(row[0] < 1 for row in rows)} of {len(rows)} are slower than "
          f"SDPA; median {rows[len(rows) // 2][0]:.2f} x, of few queries "
          f"{few[len(few) // 2]:.2f} x; the slowest:")
    for ratio, kind, what, own in rows[:args.show]:
        print(f"  {ratio:.2f} x  {kind}: {what}: {own:.0f} us")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    runs = {"reads": reads, "shapes": shapes}
    parser.add_argument("what", choices=runs)
    parser.add_argument("--count", type=int, default=120, help="of shapes")
    parser.add_argument("--seed", type=int, default=0, help="of shapes")
    parser.add_argument("--show", type=int, default=20, help="slowest shapes")
    parser.add_argument("--seconds", type=float, default=0.2,
                        help="for each call")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    lattn.set_num_threads(args.threads)
    with torch.inference_mode():
        runs[args.what](args)


if __name__ == "__main__":
    main()
