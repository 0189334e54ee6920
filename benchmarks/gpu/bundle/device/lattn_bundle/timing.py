"""Times every kernel of a workload, then the best beside the others."""

import torch

from . import cases, measure, peers
from .kernel import Kernel
from .of_torch import Arrays, attend
from .progress import Progress
from .report import CEILING


def tune(driver, entries, arrays, case, rounds, flush):
    """{id: what was measured}, and the best kernel's entry."""
    kernels = {e["id"]: Kernel(driver, e) for e in entries}
    runs = {name: arrays.prepare(kernel) for name, kernel in kernels.items()}
    times = measure.take_turns(runs, rounds, flush)
    measured = {name: measure.summarise(t, case.flops())
                for name, t in times.items()}
    for kernel in kernels.values():
        kernel.close()
    best = min(entries, key=lambda e: measured[e["id"]]["median_ms"])
    return measured, best


def check_output(case, arrays):
    """The largest error at the full size, in tolerances."""
    want = attend(case, *(arrays.tensors[name] for name in "qkv"))
    return arrays.difference(arrays.tensors["out"], want,
                             cases.TOLERANCES[case.dtype])


def time_workload(driver, manifest, workload, kernels, rounds, flush):
    family = manifest["families"][workload["family"]]
    case = cases.make(family, workload)
    entries = [k for k in kernels if k["family"] == workload["family"]]
    arrays = Arrays(driver, case)
    result = {"workload": workload, "flops": case.flops()}
    result["tuning"], best = tune(driver, entries, arrays, case,
                                  max(3, rounds // 3), flush)
    result["best"] = {"id": best["id"], "options": best["options"]}
    kernel = Kernel(driver, best)
    arrays.run(kernel)
    result["error"] = check_output(case, arrays)
    q, k, v = (arrays.tensors[name] for name in "qkv")
    runs, result["missing"] = peers.make_all(case, q, k, v)
    ceiling, ceiling_flops = peers.matmul()
    runs = {"lattn": arrays.prepare(kernel), **runs, CEILING: ceiling}
    times = measure.take_turns(runs, rounds, flush)
    result["times"] = {
        name: measure.summarise(t, ceiling_flops if name == CEILING
                                else case.flops())
        for name, t in times.items()}
    kernel.close()
    arrays.free()
    return result


def time_all(driver, manifest, kernels, rounds, only=()):
    flush, results = measure.Flush(), []
    workloads = [w for w in manifest["workloads"]
                 if not only or w["name"] in only]
    workloads = [w for w in workloads
                 if any(k["family"] == w["family"] for k in kernels)]
    progress = Progress("timing", len(workloads))
    for workload in workloads:
        with torch.no_grad():
            results.append(time_workload(driver, manifest, workload, kernels,
                                         rounds, flush))
        torch.cuda.empty_cache()
        progress.step(workload["name"])
    return results
