#!/usr/bin/env python3
"""Measures first calls of lattn.attention on a GPU, each in a process of its own with an
empty cache: seconds until the call returns, and CPU seconds of this process and of ptxas.
"warm" calls find the cache that the call before them has filled.

On a GPU it needs PyTorch. With --stand-in, the tests' stand-in for the CUDA driver, it
needs neither: kernels are compiled by ptxas, but nothing runs them.

    .venv/bin/python benchmarks/gpu/first_calls.py \\
        --stand-in build/test/Unit/Runtime/CUDA/libfake_cuda.so --threads 2
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Queries, keys, head size, options, and whether gradients are computed.
CALLS = {
    "causal, heads of 128": (4096, 4096, 128, dict(causal=True), False),
    "causal, heads of 64": (4096, 4096, 64, dict(causal=True), False),
    "256 keys back, heads of 128": (4096, 4096, 128, dict(window=(256, 0)), False),
    "rows that are not aligned": (4096, 4096, 128, dict(causal=True, gap=1), False),
    "one query": (1, 4096, 128, dict(causal=True), False),
    "causal, with gradients, heads of 128": (4096, 4096, 128, dict(causal=True), True),
    "causal, with gradients, heads of 64": (4096, 4096, 64, dict(causal=True), True),
}
DEFAULTS = dict(window=None, causal=False, scale=None, bias=None, key_mask=None,
                attn_mask=None, kv_lengths=None, offset=None, layout="bhnd", softcap=0.0,
                sink=None, mods=None, dropout_p=0.0, seed=None)


def prepare_stand_in():
    """(a function that makes tensors, one that calls forward and backward)"""
    sys.path.insert(0, str(ROOT / "test" / "Python" / "Inputs"))
    import fake_gpu
    import numpy as np

    torch = sys.modules["torch"] = fake_gpu.Torch()
    from lattn import _lattn

    def make(*shape, dtype="bfloat16"):
        kind = getattr(torch, dtype)
        return torch.tensor(np.zeros(shape, kind.numpy), kind)

    def train(q, k, v, **options):
        options = {**DEFAULTS, **options}.values()
        out, lse = (make(*q.shape), make(*q.shape[:3], dtype="float32"))
        _lattn.attention(q, k, v, *options, True, None, None, False, None, None, None)
        given = out, lse, make(*q.shape), make(*lse.shape, dtype="float32"), *(
            make(*x.shape) for x in (q, k, v)), None, None, None, (None, None)
        _lattn.attention(q, k, v, *options, True, None, given, False, None, None, None)
    return make, train


def prepare_torch():
    import torch

    import lattn

    def make(*shape):
        return torch.zeros(shape, dtype=torch.bfloat16, device="cuda")

    def train(*tensors, **options):
        leaves = [x.requires_grad_() for x in tensors]
        lattn.attention(*leaves, **options).sum().backward()
        torch.cuda.synchronize()
    return make, train


def count_cpu():
    own, children = (resource.getrusage(who) for who in (
        resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def measure(name, stand_in, threads):
    """Runs one call in this process and prints its times."""
    make, train = prepare_stand_in() if stand_in else prepare_torch()
    import lattn

    if threads:
        lattn.set_num_threads(threads)
    queries, keys, size, options, has_gradients = CALLS[name]
    options = dict(options)
    gap = options.pop("gap", 0)
    tensors = [make(1, 16, n, size + gap) for n in (queries, keys, keys)]
    if gap:
        tensors = [x.as_strided((*x.shape[:3], size), x.stride(), 0) for x in tensors]
    begin, (own, children) = time.perf_counter(), count_cpu()
    (train if has_gradients else lattn.attention)(*tensors, **options)
    wall, (own_after, children_after) = time.perf_counter() - begin, count_cpu()
    print(wall, own_after - own, children_after - children)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--stand-in", help="the driver's stand-in, libfake_cuda.so")
    parser.add_argument("--capability", default="9.0", help="of the stand-in's GPU")
    parser.add_argument("--threads", type=int, default=0, help="of lattn")
    parser.add_argument("--call", choices=CALLS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.call:
        measure(arguments.call, arguments.stand_in, arguments.threads)
        return
    environment = dict(os.environ)
    if arguments.stand_in:
        environment |= {"LATTN_LIBCUDA": os.path.abspath(arguments.stand_in),
                        "FAKECUDA_CAPABILITY": arguments.capability}
    print("| first call | seconds | CPU, lattn | CPU, ptxas | warm, seconds |\n"
          "|---|--:|--:|--:|--:|")
    for name in CALLS:
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = (list(map(float, subprocess.run(
                [sys.executable, __file__, *sys.argv[1:], "--call", name], check=True,
                text=True, stdout=subprocess.PIPE,
                env={**environment, "LATTN_CACHE_DIR": cache}).stdout.split()))
                for _ in range(2))
        print(f"| {name} | {cold[0]:.2f} | {cold[1]:.2f} | {cold[2]:.2f} | "
              f"{warm[0]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
