#!/usr/bin/env python
"""Times of torch modules other than their throughput, on one thread (--threads):

first-call  for each module, in a process of its own: imports, the first call, the
            second call
decode      a token of a LocalTransformer after 1,024 and 65,536 others, compared
            with reading its weights once
alternate   torch's matrix products and lattn's attention in turns, compared with
            each of them alone
norms       RMS norms as transformers writes them and layer norms, with gradients,
            against torch

LocalMHA and LocalTransformer are those of the suite "modules" of run.py.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

from harness.needs import require

WINDOW = dict(dim=512, heads=8, dim_head=64, causal=True)


def least(call, rounds):
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def make(name, longest=4096):
    from lattn import nn
    if name == "LocalMHA":
        return nn.LocalMHA(window_size=256, prenorm=True, qk_rmsnorm=True,
                           **WINDOW).eval()
    return nn.LocalTransformer(num_tokens=256, depth=4, max_seq_len=longest,
                               local_attn_window_size=256, **WINDOW).eval()


def call_first(name):
    """In a new process."""
    begin = time.perf_counter()
    import torch
    torch_there = time.perf_counter()
    import lattn.nn  # noqa: F401
    there = time.perf_counter()
    module = make(name)
    x = (torch.randn(1, 4096, 512) if name == "LocalMHA"
         else torch.randint(256, (1, 4096)))
    with torch.no_grad():
        first, second = (least(lambda: module(x), 1) for _ in range(2))
    print(f"{name}: import torch {torch_there - begin:.2f} s, lattn.nn "
          f"{there - torch_there:.2f} s, first call {first:.2f} s, second "
          f"{second:.2f} s")


def first_calls(threads):
    for name in ("LocalMHA", "LocalTransformer"):
        with tempfile.TemporaryDirectory() as cache:
            subprocess.run([sys.executable, __file__, "--call-first", name,
                            "--threads", str(threads)], check=True,
                           env=os.environ | {"LATTN_CACHE_DIR": cache})


def weights(module):
    """The weights that a token reads whole."""
    return [p for name, p in module.named_parameters()
            if p.dim() == 2 and "emb" not in name]


def decoder(module, context, most):
    """A call that decodes one more token after `context` others."""
    import torch
    tokens = torch.randint(256, (1, context + most))
    _, cache = module(tokens[:, :context], return_cache=True)
    state = [context, cache]

    def step():
        state[0] += 1
        _, state[1] = module(tokens[:, :state[0]], cache=state[1],
                             return_cache=True)
    step()
    return step


def decode():
    import torch
    contexts, rounds = (1024, 65536), 100
    module = make("LocalTransformer", contexts[-1] + 2 * rounds)
    size = sum(p.numel() for p in weights(module))

    def read():
        for weight in weights(module):
            weight.sum()
    with torch.inference_mode():
        calls = {context: decoder(module, context, 2 * rounds)
                 for context in contexts} | {"weights": read}
        times = {name: [] for name in calls}
        for _ in range(rounds):
            for name, call in calls.items():
                times[name].append(least(call, 1))
    found = {name: min(t) * 1e3 for name, t in times.items()}
    print(f"weights: {4 * size / 1e6:.1f} MB, read in {found['weights']:.2f} ms "
          f"({4 * size / found['weights'] / 1e6:.1f} GB/s)")
    for context in contexts:
        print(f"a token after {context:,}: {found[context]:.2f} ms, "
              f"{found[context] / found['weights']:.2f} times the reading")


def alternate():
    import torch

    import lattn
    a, b = torch.randn(2, 1024, 1024)
    q, k, v = torch.randn(3, 1, 8, 2048, 64)

    def multiply():
        torch.mm(a, b)

    def attend():
        lattn.attention(q, k, v, window=(256, 0))

    def both():
        multiply()
        attend()
    calls = {"both": both, "multiply": multiply, "attend": attend}
    times = {name: [] for name in calls}
    with torch.no_grad():
        for _ in range(30):
            for name, call in calls.items():
                call()
                times[name].append(least(call, 3))
    found = {name: min(t) * 1e3 for name, t in times.items()}
    alone = found["multiply"] + found["attend"]
    print(f"product {found['multiply']:.2f} ms, attention "
          f"{found['attend']:.2f} ms, in turn {found['both']:.2f} ms: "
          f"{100 * (found['both'] / alone - 1):+.1f} %")


def rms_norm(x, gain):
    """As of transformers' models."""
    import torch
    wide = x.float()
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
    return gain * wide.to(x.dtype)


def norms():
    """Least times of forward and backward, by turns."""
    import torch
    from lattn.nn import _norms
    for kind in (torch.float32, torch.bfloat16):
        for shape in ((4096, 512), (2048, 4096)):
            x, gain, bias = (torch.randn(size, dtype=kind, requires_grad=True)
                             for size in (shape, shape[1:], shape[1:]))
            grad, size = torch.randn(shape, dtype=kind), shape[1:]
            calls = {
                "RMS norm": (lambda: _norms.compute(x, gain, 1e-6),
                             lambda: rms_norm(x, gain), (x, gain)),
                "layer norm": (
                    lambda: _norms.compute(x, gain, 1e-6, bias=bias, centered=True),
                    lambda: torch.nn.functional.layer_norm(x, size, gain, bias, 1e-6),
                    (x, gain, bias))}
            for name, (*both, inputs) in calls.items():
                outs = [call() for call in both]
                both += [lambda out=out: torch.autograd.grad(
                    out, inputs, grad, retain_graph=True) for out in outs]
                times = [float("inf")] * 4
                for _ in range(20):
                    times = [min(time, least(call, 1))
                             for time, call in zip(times, both)]
                ours, theirs, ours_back, theirs_back = (1e3 * t for t in times)
                print(f"{name} of {shape[0]} x {shape[1]}, {kind}: forward "
                      f"{ours:.2f} ms, torch {theirs:.2f}; backward {ours_back:.2f} "
                      f"ms, torch {theirs_back:.2f}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="any of these; none: all",
                        metavar="WHAT")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--call-first", metavar="MODULE",
                        help=argparse.SUPPRESS)
    args = parser.parse_args()
    runs = {"first-call": lambda: first_calls(args.threads), "decode": decode,
            "alternate": alternate, "norms": norms}
    for what in args.what:
        if what not in runs:
            parser.error(f"expected any of {', '.join(runs)}; got {what!r}")
    require("torch", "numpy", "lattn")
    # Before torch is imported.
    os.environ["OMP_NUM_THREADS"] = os.environ["LATTN_NUM_THREADS"] = str(
        args.threads)
    if args.call_first:
        return call_first(args.call_first)
    for what in args.what or runs:
        runs[what]()


if __name__ == "__main__":
    main()
