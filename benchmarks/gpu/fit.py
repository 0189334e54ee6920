#!/usr/bin/env python
"""Fits the constants of the warpgroups' cost model (WarpgroupCost.cpp) to results of
the bundle: the times of all tile sizes that a run tried once ("try" of results.jsonl).

Only ratios of times of one workload in one run count, because clocks differ. It
prints the constants that fit best, and for these and for the compiler's what the
model would choose of the tiles that were timed, and how much slower than the
fastest of them that was. For each workload it also prints the choice of constants
that are fitted without the workload.
"""

import argparse
import json
import pathlib
import re
import sys

import numpy as np

try:
    from scipy.optimize import least_squares
except ImportError:  # predict.py needs the model alone
    least_squares = None

# The compiler's, in the order of NAMES.
KEPT = (300, 10, 15, 4000, 8)
NAMES = ("cycles to start a step's products", "cycles a key of softmax",
         "cycles a key of masks", "cycles of a tile of queries", "sharpness")
FROM, TO = (0, 1, 0, 0, 1), (600, 40, 60, 20000, 40)
SHARED = 233472            # bytes of a multiprocessor
BESIDE = 2080              # bytes of a block beside its tiles


def count_steps(length, left, right, query, key):
    """The full steps, the masked ones, and the tiles of one head."""
    full = edge = 0
    for begin in range(0, length, query):
        last = min(length, begin + query) - 1
        first_key = 0 if left is None else max(0, begin - left)
        end_key = length if right is None else min(length, last + right + 1)
        # All queries of the tile see the keys between.
        seen = 0 if left is None else max(0, last - left)
        unseen = length if right is None else min(length, begin + right + 1)
        steps = -(-(end_key - first_key) // key)
        inner = max(0, (unseen - first_key) // key - -(-(seen - first_key) // key))
        full += inner
        edge += steps - inner
    return full, edge, -(-length // query)


def read(path):
    """Rows of (workload, tile, time, what the model takes)."""
    pattern = (r"d(?P<size>\d+)-l(?P<left>\w+)-r(?P<right>\w+)-\w+\."
               r"qt(?P<query>\d+)-kt(?P<key>\d+)-w(?P<warps>\d+)(-s2)?\.sm_90a")
    rows = []
    for line in map(json.loads, path.read_text().splitlines()):
        found = re.match(pattern, line.get("kernel", ""))
        if line.get("kind") != "try" or "median_ms" not in line or not found:
            continue
        size, query, key = (int(found[n]) for n in ("size", "query", "key"))
        if query == 192 and (size > 64 or key > 128):
            continue  # the compiler does not take it, because of its registers
        left, right = (None if found[n] == "x" else int(found[n])
                       for n in ("left", "right"))
        length = find_length(line["workload"])
        steps = count_steps(length, left, right, query, key)
        groups = query // 64
        shared = query * size * 2 + 2 * key * size * 4 + BESIDE
        together = min(2 if groups == 1 else 1, SHARED // shared)
        rows.append((f"{path.stem}: {line['workload']}", (query, key),
                     line["median_ms"], (size, key, groups, together, *steps)))
    return rows


def find_length(workload):
    number, thousands = re.search(r" (\d+)(k?)( |$)", re.sub(
        r"(left|around|GQA) \S+", "", workload)).group(1, 2)
    return int(number) * (1024 if thousands else 1)


def predict(constants, size, key, groups, together, full, edge, tiles):
    start, softmax, mask, tile, sharpness = constants
    products = 64 * key * 2 * size / 2048 + start

    def step(of_key):
        chain, count = of_key * key, groups * together
        if count == 1:
            cycles = max(products, products / 2 + chain)
        else:
            cycles = (products**sharpness + ((products + chain) / count)
                      **sharpness)**(1 / sharpness)
        return max(groups * cycles, key * size * 4 / 40)
    return (full * step(softmax) + edge * step(softmax + mask)
            + tiles * tile / together)


def find_residuals(constants, rows):
    found = []
    for name in {row[0] for row in rows}:
        logs = [np.log(predict(constants, *row[3]) / row[2])
                for row in rows if row[0] == name]
        found.extend(np.array(logs) - np.mean(logs))
    return found


def fit(rows):
    return least_squares(find_residuals, KEPT, bounds=(FROM, TO), args=(rows,),
                         x_scale=(100, 10, 10, 1000, 5)).x


def choose(constants, rows, name):
    """The tile that the model takes, and its time over the least."""
    rows = [row for row in rows if row[0] == name]
    chosen = min(rows, key=lambda row: predict(constants, *row[3]))
    return chosen[1], chosen[2] / min(row[2] for row in rows)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, nargs="+",
                        help="results.jsonl of runs of kernels of sm_90a")
    arguments = parser.parse_args()
    if not least_squares:
        sys.exit("fit.py: scipy is not installed: .venv/bin/pip install -r "
                 "scripts/requirements-benchmarks.txt")
    rows = [row for path in arguments.results for row in read(path)]
    if not rows:
        parser.error("results: no kernel of sm_90a with given tile sizes was timed")
    best = fit(rows)
    print(f"{len(rows)} kernels")
    for name, kept, value in zip(NAMES, KEPT, best):
        print(f"{name}: {value:.4g} (the compiler has {kept:g})")
    for title, constants in (("the compiler", KEPT), ("the fit", best)):
        spread = np.sqrt(np.mean(np.square(find_residuals(constants, rows))))
        print(f"{title}: times differ from the model's by {100 * spread:.1f} %")
    print("\n| workload | the compiler | the fit | a fit without it |\n"
          "|---|---|---|---|")
    for name in dict.fromkeys(row[0] for row in rows):
        others = [row for row in rows
                  if row[0].split(": ")[1] != name.split(": ")[1]]
        cells = []
        for constants in (KEPT, best, fit(others) if others else None):
            if constants is None:
                cells.append("")
                continue
            (query, key), ratio = choose(constants, rows, name)
            cells.append(f"{query} x {key}, {100 * (ratio - 1):.1f} % slower")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
