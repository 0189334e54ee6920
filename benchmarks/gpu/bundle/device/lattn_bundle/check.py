"""Every kernel on every size to check, against a reference in f64."""

from . import cases
from .kernel import Kernel
from .progress import Progress


def check_kernel(driver, entry, checks, family, arrays_of, expected):
    """{"id", "worst" in tolerances, "wrong": [sizes]}; `expected` keeps what was
    computed for the family."""
    kernel = Kernel(driver, entry)
    result = {"id": entry["id"], "worst": 0.0, "wrong": []}
    for number, sizes in enumerate(checks):
        case = cases.make(family, sizes)
        arrays = arrays_of(driver, case, seed=number)
        key = entry["family"], number
        if key not in expected:
            expected[key] = arrays.expected()
        error = arrays.difference(arrays.run(kernel), expected[key],
                                  cases.TOLERANCES[case.dtype])
        arrays.free()
        result["worst"] = max(result["worst"], error)
        if not error <= 1:
            result["wrong"].append({**sizes, "error": error})
    kernel.close()
    return result


def check_all(driver, manifest, kernels, arrays_of, checks=None):
    checks = manifest["checks"] if checks is None else checks
    progress = Progress("checking", len(kernels))
    expected, results = {}, []
    for entry in kernels:
        results.append(check_kernel(driver, entry, checks,
                                    manifest["families"][entry["family"]],
                                    arrays_of, expected))
        progress.step(entry["id"])
    return results
