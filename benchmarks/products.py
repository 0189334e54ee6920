#!/usr/bin/env python
"""Times matrix products of lattn and torch, in turns in one process. Prints the
least times and their shares of the f32 FMA peak, which is measured between the turns.

Times on one thread are CPU times, so that other work on the machine counts less.
Both write to an array that is allocated before. With --type=bf16 the inputs and
torch's result are bf16, and lattn's result is f32.
"""

import argparse
import time

from harness.needs import require

require("torch", "numpy", "lattn")

import torch

import lattn
from harness.peak import Peak

SHAPES = ["4096x512x1536", "4096x512x512", "1000x768x768", "512x2048x2048"]


def text(kind):
    return f"""
!a = tensor<?x?x{kind}>
!c = tensor<?x?xf32>
func.func @main(%x: memref<?x?x{kind}>, %w: memref<?x?x{kind}>, %y: memref<?x?xf32>) {{
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<?x?x{kind}> to !a
  %wt = bufferization.to_tensor %w restrict : memref<?x?x{kind}> to !a
  %yt = bufferization.to_tensor %y restrict writable : memref<?x?xf32> to !c
  %f = linalg.fill ins(%zero : f32) outs(%yt : !c) -> !c
  %r = linalg.matmul ins(%xt, %wt : !a, !a) outs(%f : !c) -> !c
  bufferization.materialize_in_destination %r in restrict writable %y
      : (!c, memref<?x?xf32>) -> ()
  return
}}
"""


def least(call, seconds, clock):
    call()
    begin = clock()
    call()
    return min(seconds, clock() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shapes", nargs="+", default=SHAPES,
                        help="MxKxN: (M, K) times (K, N)")
    parser.add_argument("--type", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=30)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    lattn.set_num_threads(args.threads)
    clock = time.thread_time if args.threads == 1 else time.perf_counter
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[args.type]
    product, peak = lattn.compile(text(args.type)), Peak(args.threads)
    for shape in args.shapes:
        m, k, n = map(int, shape.split("x"))
        x, w = torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype)
        y, other = torch.zeros(m, n), torch.zeros(m, n, dtype=dtype)
        mine = theirs = float("inf")
        for _ in range(args.rounds):
            peak.sample()
            mine = least(lambda: product(x, w, y), mine, clock)
            theirs = least(lambda: torch.mm(x, w, out=other), theirs, clock)
        error = (y - x.float() @ w.float()).abs().max()
        top = max(peak.samples["f32"])
        shares = (f"{seconds * 1e3:7.2f} ms, {200 * m * k * n / seconds / top:5.1f} %"
                  for seconds in (mine, theirs))
        print("{:14} lattn {}   torch {}   error {:.1e}".format(
            shape, *shares, error), flush=True)


if __name__ == "__main__":
    main()
