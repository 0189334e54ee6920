#!/usr/bin/env python
"""Times attention with a causal window, its gradients and its tangents
(lattn.attention, lattn.attention_grad and lattn.attention_jvp), in turns. Prints the
least times and their shares of the f32 FMA peak, which is measured between the turns.

Useful operations are those of visible pairs: two products forward, five backward, and
six for the tangents, whose kernel also gives the output. Times on one thread are CPU
times, so that other work on the machine counts less. --sdpa also times torch's
scaled_dot_product_attention and its backward pass, for shapes without a window.
"""

import argparse
import time

from harness.needs import require

require("numpy", "lattn")

import numpy as np

import lattn
from harness.peak import Peak

SHAPES = ["4096x64x256", "4096x64x1024", "2048x64xfull", "4096x64x64", "4096x128x256"]
FEW = 16  # Attention::hasFewQueries


def text(kind, problem):
    heads, kv_heads, queries, _, size, window = problem
    few = queries <= FEW  # of which lattn.attention tells the kernel
    rows = f"{heads}x{queries}" if few else "?x?"
    shape = f"1x{rows}x{size}x{kind}"
    keys = f"1x{kv_heads if few else '?'}x?x{size}x{kind}"
    option = "" if window is None else (
        f"window = #lattn.window<left = {window}, right = 0>")
    types = f"""
!m = memref<{shape}>
!k = memref<{keys}>
!l = memref<1x{rows}xf32>
"""
    return types + f"""
func.func @main(%q: !m, %k: !k, %v: !k, %o: !m, %l: !l) {{
  lattn.attention query(%q : !m) key(%k : !k) value(%v : !k)
      outs(%o : !m, %l : !l) {{{option}}}
  return
}}
""", types + f"""
func.func @main(%q: !m, %k: !k, %v: !k, %o: !m, %l: !l, %do: !m, %dq: !m, %dk: !k,
                %dv: !k) {{
  lattn.attention_grad query(%q : !m) key(%k : !k) value(%v : !k)
      output(%o : !m) lse(%l : !l) d_output(%do : !m)
      outs(%dq, %dk, %dv : !m, !k, !k) {{{option}}}
  return
}}
""", types + f"""
func.func @main(%q: !m, %k: !k, %v: !k, %dq: !m, %dk: !k, %dv: !k, %o: !m, %l: !l,
                %do: !m, %dl: !l) {{
  lattn.attention_jvp query(%q : !m) key(%k : !k) value(%v : !k)
      d_query(%dq : !m) d_key(%dk : !k) d_value(%dv : !k)
      outs(%o, %l, %do, %dl : !m, !l, !m, !l) {{{option}}}
  return
}}
"""


def make_calls(kind, problem):
    """Calls of the forward pass, of the backward pass, and of the tangents."""
    heads, kv_heads, queries, keys, size, _ = problem
    rng = np.random.default_rng(0)
    if kind == "bf16":
        from ml_dtypes import bfloat16 as dtype
    else:
        dtype = np.float32

    def array(heads, length):
        return rng.standard_normal((1, heads, length, size)).astype(dtype)
    q, do, tq = (array(heads, queries) for _ in range(3))
    k, v, tk, tv = (array(kv_heads, keys) for _ in range(4))
    o, dq, to = (np.empty_like(q) for _ in range(3))
    dk, dv = np.empty_like(k), np.empty_like(v)
    lse, tl = (np.empty(q.shape[:3], np.float32) for _ in range(2))
    forward, backward, tangents = map(lattn.compile, text(kind, problem))
    return (lambda: forward(q, k, v, o, lse),
            lambda: backward(q, k, v, o, lse, do, dq, dk, dv),
            lambda: tangents(q, k, v, tq, tk, tv, o, lse, to, tl))


def make_sdpa(kind, problem):
    import torch

    heads, kv_heads, queries, keys, size, _ = problem
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
    x = [torch.randn(1, h, n, size, dtype=dtype, requires_grad=True)
         for h, n in ((heads, queries), (kv_heads, keys), (kv_heads, keys))]
    do = torch.randn_like(x[0])

    def call(*x):
        return torch.nn.functional.scaled_dot_product_attention(
            *x, enable_gqa=heads > kv_heads)
    out = call(*x)
    return (lambda: call(*x),
            lambda: torch.autograd.grad(out, x, do, retain_graph=True))


def count_pairs(queries, keys, window):
    """The queries are the last ones."""
    if window is None:
        return queries * keys
    return sum(min(i, window) + 1 for i in range(keys - queries, keys))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", nargs="+", default=SHAPES,
                        help="LENGTHxSIZExWINDOW; the window may be 'full'")
    parser.add_argument("--type", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--kv-heads", type=int, help="as many as heads, if not given")
    parser.add_argument("--queries", type=int,
                        help="the last ones of LENGTH; all, if not given")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--sdpa", action="store_true")
    args = parser.parse_args()
    if args.type == "bf16":
        require("ml_dtypes")
    if args.sdpa:
        require("torch")
    lattn.set_num_threads(args.threads)
    clock = time.thread_time if args.threads == 1 else time.perf_counter
    peak = Peak(args.threads)
    print(f"{'length x size x window':24s} {'':6s} {'forward':>16s} "
          f"{'backward':>16s} {'both':>16s} {'tangents':>16s}")
    for shape in args.shapes:
        length, size, window = shape.split("x")
        window = None if window == "full" else int(window)
        length, size = int(length), int(size)
        queries = min(args.queries or length, length)
        problem = (args.heads, args.kv_heads or args.heads, queries, length, size,
                   window)
        peers = {"lattn": make_calls(args.type, problem)}
        if args.sdpa and window is None:
            import torch

            torch.set_num_threads(args.threads)
            peers["sdpa"] = make_sdpa(args.type, problem)
        least = {name: [float("inf")] * len(calls) for name, calls in peers.items()}
        for _ in range(args.rounds):
            for name, calls in peers.items():
                for i, call in enumerate(calls):
                    begin = clock()
                    call()
                    least[name][i] = min(least[name][i], clock() - begin)
            peak.sample()
        top = max(peak.samples["f32"])
        product = 2 * args.heads * size * count_pairs(queries, length, window)
        for name, (forward, backward, *tangents) in least.items():
            cells = [(2, forward), (5, backward), (7, forward + backward),
                     *((6, t) for t in tangents)]
            print(f"{shape:24s} {name:6s} " + " ".join(
                f"{1e3 * t:7.1f} ms {100 * n * product / t / top:3.0f} %"
                for n, t in cells), flush=True)


if __name__ == "__main__":
    main()
