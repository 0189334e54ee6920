"""Gradients of attention for GPUs in the PTX emulator against f64:
run_gradients.py LATTN_COMPILE --seed S --cases N [--chip sm_80]
run_gradients.py LATTN_COMPILE --combined

Exit code 1 where a case is wrong; `run_gradients.py ... --seed S --cases 1` repeats
it.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

import cases
import gradients
import kernels
import numpy as np


def check(case, seed, arguments, options=""):
    """The errors of a case whose arrays are filled, in tolerances, and whether
    kernels with tensor maps ran."""
    ptx, function = kernels.compile_case(
        gradients.text(case), arguments.lattn_compile, arguments.chip, options)
    case.arrays["o"].flags.writeable = False
    ran = kernels.run_case(case, ptx, function, seed)
    maps = bool(kernels.with_tensor_maps(function).intersection(ran))
    errors = {}
    for name, element, expected in gradients.outputs(case):
        got = case.arrays[name]
        if element != "f32":
            got = cases.PAIRS[element][1](got)
        errors[name] = gradients.compare(got.astype(np.float64), *expected)
    return errors, case, maps


def run_generated(seed, arguments):
    rng = np.random.default_rng(seed)
    case = gradients.generate(rng)
    options = ""
    if arguments.chip == "sm_90a":
        gradients.align(case, rng)
        options = gradients.get_options(case, rng)
    gradients.fill(case, rng)
    return check(case, seed, arguments, options)


def run_combined(number, arguments):
    case = list(gradients.combine())[number]
    gradients.fill(case, np.random.default_rng(number), fewest_keys=130)
    return check(case, number, arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--combined", action="store_true",
                        help="each set of what hides keys, instead of random cases")
    parser.add_argument("--chip", default="sm_80")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.cases)
    run = run_generated
    if arguments.combined:
        seeds, run = range(len(list(gradients.combine()))), run_combined
    worst, wrong, mapped = 0, 0, 0
    with ThreadPoolExecutor(2) as pool:
        for seed, (errors, case, maps) in zip(
                seeds, pool.map(lambda s: run(s, arguments), seeds)):
            worst = max(worst, *errors.values())
            mapped += maps
            if not max(errors.values()) <= 1:
                wrong += 1
                text = ", ".join(f"{n} {e:.2f}" for n, e in errors.items())
                print(f"seed {seed}: {text} tolerances: {case}")
    print(f"{len(seeds)} cases, {wrong} wrong, at worst {worst:.2f} tolerances, "
          f"{mapped} with tensor maps")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
