#!/usr/bin/env python
"""Predicts times on an H100 by the cost model of warpgroups (WarpgroupCost.cpp):

    .venv/bin/python benchmarks/gpu/predict.py build/bin/lattn-opt RESULTS [GRADIENTS]

First it predicts what was measured: the kernels of attention in RESULTS, lines of a
bundle's run, with the tiles that the compiler chooses. If one of them is off by more
than 10 %, the exit code is 1. Then it predicts backward passes, by the same constants,
beside what RESULTS and GRADIENTS, lines of gradients.py, have of lattn and of others.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import fit
from workloads import GRADIENTS, count_flops, count_visible  # finds what follows

import space
import text

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


def choose_tiles(lattn_opt, w):
    """(rows of a tile, positions of a step) of kernels for all sizes"""
    done = subprocess.run(
        [lattn_opt, "-", "--lattn-raise-memrefs",
         "--lattn-choose-gpu-tiles=chip=sm_90a warps=0"],
        input=text.attention(w), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"predict.py: {done.stderr}")
    return tuple(map(int, re.search(
        r"query_tile = (\d+), key_tile = (\d+), fallback", done.stdout).groups()))


def get_together(rows, shared):
    """Blocks that share a multiprocessor."""
    return min(2 if rows == 64 else 1, fit.SHARED // shared)


def predict_forward(w, rows, step):
    """Cycles of a head on one multiprocessor."""
    shared = rows * w.D * 2 + 2 * step * w.D * 4 + fit.BESIDE
    return fit.predict(fit.KEPT, w.D, step, rows // 64, get_together(rows, shared),
                       *fit.count_steps(w.N, w.left, w.right, rows, step))


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


def predict_backward(w, rows, step):
    """Cycles of a head in all kernels of a backward pass."""
    window, inverse = (w.left, w.right), (w.right, w.left)
    kernels = [(QUERY, window)]
    kernels += [(KEY_VALUE, inverse)] if 2 * w.D <= MOST_SUMS else [
        (KEY, inverse), (VALUE, inverse)]
    return sum(predict_gradients(kernel, w.D, rows, step,
                                 fit.count_steps(w.N, *seen, rows, step))
               for kernel, seen in kernels)


def predict(lattn_opt, w):
    """(tile, ms)"""
    tile = choose_tiles(lattn_opt, w)
    cycles = (predict_backward if w.backward else predict_forward)(w, *tile)
    return tile, to_ms(cycles, w.B * w.H)


def read_forward(lines):
    """(workload, ms) of a run."""
    pattern = r"d(?P<size>\d+)-l(?P<left>\w+)-r(?P<right>\w+)-(?P<element>\w+)\."
    for line in lines:
        found = re.match(pattern, line.get("kernel", ""))
        if line.get("kind") != "time" or "median_ms" not in line or not found:
            continue
        size = int(found["size"])
        window = tuple(None if found[n] == "x" else int(found[n])
                       for n in ("left", "right"))
        length = fit.find_length(line["workload"])
        flops = line["tflops"] * 1e12 * line["median_ms"] * 1e-3
        heads = round(flops / (4 * size * count_visible(length, *window)))
        yield space.Workload(line["workload"], D=size, N=length, H=heads,
                             dtype=found["element"], left=window[0],
                             right=window[1]), line["median_ms"]


def read_backward(lines):
    """{(workload, by whom): ms} of a run, or of gradients.py."""
    for line in lines:
        name = line.get("workload", "")
        if "ms" in line:
            yield (name, line["by"]), line["ms"]
        elif (line.get("kind") in ("time", "peer") and "median_ms" in line
              and name.endswith(" backward")):
            yield ((name.removesuffix(" backward"), line.get("peer", "lattn")),
                   line["median_ms"])


def compare_forward(lattn_opt, found):
    """Prints a row for each kernel; whether all predictions are near."""
    print("| attention | tile | measured, ms | predicted, ms | predicted / measured |\n"
          "|---|---|--:|--:|--:|")
    near = True
    for w, ms in found:
        (rows, step), predicted = predict(lattn_opt, w)
        ratio = predicted / ms
        near &= abs(ratio - 1) <= MOST
        print(f"| {w.name} | {rows} x {step} | {ms:.3f} | {predicted:.3f} | "
              f"{ratio:.2f} |")
    return near


def compare_backward(lattn_opt, lines):
    measured = dict(read_backward(lines))
    others = dict.fromkeys(by for _, by in measured if by != "lattn")
    head = ["backward", "predicted, ms", "TFLOP/s", "lattn, ms",
            *(f"{by}, ms" for by in others)]
    print(f"\n| {' | '.join(head)} |\n|---|{'--:|' * (len(head) - 1)}")
    for name, w in GRADIENTS.items():
        _, ms = predict(lattn_opt, w)
        rate = count_flops(w) / ms / 1e9
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
    lines = read_lines(arguments.results)
    found = list(read_forward(lines))
    if not found:
        parser.error("results: no kernel with the compiler's tiles was timed")
    if arguments.gradients:
        lines += read_lines(arguments.gradients)
    near = compare_forward(arguments.lattn_opt, found)
    compare_backward(arguments.lattn_opt, lines)
    return 0 if near else 1


if __name__ == "__main__":
    sys.exit(main())
