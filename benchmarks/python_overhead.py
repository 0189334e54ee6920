#!/usr/bin/env python
"""Measures what a call of lattn.attention costs beside the kernel: B1 H1 N16 D16, f32.

Prints microseconds a call, the least of several rounds, for NumPy arrays, for NumPy
arrays with `out`, and for torch's tensors if torch is installed.
"""

import argparse
import timeit

from harness.needs import require

require("numpy", "lattn")

import numpy as np

import lattn


def measure(what, call, calls, rounds):
    call()
    times = timeit.repeat(call, number=calls, repeat=rounds)
    print(f"{what:24} {min(times) / calls * 1e6:6.2f} us a call")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, 1, 16, 16)).astype("f4")
               for _ in range(3))
    out = np.empty_like(q)

    def run(what, call):
        measure(what, call, args.calls, args.rounds)

    run("NumPy", lambda: lattn.attention(q, k, v))
    run("NumPy, out", lambda: lattn.attention(q, k, v, out=out))
    run("NumPy, window, lse", lambda: lattn.attention(
        q, k, v, window=(4, 0), return_lse=True))
    try:
        import torch
    except ImportError:
        print("torch is not installed")
        return
    q, k, v, out = (torch.from_numpy(x) for x in (q, k, v, out))
    with torch.no_grad():
        run("torch", lambda: lattn.attention(q, k, v))
        run("torch, out", lambda: lattn.attention(q, k, v, out=out))
        run("torch's own", lambda:
            torch.nn.functional.scaled_dot_product_attention(q, k, v))


if __name__ == "__main__":
    main()
