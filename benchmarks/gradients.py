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
HEADS = 8


def text(size, window, kind):
    shape = f"1x{HEADS}x?x{size}x{kind}"
    option = "" if window is None else (
        f"window = #lattn.window<left = {window}, right = 0>")
    return f"""
!m = memref<{shape}>
!l = memref<1x{HEADS}x?xf32>
func.func @main(%q: !m, %k: !m, %v: !m, %o: !m, %l: !l) {{
  lattn.attention query(%q : !m) key(%k : !m) value(%v : !m)
      outs(%o : !m, %l : !l) {{{option}}}
  return
}}
""", f"""
!m = memref<{shape}>
!l = memref<1x{HEADS}x?xf32>
func.func @main(%q: !m, %k: !m, %v: !m, %o: !m, %l: !l, %do: !m, %dq: !m, %dk: !m,
                %dv: !m) {{
  lattn.attention_grad query(%q : !m) key(%k : !m) value(%v : !m)
      output(%o : !m) lse(%l : !l) d_output(%do : !m)
      outs(%dq, %dk, %dv : !m, !m, !m) {{{option}}}
  return
}}
""", f"""
!m = memref<{shape}>
!l = memref<1x{HEADS}x?xf32>
func.func @main(%q: !m, %k: !m, %v: !m, %dq: !m, %dk: !m, %dv: !m, %o: !m, %l: !l,
                %do: !m, %dl: !l) {{
  lattn.attention_jvp query(%q : !m) key(%k : !m) value(%v : !m)
      d_query(%dq : !m) d_key(%dk : !m) d_value(%dv : !m)
      outs(%o, %l, %do, %dl : !m, !l, !m, !l) {{{option}}}
  return
}}
"""


def make_calls(length, size, window, kind):
    """Calls of the forward pass, of the backward pass, and of the tangents."""
    rng = np.random.default_rng(0)
    if kind == "bf16":
        from ml_dtypes import bfloat16 as dtype
    else:
        dtype = np.float32

    def array():
        return rng.standard_normal((1, HEADS, length, size)).astype(dtype)
    q, k, v, do = (array() for _ in range(4))
    o, dq, dk, dv = (np.empty_like(q) for _ in range(4))
    tq, tk, tv = (array() for _ in range(3))
    lse, to = np.empty(q.shape[:3], np.float32), np.empty_like(q)
    tl = np.empty_like(lse)
    forward, backward, tangents = map(lattn.compile, text(size, window, kind))
    return (lambda: forward(q, k, v, o, lse),
            lambda: backward(q, k, v, o, lse, do, dq, dk, dv),
            lambda: tangents(q, k, v, tq, tk, tv, o, lse, to, tl))


def make_sdpa(length, size, kind):
    import torch

    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
    x = [torch.randn(1, HEADS, length, size, dtype=dtype, requires_grad=True)
         for _ in range(3)]
    do = torch.randn_like(x[0])
    call = torch.nn.functional.scaled_dot_product_attention
    out = call(*x)
    return (lambda: call(*x),
            lambda: torch.autograd.grad(out, x, do, retain_graph=True))


def count_pairs(length, window):
    if window is None:
        return length * length
    return sum(min(i, window) + 1 for i in range(length))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", nargs="+", default=SHAPES,
                        help="LENGTHxSIZExWINDOW; the window may be 'full'")
    parser.add_argument("--type", choices=["f32", "bf16"], default="f32")
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
        peers = {"lattn": make_calls(length, size, window, args.type)}
        if args.sdpa and window is None:
            import torch

            torch.set_num_threads(args.threads)
            peers["sdpa"] = make_sdpa(length, size, args.type)
        least = {name: [float("inf")] * len(calls) for name, calls in peers.items()}
        for _ in range(args.rounds):
            for name, calls in peers.items():
                for i, call in enumerate(calls):
                    begin = clock()
                    call()
                    least[name][i] = min(least[name][i], clock() - begin)
            peak.sample()
        top = max(peak.samples["f32"])
        product = 2 * HEADS * size * count_pairs(length, window)
        for name, (forward, backward, *tangents) in least.items():
            cells = [(2, forward), (5, backward), (7, forward + backward),
                     *((6, t) for t in tangents)]
            print(f"{shape:24s} {name:6s} " + " ".join(
                f"{1e3 * t:7.1f} ms {100 * n * product / t / top:3.0f} %"
                for n, t in cells), flush=True)


if __name__ == "__main__":
    main()
