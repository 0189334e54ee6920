#!/usr/bin/env python3
"""Times the backward pass of attention on a GPU: what PyTorch has (SDPA by cuDNN and
by flash attention, FlexAttention compiled), and lattn.attention. It needs a PyTorch
with CUDA, and lattn for its own rows:

    .venv/bin/python benchmarks/gpu/gradients.py [--out FILE.jsonl] [--by NAME]... [NAME...]

A time is the median of five pairs of events with five backward passes between them.
TFLOP/s count five products of the visible pairs. "bits" says whether two passes give
equal gradients. Each row has a process of its own, which is ended after --limit
seconds: a library that hangs costs its own row.
"""

import argparse
import json
import statistics
import subprocess
import sys

import torch

from timing import report, time_calls
from workloads import GRADIENTS, count_flops

TERA = 1e12


def make_sdpa(w, backend):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    if w.left is not None:
        raise NotImplementedError("no windows")

    def attend(q, k, v):
        with sdpa_kernel(getattr(SDPBackend, backend)):
            return torch.nn.functional.scaled_dot_product_attention(
                q, k, v, is_causal=w.right == 0)
    return attend


def make_flex(w):
    from torch.nn.attention import flex_attention as flex

    def see(b, h, i, j):
        seen = i >= j
        return seen if w.left is None else seen & (i - j <= w.left)
    mask = flex.create_block_mask(see, None, None, w.N, w.N) if w.right == 0 else None
    attend = torch.compile(flex.flex_attention, dynamic=False)
    return lambda q, k, v: attend(q, k, v, block_mask=mask)


def make_lattn(w):
    import lattn
    return lambda q, k, v: lattn.attention(q, k, v, window=(w.left, w.right))


MAKERS = {
    "lattn": make_lattn,
    "cuDNN": lambda w: make_sdpa(w, "CUDNN_ATTENTION"),
    "flash": lambda w: make_sdpa(w, "FLASH_ATTENTION"),
    "flex": make_flex,
}


def measure(name, by):
    """A line of results."""
    w = GRADIENTS[name]
    torch.manual_seed(0)
    q, k, v, gradient = (torch.randn(1, w.H, w.N, w.D, device="cuda",
                                     dtype=torch.bfloat16) for _ in range(4))
    inputs = [x.requires_grad_() for x in (q, k, v)]
    out = MAKERS[by](w)(q, k, v)

    def backward():
        return torch.autograd.grad(out, inputs, gradient, retain_graph=True)
    first, second = backward(), backward()
    equal = all(torch.equal(a, b) for a, b in zip(first, second))
    finite = all(bool(a.isfinite().all()) for a in first)
    times = time_calls(backward, calls=5)
    ms = statistics.median(times)
    return {"ms": ms, "least_ms": min(times), "bits": equal, "finite": finite,
            "tflops": count_flops(w) / ms / 1e-3 / TERA}


def run(name, by, limit):
    """`measure` in a process of its own."""
    line = {"workload": name, "by": by}
    try:
        done = subprocess.run([sys.executable, __file__, "--row", name, by],
                              capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return line | {"error": f"not done after {limit} s"}
    if done.returncode:
        return line | {"error": (done.stderr.strip().splitlines() or ["no text"])
                       [-1][:200]}
    return line | json.loads(done.stdout.splitlines()[-1])


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="workloads; all without")
    parser.add_argument("--by", action="append", choices=list(MAKERS))
    parser.add_argument("--out", help="write lines of JSON")
    parser.add_argument("--limit", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in GRADIENTS:
            parser.error(f"no workload '{name}'; there are: {', '.join(GRADIENTS)}")
    return arguments


def main():
    arguments = parse()
    if arguments.row:
        print(json.dumps(measure(*arguments.row)))
        return
    if not torch.cuda.is_available():
        sys.exit("gradients.py: error: PyTorch finds no GPU")
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    with open(arguments.out or "/dev/null", "w") as out:
        for name in arguments.names or GRADIENTS:
            for by in arguments.by or MAKERS:
                report(run(name, by, arguments.limit), out)


if __name__ == "__main__":
    main()
