"""emulate.py BUNDLE [--break WHAT]: the bundle's kernels in the emulator, launched
by the manifest alone, against its own reference. --break shows that it can fail."""

import pathlib
import sys

import numpy as np
import ptxemu

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))

from lattn_bundle import cases, manifest, of_numpy  # noqa: E402
from lattn_bundle.record import Array, Call  # noqa: E402


def make_argument(kind, value, call):
    if kind != "tensor_map":
        return value
    data = call.values[value.array].data
    strides = [data.itemsize, *value.strides]
    view = np.ndarray(value.sizes[::-1], data.dtype, data, value.offset,
                      strides[::-1])
    return ptxemu.TensorMap(view, value.box[::-1], swizzle=value.swizzle)


def run(entry, ptx, host):
    """Launches it on the case's arrays."""
    call = Call(entry["function"],
                {name: Array(host.bits[name][host.case.skew:], shape, host.case.strides(shape))
                 for name, shape in host.case.shapes().items()})
    for name, size in call.buffers():
        call.add(name, Array(np.zeros(size, np.uint8), (), ()))
    count = 0
    for launch in call.launches():
        module = ptxemu.load(ptx)
        module.launch(launch.kernel, grid=launch.grid, block=launch.block,
                      args=[make_argument(*p, call)
                            for p in launch.parameters],
                      shared=launch.shared)
        count += 1
    return count


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
        worst, launches = 0, 0
        for number, sizes in enumerate(everything["checks"]):
            host = of_numpy.Case(
                cases.make(everything["families"][entry["family"]], sizes), number)
            try:
                launches += run(entry, ptx, host)
            except (ptxemu.Fault, ptxemu.Race) as problem:
                print(f"  {type(problem).__name__}")
                worst = float("inf")
                break
            error = host.difference(host.values("out"), host.expected(),
                                    cases.TOLERANCES[host.case.dtype])
            worst = max(worst, error)
        print(f"{entry['id']}: {launches} launches, "
              f"{'right' if worst <= 1 else 'WRONG'}, {worst:.2f} tolerances")
        failed |= not worst <= 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
