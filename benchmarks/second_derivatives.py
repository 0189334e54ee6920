#!/usr/bin/env python
"""Times lattn.nn.LocalAttention in torch.func.jvp, and a product of its second
derivatives with a vector, beside the same formula in torch's operations."""

import argparse
import time
import warnings

from harness.needs import require

require("torch", "lattn")

import torch
from torch.func import jvp

from lattn import nn
from lattn.nn import _ops


def take(function, rounds):
    """The least milliseconds."""
    function()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return 1e3 * min(times)


def multiply(attention, arrays, grad, vector):
    """Second derivatives by gradients of gradients."""
    arrays = [x.detach().requires_grad_() for x in arrays]
    first = torch.autograd.grad(attention(*arrays), arrays, grad, create_graph=True)
    return torch.autograd.grad(sum((x * vector).sum() for x in first), arrays)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--size", type=int, default=64, help="of a head (64)")
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--xpos", action="store_true", help="with xpos scales")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    module = nn.LocalAttention(args.window, causal=True, dim=args.size,
                               exact_windowsize=True, use_xpos=args.xpos)
    options = module.options(args.size)
    shape = (1, args.heads, args.length, args.size)
    *arrays, grad, vector = (torch.randn(shape) for _ in range(5))
    tensors = (*arrays, None, None, None, *module.buffers())
    tangents = (vector, vector, vector, *[None] * (len(tensors) - 3))
    kernels = _ops._bind(tensors, *options, 0.0)
    print(f"forward, kernel: {take(lambda: module(*arrays), args.rounds):.0f} ms")
    print("tangent, kernel: "
          f"{take(lambda: kernels.push_forward(tensors, tangents), args.rounds):.0f} ms")

    def formula(q, k, v):
        return _ops._recompute(q, k, v, None, None, *module.buffers(), *options)
    for name, attention in (("kernels", module), ("torch's operations", formula)):
        tangent = take(lambda: jvp(lambda *x: attention(*x), tuple(arrays),
                                   (vector,) * 3), args.rounds)
        twice = take(lambda: multiply(attention, arrays, grad, vector), args.rounds)
        print(f"{name}: torch.func.jvp {tangent:.0f} ms, second derivatives times a "
              f"vector {twice:.0f} ms")


if __name__ == "__main__":
    main()
