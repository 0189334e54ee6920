#!/usr/bin/env python
"""Predicts times on an H100 by the cost model of warpgroups (WarpgroupCost.cpp):

    .venv/bin/python benchmarks/gpu/predict.py build/bin/lattn-opt RESULTS [GRADIENTS]

First it predicts what was measured: the kernels of attention in RESULTS, lines of a
bundle's run, with the tiles that the compiler chooses. If one of them is off by more
than 10 %, the exit code is 1. Then it predicts backward passes, by the same constants,
beside what GRADIENTS, lines of gradients.py, has of lattn and of others.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import fit
from workloads import GRADIENTS

MULTIPROCESSORS = 132
CLOCK = 1.72e6             # cycles in a ms; ncu saw 1,690 to 1,770 MHz with D = 128
MOST = 0.10                # that a prediction may be off
# Of kernels of gradients, by their instructions a position beside those of attention
# (docs/GPU.md): cycles a position of a group, of masks, and to start the products of
# a step, which wait for each other once or twice.
QUERY = {"products": 3, "chain": 12.2, "mask": 15, "start": 300}
KEY_VALUE = {"products": 4, "chain": 15.3, "mask": 12, "start": 450}
KEY = {**KEY_VALUE, "products": 3}
VALUE = {**KEY_VALUE, "products": 2, "chain": 12, "start": 300}
MOST_SUMS = 256            # elements of heads of keys and values of one kernel


def choose_tiles(lattn_opt, size, element, window, gradients=False):
    """(rows of a tile, positions of a step)"""
    array = f"tensor<?x?x?x{size}x{element}>"
    lse = "tensor<?x?x?xf32>"
    left, right = window
    bounds = ", ".join(f"{n} = {v}" for n, v in (("left", left), ("right", right))
                       if v is not None)
    attribute = f"{{window = #lattn.window<{bounds}>}}" if bounds else ""
    operands = (f"query(%q : {array}) key(%q : {array}) value(%q : {array}) ")
    op = f"lattn.attention {operands} outs(%q : {array}) {attribute}"
    if gradients:
        op = (f"lattn.attention_grad {operands} output(%q : {array}) "
              f"lse(%l : {lse}) d_output(%q : {array}) "
              f"outs(%q, %q, %q : {array}, {array}, {array}) {attribute}")
    results = 3 if gradients else 1
    done = subprocess.run(
        [lattn_opt, "-", "--lattn-choose-gpu-tiles=chip=sm_90a warps=0"],
        input=f"func.func @f(%q: {array}, %l: {lse}) {{ %0:{results} = {op} return }}",
        capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"predict.py: {done.stderr}")
    return tuple(map(int, re.search(
        r"query_tile = (\d+), key_tile = (\d+), fallback", done.stdout).groups()))


def get_together(rows, shared):
    """Blocks that share a multiprocessor."""
    return min(2 if rows == 64 else 1, fit.SHARED // shared)


def predict_forward(size, rows, step, steps):
    """Cycles of a head on one multiprocessor."""
    shared = rows * size * 2 + 2 * step * size * 4 + fit.BESIDE
    return fit.predict(fit.KEPT, size, step, rows // 64,
                       get_together(rows, shared), *steps)


def predict_gradients(kernel, size, rows, step, steps):
    full, edge, tiles = steps
    groups = rows // 64
    shared = 4 * size * (rows + 2 * step) + fit.BESIDE
    together = get_together(rows, shared)
    sharpness = fit.KEPT[4]
    products = 64 * step * kernel["products"] * size / 2048 + kernel["start"]

    def cycles(of_position):
        chain, count = of_position * step, groups * together
        busy = (products**sharpness + ((products + chain) / count)**sharpness
                )**(1 / sharpness)
        return max(groups * busy, step * size * 4 / 40)
    return (full * cycles(kernel["chain"])
            + edge * cycles(kernel["chain"] + kernel["mask"])
            + tiles * fit.KEPT[3] / together)


def to_ms(cycles, heads):
    return cycles * heads / MULTIPROCESSORS / CLOCK


def read_lines(path):
    try:
        return list(map(json.loads, path.read_text().splitlines()))
    except (OSError, ValueError) as error:
        sys.exit(f"predict.py: error: {path}: {error}")


def read_forward(lines):
    """(workload, head size, element, window, positions, heads, ms) of a run."""
    pattern = r"d(?P<size>\d+)-l(?P<left>\w+)-r(?P<right>\w+)-(?P<element>\w+)\."
    for line in lines:
        if line.get("kind") != "time" or "median_ms" not in line:
            continue
        found = re.match(pattern, line["kernel"])
        size = int(found["size"])
        window = tuple(None if found[n] == "x" else int(found[n])
                       for n in ("left", "right"))
        length = fit.find_length(line["workload"])
        flops = line["tflops"] * 1e12 * line["median_ms"] * 1e-3
        heads = round(flops / (4 * size * count_visible(length, *window)))
        yield (line["workload"], size, found["element"], window, length, heads,
               line["median_ms"])


def count_visible(length, left, right):
    left = length if left is None else left
    right = length if right is None else right
    return sum(min(length - 1, i + right) - max(0, i - left) + 1
               for i in range(length))


def compare_forward(lattn_opt, found):
    """Prints a row for each kernel; whether all predictions are near."""
    print("| attention | tile | measured, ms | predicted, ms | predicted / measured |\n"
          "|---|---|--:|--:|--:|")
    near = True
    for name, size, element, window, length, heads, ms in found:
        rows, step = choose_tiles(lattn_opt, size, element, window)
        steps = fit.count_steps(length, *window, rows, step)
        predicted = to_ms(predict_forward(size, rows, step, steps), heads)
        ratio = predicted / ms
        near &= abs(ratio - 1) <= MOST
        print(f"| {name} | {rows} x {step} | {ms:.3f} | {predicted:.3f} | "
              f"{ratio:.2f} |")
    return near


def predict_backward(lattn_opt, w):
    """ms of all kernels of a backward pass."""
    window = (w.left, 0) if w.causal else (None, None)
    inverse = window[::-1]
    rows, step = choose_tiles(lattn_opt, w.D, "bf16", window, gradients=True)
    kernels = [(QUERY, window)]
    kernels += [(KEY_VALUE, inverse)] if 2 * w.D <= MOST_SUMS else [
        (KEY, inverse), (VALUE, inverse)]
    return sum(
        to_ms(predict_gradients(kernel, w.D, rows, step,
                                fit.count_steps(w.N, *seen, rows, step)), w.H)
        for kernel, seen in kernels)


def compare_backward(lattn_opt, lines):
    measured = {(line["workload"], line["by"]): line["ms"]
                for line in lines if "ms" in line}
    others = dict.fromkeys(by for _, by in measured if by != "lattn")
    head = ["backward", "predicted, ms", "TFLOP/s", "lattn, ms",
            *(f"{by}, ms" for by in others)]
    print(f"\n| {' | '.join(head)} |\n|---|{'--:|' * (len(head) - 1)}")
    for name, w in GRADIENTS.items():
        ms = predict_backward(lattn_opt, w)
        rate = 10 * w.D * w.H * w.count_visible() / ms / 1e9
        cells = [f"{measured[name, by]:.2f}" if (name, by) in measured else ""
                 for by in ("lattn", *others)]
        print(f"| {name} | {ms:.2f} | {rate:.0f} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lattn_opt")
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("gradients", type=pathlib.Path, nargs="?")
    arguments = parser.parse_args()
    found = list(read_forward(read_lines(arguments.results)))
    if not found:
        parser.error("results: no kernel with the compiler's tiles was timed")
    backward = read_lines(arguments.gradients) if arguments.gradients else []
    near = compare_forward(arguments.lattn_opt, found)
    compare_backward(arguments.lattn_opt, backward)
    return 0 if near else 1


if __name__ == "__main__":
    sys.exit(main())
