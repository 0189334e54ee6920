"""What a worker does, by kind of job; each returns what is added to its result.

A job has "kind" and, where it needs them, "kernel" and "workload" (names in the
manifest) and "pairs".
"""

import os
import platform
import sys

from . import cases, clock
from .errors import BundleError
from .kernel import Kernel

# Attributes of a device: see CUdevice_attribute.
FACTS = {"multiprocessors": 16, "clock_khz": 13, "memory_clock_khz": 36,
         "memory_bus_bits": 37, "l2_bytes": 38, "shared_bytes_of_block": 97}
SKEW_SEED = 1000


def describe_torch():
    import torch
    try:
        cudnn = torch.backends.cudnn.version()
    except Exception as error:  # whatever a library raises
        cudnn = f"{type(error).__name__}: {error}"
    return {"torch": torch.__version__, "cudnn": cudnn}


class Missing(Exception):
    """Why a job cannot be done on this machine."""


class Jobs:
    def __init__(self, driver, manifest, uses_torch):
        self.driver, self.manifest, self.uses_torch = driver, manifest, uses_torch
        if uses_torch:
            from . import of_torch as arrays
        else:
            from . import of_numpy as arrays
        self.arrays = arrays.Arrays
        self.kernels = {k["id"]: k for k in manifest["kernels"]}
        self.workloads = {w["name"]: w for w in manifest["workloads"]}

    def run(self, job):
        return getattr(self, "do_" + job["kind"])(job)

    # ---- The machine -------------------------------------------------------

    def do_machine(self, job):
        driver, version = self.driver, self.driver.version()
        facts = {"gpu": driver.name, "chip": f"sm_{driver.major}{driver.minor}",
                 "driver": f"CUDA {version // 1000}.{version % 1000 // 10}",
                 **{name: driver.attribute(number)
                    for name, number in FACTS.items()},
                 "cores": os.cpu_count(), "kernel": platform.release(),
                 "python": platform.python_version()}
        if self.uses_torch:
            facts |= describe_torch()
        return {"facts": facts}

    def need_torch(self):
        if not self.uses_torch:
            raise Missing("torch is not used (--arrays=numpy)")
        from . import peers
        return peers

    def do_matmul(self, job):
        run, flops = self.need_torch().matmul()
        time = clock.measure(self.driver, run)
        return time | {"tflops": flops / time["median_ms"] / 1e9}

    def do_copy(self, job):
        run, size = self.need_torch().copy()
        time = clock.measure(self.driver, run)
        return time | {"gb_per_s": size / time["median_ms"] / 1e6}

    # ---- Kernels -----------------------------------------------------------

    def make_case(self, entry, sizes):
        return cases.make(self.manifest["families"][entry["family"]], sizes)

    def check(self, kernel, entry, sizes, seed, times=1):
        """(error in tolerances, whether all runs gave equal bits)"""
        case = self.make_case(entry, sizes)
        arrays = self.arrays(self.driver, case, seed)
        launch = arrays.prepare(kernel)
        first = arrays.run(launch)
        equal = all([arrays.same(first, arrays.run(launch))
                     for _ in range(times - 1)])
        error = self.get_error(arrays)
        arrays.free()
        return error, equal

    @staticmethod
    def get_error(arrays):
        """Of the last run, in tolerances; a number that JSON has, also where there is
        NaN."""
        return min(arrays.error(), 1e30)

    def check_sizes(self, kernel, entry, checks):
        errors = [self.check(kernel, entry, sizes, seed)[0]
                  for seed, sizes in enumerate(checks)]
        wrong = [{**sizes, "error": error} for sizes, error in zip(checks, errors)
                 if not error <= 1]
        return {"worst": max(errors), "wrong": wrong}

    def smallest(self):
        return min(self.manifest["checks"],
                   key=lambda c: c["B"] * c["H"] * c["N"] * c["M"])

    def do_check(self, job):
        entry = self.kernels[job["kernel"]]
        return self.check_sizes(Kernel(self.driver, entry), entry,
                                self.manifest["checks"])

    def do_check_smallest(self, job):
        entry = self.kernels[job["kernel"]]
        return self.check_sizes(Kernel(self.driver, entry), entry,
                                [self.smallest()])

    def do_ragged(self, job):
        entry, sizes = self.kernels[job["kernel"]], self.manifest["ragged"]
        error, equal = self.check(Kernel(self.driver, entry), entry, sizes,
                                  SKEW_SEED, times=3)
        wrong = [] if error <= 1 else [{**sizes, "error": error}]
        if not equal:
            wrong.append({**sizes, "error": "three runs gave different bits"})
        return {"worst": error, "equal_bits": equal, "wrong": wrong}

    def do_time(self, job):
        """With "check": whether the output of the workload itself is right."""
        entry = self.kernels[job["kernel"]]
        case = self.make_case(entry, self.workloads[job["workload"]])
        arrays = self.arrays(self.driver, case)
        launch = arrays.prepare(Kernel(self.driver, entry))
        result = self.describe(clock.measure(
            self.driver, launch, job.get("pairs", clock.PAIRS)), case)
        if predicted := entry["predicted"].get(job["workload"]):
            result["predicted_tflops"] = case.flops() / predicted / 1e9
        if job.get("check") and self.uses_torch:
            arrays.run(launch)
            error = self.get_error(arrays)
            result |= {"worst": error, "wrong": [] if error <= 1 else [
                {"workload": job["workload"], "error": error}]}
        arrays.free()
        return result

    def do_try(self, job):
        """A quick check, then a quick time."""
        result = self.do_check_smallest(job)
        return result if result["wrong"] else result | self.do_time(job)

    def do_launch(self, job):
        """For a profiler."""
        entry = self.kernels[job["kernel"]]
        case = self.make_case(entry, self.workloads[job["workload"]])
        arrays = self.arrays(self.driver, case)
        arrays.run(arrays.prepare(Kernel(self.driver, entry)))
        return {}

    @staticmethod
    def describe(time, case):
        return time | {"tflops": case.flops() / time["median_ms"] / 1e9}

    # ---- Others ------------------------------------------------------------

    def do_peer(self, job):
        peers, workload = self.need_torch(), self.workloads[job["workload"]]
        case = self.make_case(workload, workload)
        arrays = self.arrays(self.driver, case)
        try:
            run = peers.make(job["peer"], case, arrays.tensors)
            run()
            self.driver.synchronize()
        except BundleError:
            raise
        except Exception as error:  # whatever a library raises
            text = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            self.driver.synchronize()  # fails where it broke the context
            raise Missing(text) from None
        time = clock.measure(self.driver, run)
        arrays.free()
        return self.describe(time, case)


def perform(jobs, job):
    """(result, whether this process can go on)"""
    try:
        result = jobs.run(job)
    except Missing as why:
        return {"status": "missing", "reason": str(why)}, True
    except BundleError as error:
        return {"status": "error", "reason": str(error)}, False
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        print(text, file=sys.stderr, flush=True)
        return {"status": "error", "reason": text[:400]}, False
    wrong = bool(result.get("wrong"))
    return {"status": "wrong" if wrong else "ok", **result}, not wrong
