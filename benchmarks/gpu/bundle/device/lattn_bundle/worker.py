"""The process in which jobs run: reads a line of JSON a job, answers with one.

    python -m lattn_bundle.worker [--device N] [--arrays torch|numpy] [--once JOB]
"""

import argparse
import ctypes
import json
import os
import signal
import sys


def parse():
    parser = argparse.ArgumentParser(prog="worker", description=__doc__)
    parser.add_argument("--device", type=int, default=0)
    parser.add_argument("--arrays", choices=("torch", "numpy"), default="torch")
    parser.add_argument("--once", metavar="JOB")
    return parser.parse_args()


def die_with_parent():
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def take_output():
    """The stream for answers of this process. All other output goes to stderr."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return answers


def make_jobs(arguments):
    from . import jobs, manifest
    from .driver import Driver
    from .errors import BundleError
    driver = Driver(arguments.device)
    if arguments.arrays == "torch":
        try:
            import torch
        except ImportError as error:
            raise BundleError(f"torch is not installed ({error}): --arrays=numpy "
                              "checks and times lattn's kernels alone") from None
        if not torch.cuda.is_available():
            raise BundleError(f"torch {torch.__version__} finds no GPU: is it "
                              "built with CUDA?")
        torch.cuda.set_device(arguments.device)
        torch.set_grad_enabled(False)
    return jobs.Jobs(driver, manifest.read(), arguments.arrays == "torch")


def main(arguments=None):
    arguments = arguments or parse()
    answers = take_output()

    def answer(value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    from .errors import BundleError
    from .jobs import perform
    try:
        jobs = make_jobs(arguments)
    except BundleError as error:
        answer({"failed": str(error)})
        return 1
    if arguments.once:
        result, _ = perform(jobs, json.loads(arguments.once))
        answer(result)
        return 0 if result["status"] == "ok" else 1
    driver = jobs.driver
    answer({"gpu": driver.name, "major": driver.major, "minor": driver.minor,
            "version": driver.version()})
    for line in sys.stdin:
        result, goes_on = perform(jobs, json.loads(line))
        answer(result)
        if not goes_on:
            os._exit(3)       # whatever state the driver is in
    return 0


if __name__ == "__main__":
    die_with_parent()
    sys.exit(main())
