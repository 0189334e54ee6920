#!/usr/bin/env python
"""Times plain PyTorch compiled by torch.compile(backend="lattn") and the same work
in lattn, in turns in one process, on one thread (--threads). Prints the least times.

attention  causal attention with a window, whose mask is computed, compared with
           lattn.attention and eager PyTorch
encoder    two layers (attention and a gated feed-forward network with norms and
           residuals), compared with the same weights in modules of lattn.nn, and
           with torch.compile
pass       lattn-raise on one function of about 10,000 operations
"""

import argparse
import functools
import time
import warnings

from harness.needs import require

require("torch", "torch_mlir", "numpy", "lattn")

import torch
import torch.nn.functional as F
from torch import nn

import lattn
from lattn import _dynamo, _lattn
from lattn.nn import LocalMHA
from lattn.nn._feed_forward import GEGLU, FeedForward

HEADS, SIZE = 8, 64
DIM = HEADS * SIZE


def see(length, window):
    i, j = torch.arange(length)[:, None], torch.arange(length)[None, :]
    return (j <= i) & (i - j <= window)


def windowed(q, k, v, window):
    scores = q @ k.transpose(-2, -1) * SIZE ** -0.5
    hidden = ~see(q.shape[2], window)
    return torch.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ v


class Attention(nn.Module):
    """What `module`, a LocalMHA, computes."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        b, n, dim = x.shape
        x = self.module.norm(x)
        q, k, v = (self.module.to_qkv(x).view(b, n, 3, HEADS, -1)
                   .permute(2, 0, 3, 1, 4))
        out = F.scaled_dot_product_attention(
            q, k, v, attn_mask=see(n, self.module.window_size))
        return self.module.to_out(out.transpose(1, 2).reshape(b, n, dim))


class Gated(nn.Module):
    """What `module`, a FeedForward, computes."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        up, gate = self.module[1](self.module[0](x)).chunk(2, -1)
        return self.module[4](up * F.gelu(gate))


class Residual(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


def compare(calls, rounds):
    """Prints the least times, and differences from the last of the calls."""
    results = {name: call() for name, call in calls.items()}
    least = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            least[name] = min(least[name], time.perf_counter() - begin)
    own, expected = next(iter(least.values())), list(results.values())[-1]
    for name, seconds in least.items():
        error = (results[name] - expected).abs().max()
        print(f"  {name:16} {seconds * 1e3:8.1f} ms, {seconds / own:5.2f} times, "
              f"error {error:.1e}", flush=True)


def attention(args):
    q, k, v = torch.randn(3, 1, HEADS, args.length, SIZE)
    plain = functools.partial(windowed, window=args.window)
    raised = torch.compile(plain, backend="lattn")
    compare({"raised": lambda: raised(q, k, v),
             "lattn.attention": lambda: lattn.attention(
                 q, k, v, window=(args.window, 0)),
             "eager": lambda: plain(q, k, v)}, args.rounds)


def make_layers(count, window=256):
    """A module of lattn.nn, and one in plain PyTorch with the same weights."""
    inner = DIM * 8 // 3
    own = []
    for _ in range(count):
        own.append(LocalMHA(
            dim=DIM, heads=HEADS, dim_head=SIZE, window_size=window,
            causal=True, prenorm=True, use_rotary_pos_emb=False,
            exact_windowsize=True))
        own.append(FeedForward(
            nn.LayerNorm(DIM), nn.Linear(DIM, 2 * inner, bias=False), GEGLU(),
            nn.Dropout(0), nn.Linear(inner, DIM, bias=False)))
    plain = [Gated(layer) if isinstance(layer, FeedForward) else Attention(layer)
             for layer in own]
    return Residual(own).eval(), Residual(plain).eval()


def encoder(args):
    modules, plain = make_layers(2, args.window)
    raised = torch.compile(plain, backend="lattn")
    inductor = torch.compile(plain)
    x = torch.randn(1, args.length, DIM)
    compare({"raised": lambda: raised(x), "lattn.nn": lambda: modules(x),
             "torch.compile": lambda: inductor(x), "eager": lambda: plain(x)},
            args.rounds)


def measure_pass(args):
    """One function: the graph of an encoder of many layers."""
    graphs, raise_attention = [], _dynamo._raise_attention
    _dynamo._raise_attention = lambda text: (
        graphs.append(text) or raise_attention(text))
    torch.compile(make_layers(70)[1], backend="lattn")(torch.randn(1, 300, DIM))
    _dynamo._raise_attention = raise_attention
    least = {}
    for name, passes in (("parsed and printed", ""), ("raised, too", "lattn-raise")):
        for _ in range(3):
            begin = time.perf_counter()
            raised = _lattn.run_passes(graphs[0].encode(), "<text>",
                                       f"builtin.module({passes})")
            least[name] = min(least.get(name, float("inf")),
                              time.perf_counter() - begin)
    print(f"  {graphs[0].count(' = ')} operations, {raised.count('lattn.attention')} "
          "times attention: " + ", ".join(f"{name} {seconds:.2f} s"
                                for name, seconds in least.items()))


def main():
    parts = {"attention": attention, "encoder": encoder, "pass": measure_pass}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="WHAT",
                        help="any of these; none: all")
    parser.add_argument("--length", type=int, default=4096)
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=8)
    args = parser.parse_args()
    if unknown := set(args.what) - set(parts):
        parser.error(f"expected {', '.join(parts)}, got {', '.join(unknown)}")
    torch.set_num_threads(args.threads)
    lattn.set_num_threads(args.threads)
    torch.manual_seed(0)
    warnings.simplefilter("ignore")
    with torch.no_grad():
        for name in args.what or parts:
            print(name, flush=True)
            parts[name](args)


if __name__ == "__main__":
    main()
