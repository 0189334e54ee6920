"""emulate.py BUNDLE [--break WHAT]: the bundle's kernels in the emulator, launched
by the manifest alone, against its own reference. --break shows that it can fail."""

import pathlib
import sys

import numpy as np
import ptxemu

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))

import kernels  # noqa: E402
from lattn_bundle import cases, manifest, of_numpy  # noqa: E402


def run(entry, ptx, host):
    """Launches it on the case's arrays; how often, and how often with tensor maps."""
    function = entry["function"]
    ran, _ = kernels.run_arrays([host.view(a["name"]) for a in function["arguments"]],
                                ptx, function, seed=0)
    return np.array([len(ran), len(kernels.with_tensor_maps(function) & set(ran))])


def break_record(what, entry):
    for launch in entry["function"]["launches"]:
        parameters = launch["parameters"]
        if what == "strides":  # of heads and positions of k
            at = 11 + 3 + 4 + 1
            parameters[at], parameters[at + 1] = parameters[at + 1], parameters[at]
        elif what == "grid":
            launch["grid"][0] = ["-", launch["grid"][0], 1]


def main():
    everything, failed = manifest.read(folder), False
    for entry in everything["kernels"]:
        if len(sys.argv) > 3:
            break_record(sys.argv[3], entry)
        ptx = manifest.load(entry["ptx"], folder).decode()
        for code in entry["code"]:
            manifest.load(code, folder)
        worst, launches = 0, np.zeros(2, int)
        for number, sizes in enumerate(everything["checks"]):
            host = of_numpy.Case(
                cases.make(everything["families"][entry["family"]], sizes), number)
            try:
                launches += run(entry, ptx, host)
            except (ptxemu.Fault, ptxemu.Race) as problem:
                print(f"  {type(problem).__name__}")
                worst = float("inf")
                break
            worst = max(worst, host.error())
        print(f"{entry['id']}: {launches[0]} launches, {launches[1]} with maps, "
              f"{'right' if worst <= 1 else 'WRONG'}, {worst:.2f} tolerances")
        failed |= not worst <= 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
