"""Attention kernels for GPUs in the PTX emulator against f64:
run.py LATTN_COMPILE --seed S --cases N [--chip sm_80] [--extreme]

Exit code 1 where a case is wrong; `run.py ... --seed S --cases 1` repeats it.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

import cases
import extremes
import kernels
import numpy as np
import oracle


def run(seed, arguments):
    rng = np.random.default_rng(seed)
    case = cases.generate(rng)
    if arguments.chip == "sm_90a":
        cases.align(case, rng)
    if arguments.extreme:
        extremes.choose(case, rng)
    arrays = cases.fill(case, rng)
    if arguments.extreme:
        extremes.fill(case, rng)
    text = cases.text(case)
    ptx, function = kernels.compile_case(
        text, arguments.lattn_compile, arguments.chip,
        f"parts={case.parts} multiprocessors={case.multiprocessors}")
    with np.errstate(invalid="ignore", over="ignore"):  # on purpose
        output, lse = oracle.attention(case)
    launched = kernels.run_case(case, ptx, function, seed)
    got = cases.PAIRS[case.element][1](arrays["o"]).astype(np.float64)
    if case.layout == "bnhd":
        got = got.transpose(0, 2, 1, 3)
    errors = [cases.difference(got, output, cases.OUTPUT[case.element])]
    if case.lse:
        errors.append(cases.difference(arrays["lse"], lse, cases.LSE))
    return max(errors), case, launched, kernels.with_tensor_maps(function)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--extreme", action="store_true",
                        help="scores from 1e4 to 3e38")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.cases)
    worst, wrong, split, mapped = 0, 0, 0, 0
    with ThreadPoolExecutor(2) as pool:
        for seed, (error, case, launched, maps) in zip(
                seeds, pool.map(lambda s: run(s, arguments), seeds)):
            worst = max(worst, error)
            split += len(launched) > 1
            mapped += any(kernel in maps for kernel in launched)
            if not error <= 1:
                wrong += 1
                print(f"seed {seed}: {error:.2f} tolerances: {case}")
    print(f"{arguments.cases} cases, {wrong} wrong, {split} split, {mapped} by "
          f"tensor maps, at worst {worst:.2f} tolerances")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
