#!/usr/bin/env python3
"""Checks and times lattn's attention kernels on this machine's GPU.

Needs the driver, and torch (for checks alone NumPy will do: --arrays=numpy).
Writes results.json and results.md. Exit code 1 where a kernel is wrong.
"""

import argparse
import importlib.util
import json
import pathlib
import sys

from lattn_bundle import manifest, report, sanitize
from lattn_bundle.driver import Driver
from lattn_bundle.errors import BundleError

STEPS = ("check", "sanitize", "time")


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", metavar="A,B", default=",".join(STEPS),
                        help=f"any of: {', '.join(STEPS)} (all)")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path,
                        default=pathlib.Path("."), help="for results (.)")
    parser.add_argument("--rounds", metavar="N", type=int, default=15,
                        help="of timing, by turns (15)")
    parser.add_argument("--only", metavar="WORKLOAD", action="append", default=[],
                        help="time this one; may be repeated")
    parser.add_argument("--kernel", metavar="ID", action="append", default=[],
                        help="this kernel alone; may be repeated")
    parser.add_argument("--arrays", choices=("torch", "numpy"), default="torch",
                        help="whose arrays checks use (torch)")
    parser.add_argument("--smallest", action="store_true",
                        help="check the smallest size alone")
    parser.add_argument("--device", metavar="N", type=int, default=0)
    parser.add_argument("--no-results", action="store_true",
                        help="write no files")
    arguments = parser.parse_args()
    arguments.steps = arguments.steps.split(",")
    for step in arguments.steps:
        if step not in STEPS:
            parser.error(f"--steps: expected any of {', '.join(STEPS)}, got "
                         f"{step!r}")
    if arguments.rounds < 1:
        parser.error(f"--rounds: expected a number >= 1, got {arguments.rounds}")
    return arguments


def need(module, why):
    if importlib.util.find_spec(module) is None:
        raise BundleError(f"{module} is not installed: {why}")


def choose_kernels(arguments, everything, driver):
    kernels = manifest.choose(everything, driver.major, driver.minor)
    known = {k["id"] for k in kernels}
    for name in arguments.kernel:
        if name not in known:
            raise BundleError(f"--kernel: this GPU runs no kernel {name!r}")
    known = {w["name"] for w in everything["workloads"]}
    for name in arguments.only:
        if name not in known:
            raise BundleError(f"--only: expected one of {', '.join(known)}, got "
                              f"{name!r}")
    return [k for k in kernels
            if not arguments.kernel or k["id"] in arguments.kernel]


def check(arguments, everything, kernels, driver, results):
    from lattn_bundle.check import check_all
    if arguments.arrays == "numpy":
        from lattn_bundle.of_numpy import Arrays
    else:
        from lattn_bundle.of_torch import Arrays
    checks = everything["checks"]
    if arguments.smallest:
        checks = [min(checks, key=lambda c: c["B"] * c["H"] * c["N"] * c["M"])]
    results["check_sizes"] = len(checks)
    results["checks"] = check_all(driver, everything, kernels, Arrays, checks)
    wrong = [r for r in results["checks"] if r["wrong"]]
    for result in wrong:
        print(f"WRONG: {result['id']}: {result['wrong'][0]}")
    print(f"{len(kernels)} kernels on {len(checks)} sizes: {len(wrong)} wrong, at "
          f"worst {max(r['worst'] for r in results['checks']):.2f} tolerances")
    return not wrong


def describe_machine(driver, uses_torch):
    version = driver.version()
    machine = {"gpu": driver.name, "chip": f"sm_{driver.major}{driver.minor}",
               "driver": f"CUDA {version // 1000}.{version % 1000 // 10}",
               "python": sys.version.split()[0]}
    if uses_torch:
        import torch
        machine["torch"] = torch.__version__
    return machine


def one_of_each(kernels):
    """A kernel a family: enough for slow tools."""
    return list({k["family"]: k for k in kernels}.values())


def run(arguments):
    everything = manifest.read()
    uses_torch = "time" in arguments.steps or (
        "check" in arguments.steps and arguments.arrays == "torch")
    driver = Driver(arguments.device)
    kernels = choose_kernels(arguments, everything, driver)
    if uses_torch:
        need("torch", "--steps=check --arrays=numpy needs NumPy alone")
        import torch
        if not torch.cuda.is_available():
            raise BundleError(f"torch {torch.__version__} finds no GPU: is it "
                              "built with CUDA?")
        torch.cuda.set_device(arguments.device)
    else:
        need("numpy", "checks need it, or torch")
    results, right = {"machine": describe_machine(driver, uses_torch)}, True
    if "check" in arguments.steps:
        right &= check(arguments, everything, kernels, driver, results)
    if "sanitize" in arguments.steps:
        results["sanitizer"] = sanitize.run_all(one_of_each(kernels))
        right &= all(r["clean"] for r in results["sanitizer"] or [])
        if results["sanitizer"] is None:
            print("compute-sanitizer is not installed")
    if "time" in arguments.steps:
        from lattn_bundle.timing import time_all
        results["workloads"] = time_all(driver, everything, kernels,
                                        arguments.rounds, arguments.only)
        right &= all(r["error"] <= 1 for r in results["workloads"])
    text = report.write(results)
    if not arguments.no_results:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "results.json").write_text(json.dumps(results, indent=1))
        (arguments.out / "results.md").write_text(text)
        print(text)
    return 0 if right else 1


if __name__ == "__main__":
    try:
        sys.exit(run(parse()))
    except (BundleError, OSError) as error:
        sys.exit(f"run.py: error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
