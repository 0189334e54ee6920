#!/usr/bin/env python
"""Times lattn.jax.attention and jax.nn.dot_product_attention under jax.jit, in
turns: a causal window, forward and with gradients, and the cost of a call beside its
kernel.

Prints the least times and JAX's time over lattn's.
"""

import argparse
import json
import os
import time

parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--length", type=int, default=4096, help="positions")
parser.add_argument("--window", type=int, default=256,
                    help="keys that a query sees before its own")
parser.add_argument("--heads", type=int, default=8)
parser.add_argument("--size", type=int, default=64, help="of a head")
parser.add_argument("--threads", type=int, default=1,
                    help="CPUs that the process may use")
parser.add_argument("--turns", type=int, default=10)
parser.add_argument("--json", help="also writes the times, in seconds, to this file")
arguments = parser.parse_args()
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-arguments.threads:])

from harness.needs import require

require("jax", "numpy", "lattn.jax")

import jax
import jax.numpy as jnp
import numpy as np

import lattn.jax

TOLERANCES = {"float32": 2e-5, "bfloat16": 4e-2}
LIBRARIES = {
    "lattn": lattn.jax.dot_product_attention,
    "jax.nn": jax.nn.dot_product_attention,
}


def measure(calls, turns, repeats=1):
    times = {name: [] for name in calls}
    for call in calls.values():
        jax.block_until_ready(call())
    for _ in range(turns):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(repeats):
                jax.block_until_ready(call())
            times[name].append((time.perf_counter() - start) / repeats)
    return {name: min(x) for name, x in times.items()}


def compare(what, functions, arrays, dtype, turns):
    compiled = {name: jax.jit(function) for name, function in functions.items()}
    found = {name: run(*arrays) for name, run in compiled.items()}
    for x, y in zip(*map(jax.tree.leaves, found.values())):
        x, y = np.asarray(x, "f8"), np.asarray(y, "f8")
        error = abs(x - y).max() / max(1, abs(y).max())
        assert error < TOLERANCES[dtype], (what, error)
    times = measure({name: lambda run=run: run(*arrays)
                     for name, run in compiled.items()}, turns)
    ours, theirs = times.values()
    print(f"{what} lattn {ours * 1e3:.2f} ms jax.nn {theirs * 1e3:.2f} ms "
          f"ratio {theirs / ours:.1f}", flush=True)
    return times


results = {}
shape = 1, arguments.length, arguments.heads, arguments.size
options = dict(local_window_size=(arguments.window, 0))
for dtype in TOLERANCES:
    generator = np.random.default_rng(0)
    arrays = [jnp.asarray(generator.standard_normal(shape), dtype)
              for _ in range(3)]
    forward = {name: lambda *xs, run=run: run(*xs, **options)
               for name, run in LIBRARIES.items()}
    gradients = {name: jax.grad(
        lambda *xs, run=run: (run(*xs).astype("float32")**2).sum(),
        argnums=(0, 1, 2)) for name, run in forward.items()}
    for what, functions in ("forward", forward), ("gradients", gradients):
        name = f"{what}, {dtype}"
        results[name] = compare(name, functions, arrays, dtype, arguments.turns)
tiny = jnp.ones((1, 1, 1, 8))
calls = {
    "lattn": jax.jit(lambda x: lattn.jax.attention(x, x, x)),
    "an addition": jax.jit(lambda x: x + x),
}
times = measure({name: lambda run=run: run(tiny) for name, run in calls.items()},
                arguments.turns, 200)
print("a call of one query and key", *(
    f"{name} {x * 1e6:.1f} us" for name, x in times.items()))
results["a call"] = times
if arguments.json:
    with open(arguments.json, "w") as file:
        json.dump(results, file, indent=1)
