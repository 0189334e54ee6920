#!/usr/bin/env python
"""Times a training step (loss, backward pass, AdamW) of a LocalTransformer in
lattn.nn, in the local-attention package, and in the package with torch.compile, in
turns. All have the same weights and tokens.

Prints the least times, their ratio to lattn's, and the share of the f32 FMA peak,
which is measured between the turns. Useful operations are two products forward and
five backward for visible pairs, and three times the products with weights. Times on
one thread are CPU times, so that other work on the machine counts less.
"""

import argparse
import dataclasses
import os
import sys
import time

from harness.needs import require

require("numpy")

from harness import modules
from harness.workload import Workload

PEERS = {"lattn": "lattn.nn", "package": "local-attention",
         "compiled": "local-attention, compiled"}
TOLERANCE = 1e-3  # of the loss


def flops(w):
    """Useful ones of a step."""
    return dataclasses.replace(w, training=True).flops()


def make_step(w, name, tokens):
    """A call that does a step: its loss, and when each part of it ended."""
    import torch
    if name == "lattn":
        from lattn import nn as source
    else:
        import local_attention as source
    model = modules.build(w, source).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    call = torch.compile(model) if name == "compiled" else model

    def step(clock):
        times = [clock()]
        loss = call(tokens, return_loss=True)
        times.append(clock())
        loss.backward()
        times.append(clock())
        optimizer.step()
        optimizer.zero_grad()
        times.append(clock())
        return loss.item(), times
    return step


class Times:
    """The least of each part, and of the whole step."""

    def __init__(self):
        self.parts, self.whole = [float("inf")] * 3, float("inf")

    def add(self, stamps):
        parts = [end - begin for begin, end in zip(stamps, stamps[1:])]
        self.parts = list(map(min, self.parts, parts))
        self.whole = min(self.whole, sum(parts))


def measure(w, names, rounds):
    """({name: loss of the first step}, {name: Times}, peak in FLOP/s)."""
    import torch

    import lattn
    from harness.peak import Peak
    lattn.set_num_threads(w.threads)
    torch.set_num_threads(w.threads)
    clock = time.thread_time if w.threads == 1 else time.perf_counter
    torch.manual_seed(1)
    tokens = torch.randint(w.tokens, (w.B, w.N + 1))
    steps = {name: make_step(w, name, tokens) for name in names}
    losses = {name: step(clock)[0] for name, step in steps.items()}  # compiles
    times, peak = {name: Times() for name in names}, Peak(w.threads)
    for number in range(rounds):
        for name, step in steps.items():
            times[name].add(step(clock)[1])
        peak.sample()
        print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return losses, times, max(peak.samples["f32"])


def report(w, losses, times, peak):
    """Prints the table; whether all losses agree."""
    first = next(iter(times))
    print(f"{w.depth} layers, dim {w.width}, window {w.left}, N {w.N:,}, batch {w.B}; "
          f"{flops(w) / 1e9:.0f} GFLOP a step; FMA peak {peak / 1e9:.0f} GFLOP/s, "
          f"{w.threads} thread{'s' * (w.threads > 1)}")
    print(f"{'':26s} {'loss':>9s} {'backward':>9s} {'AdamW':>9s} {'step':>9s} "
          f"{'ratio':>6s} {'of peak':>8s}")
    for name, t in times.items():
        cells = [f"{1e3 * x:6.0f} ms" for x in (*t.parts, t.whole)]
        print(f"{PEERS[name]:26s} {' '.join(cells)} "
              f"{t.whole / times[first].whole:6.2f} "
              f"{100 * flops(w) / t.whole / peak:6.0f} %")
    apart = max(losses.values()) - min(losses.values())
    if not apart <= TOLERANCE:
        print(f"error: losses of the first step differ by {apart:.2g}, expected at "
              f"most {TOLERANCE:g}: {losses}", file=sys.stderr)
        return False
    return True


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("length", 4096), ("dim", 512), ("depth", 3), ("heads", 8),
                          ("head-size", 64), ("window", 256), ("batch", 1),
                          ("threads", 1), ("rounds", 10)):
        parser.add_argument(f"--{name}", type=int, default=default,
                            help=f"(default: {default})")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS),
                        help="(default: all)")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error(f"--rounds: expected a number >= 1, got {args.rounds}")
    try:
        w = Workload("training step", "", N=args.length, B=args.batch, H=args.heads,
                     D=args.head_size, left=args.window, causal=True,
                     width=args.dim, depth=args.depth, module="LocalTransformer",
                     threads=args.threads)
    except ValueError as error:
        parser.error(str(error))
    return w, args


def main():
    w, args = parse()
    require("torch", "lattn")
    if args.peers != ["lattn"]:
        require("local_attention", hint="; --peers lattn needs none")
    # Before torch is imported.
    os.environ["OMP_NUM_THREADS"] = os.environ["LATTN_NUM_THREADS"] = str(w.threads)
    return 0 if report(w, *measure(w, args.peers, args.rounds)) else 1


if __name__ == "__main__":
    sys.exit(main())
