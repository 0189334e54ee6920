#!/usr/bin/env python3
"""Runs the stored cases of this folder on this machine's GPU, each twice, which
must give equal bits, and compares them with what is expected.

Each result is a line of --out. Cases run in a process of their own, which is
replaced if a kernel breaks the driver's context or hangs. Exit code 1 if a case is
wrong or fails.

Around `run.py --child`, compute-sanitizer checks the kernels.
"""

import argparse
import dataclasses
import json
import lzma
import pathlib
import re
import select
import subprocess
import sys
import time

import cases
import extremes
import gradients
import numpy as np
import oracle
from lattn_bundle import driver as cuda
from lattn_bundle.errors import BundleError
from lattn_bundle.kernel import Kernel
from lattn_bundle.of_numpy import from_bits
from lattn_bundle.record import Array

FOLDER = pathlib.Path(__file__).parent
NO_GPU, BROKEN = 1, 3  # exit codes of the child
LIMIT = 60  # seconds for a case; the first one starts the driver


class Stored(Kernel):
    """A case's kernels."""

    def __init__(self, driver, line, code):
        self.driver, self.entry = driver, line | {"id": line["name"]}
        self.module, self.functions = driver.load(code), {}


@dataclasses.dataclass
class Output:
    source: object        # the name of an argument or the number of a result
    element: str
    want: np.ndarray
    tolerance: float
    rest: list | tuple = ()  # what gradients.compare takes behind what is expected

    def compare(self, bits):
        """The largest error, in tolerances."""
        got = bits if self.element == "f32" else from_bits(bits, self.element)
        got = got.astype(np.float64).reshape(self.want.shape)
        if not self.rest:
            return float(cases.difference(got, self.want, self.tolerance))
        return float(gradients.compare(got, self.want, *self.rest))


def fill_attention(line):
    """(arrays by name, elements before the first of each, outputs)"""
    case = cases.Case(**line["case"])
    rng = np.random.default_rng(line["seed"])
    filled = cases.fill(case, rng)
    if case.extreme:
        extremes.fill(case, rng)
    names = dict(zip(filled, (a["name"] for a in line["function"]["arguments"]),
                     strict=True))
    arrays = {names[n]: np.asarray(a, order="C") for n, a in filled.items()}
    with np.errstate(invalid="ignore", over="ignore"):  # on purpose
        output, lse = oracle.attention(case)
    if case.layout == "bnhd":
        output = output.transpose(0, 2, 1, 3)
    outputs = [Output(names["o"], case.element, output,
                      cases.OUTPUT[case.element])]
    if case.lse:
        outputs.append(Output(names["lse"], "f32", lse, cases.LSE))
    return arrays, {names[n]: case.skew for n in "qkvo"}, outputs


def fill_gradients(line):
    """The same of gradients."""
    case = cases.Case(**line["gradients"])
    filled = gradients.fill(case, np.random.default_rng(line["seed"]))
    names = dict(zip(filled, (a["name"] for a in line["function"]["arguments"]),
                     strict=True))
    arrays = {names[n]: np.asarray(a, order="C") for n, a in filled.items()}
    outputs = [Output(names[name], element, want, 0, rest)
               for name, element, (want, *rest) in gradients.outputs(case)]
    return arrays, {names[n]: case.skew for n in "qkvo"}, outputs


def load_arrays(line, folder):
    """The same of a composite operation."""
    with np.load(folder / "arrays.npz") as stored:
        arrays = {a["name"]: stored[f"arr_{i}"]
                  for i, a in enumerate(line["function"]["arguments"])}
        outputs = [Output(0, "f16", stored["want"], line["tolerance"])]
    return arrays, {}, outputs


class Run:
    """A case's arrays on the GPU."""

    def __init__(self, driver, function, arrays, skews):
        self.driver, self.function = driver, function
        self.memories, self.values = [], {}
        for name, array in arrays.items():
            size = array.itemsize
            skew = size * skews.get(name, 0)
            address = self.allocate(skew + array.nbytes,
                                    bytes(skew) + array.tobytes())
            self.values[name] = Array(address + skew, array.shape,
                                      tuple(s // size for s in array.strides))

    def allocate(self, size, data=None):
        """Memory with this data, or of NaN."""
        memory = cuda.Memory(self.driver, size)
        self.memories.append(memory)
        data = np.frombuffer(data or b"\xff" * size, np.uint8)
        if size:
            memory.copy_in(data.ctypes.data)
        return memory.address

    def free(self):
        for memory in self.memories:
            memory.free()

    def read(self, address, count, dtype):
        found = next(m for m in self.memories
                     if m.address <= address < m.address + max(m.size, 1))
        host = np.empty(found.size, np.uint8)
        if found.size:
            found.copy_out(host.ctypes.data)
        start = address - found.address
        return host[start:start + count * np.dtype(dtype).itemsize].view(dtype)

    def launch(self, kernel, outputs):
        """The outputs' bits."""
        run = kernel.prepare(self.values, self.allocate)
        run()
        self.driver.synchronize()
        results = list(run.call.results().values())
        bits = []
        for output in outputs:
            array = (self.values[output.source] if isinstance(output.source, str)
                     else results[output.source])
            dtype = np.float32 if output.element == "f32" else np.uint16
            bits.append(self.read(array.data, output.want.size, dtype))
        return bits


def run_case(driver, line, folder):
    """A result."""
    if "gradients" in line:
        arrays, skews, outputs = fill_gradients(line)
    elif "case" in line:
        arrays, skews, outputs = fill_attention(line)
    else:
        arrays, skews, outputs = load_arrays(line, folder)
    kernel = Stored(driver, line,
                    lzma.decompress((folder / "code.xz").read_bytes()))
    run = Run(driver, line["function"], arrays, skews)
    first, second = (run.launch(kernel, outputs) for _ in range(2))
    worst = 0.0
    for bits, output in zip(first, outputs):
        worst = max(worst, output.compare(bits))
    same = all(map(np.array_equal, (b.view(np.uint8) for b in first),
                   (b.view(np.uint8) for b in second)))
    run.free()
    kernel.close()
    status = "right" if worst <= 1 and same else "wrong"
    return {"status": status, "tolerances": worst, "equal_bits": same}


def run_child(lines, seconds):
    driver = cuda.Driver()
    start = time.monotonic()
    for number, line in lines:
        if time.monotonic() - start > seconds:
            break
        try:
            result = run_case(driver, line, FOLDER / f"{number:04}")
        except BundleError as error:
            print(json.dumps({"number": number, "status": "failed",
                              "reason": str(error)}), flush=True)
            return BROKEN  # whatever state the driver is in
        print(json.dumps({"number": number, **result}), flush=True)
    return 0


def read_answers(process):
    """Lines, until the process ends or takes longer than LIMIT for one."""
    while True:
        if not select.select([process.stdout], [], [], LIMIT)[0]:
            process.kill()
            return
        line = process.stdout.readline()
        if not line:
            return
        yield json.loads(line)


def run_all(lines, options, out):
    """{number: result} of all cases."""
    results, left = {}, [number for number, _ in lines]
    by_number = dict(lines)

    def record(answer):
        line = by_number[answer["number"]]
        results[answer["number"]] = answer
        left.remove(answer["number"])
        out.write(json.dumps(answer | {"name": line["name"],
                                       "chip": line["chip"]}) + "\n")
        out.flush()

    while left:
        process = subprocess.Popen(
            [sys.executable, __file__, "--child", *options, f"--first={left[0]}"],
            stdout=subprocess.PIPE, text=True)
        for answer in read_answers(process):
            record(answer)
        code = process.wait()
        if code == NO_GPU:
            raise BundleError("no case ran")
        if code != BROKEN and left:
            record({"number": left[0], "status": "died or hung"})
    return results


def report(results, lines):
    bad = 0
    for number, line in lines:
        result = results[number]
        if result["status"] != "right":
            bad += 1
            print(f"{result['status'].upper()}: {line['chip']}: {line['name']}: "
                  f"{result.get('reason', result.get('tolerances'))}")
    worst = max((r["tolerances"] for r in results.values() if "tolerances" in r),
                default=0)
    print(f"{len(results)} cases, {bad} not right, at worst {worst:.2f} tolerances")
    return bad


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="results.jsonl")
    parser.add_argument("--chip", action="append", help="cases of this chip alone")
    parser.add_argument("--match", default="", metavar="REGEX",
                        help="cases whose name has this")
    parser.add_argument("--step", type=int, default=1, help="each STEPth case")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--child", action="store_true",
                        help="run in this process, and print lines of JSON")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="the child starts no case after that time")
    return parser.parse_args()


def main():
    arguments = parse()
    with open(FOLDER / "cases.jsonl") as index:
        lines = list(enumerate(map(json.loads, index)))
    lines = [(n, line) for n, line in lines[::arguments.step]
             if n >= arguments.first and re.search(arguments.match, line["name"]) and
             (not arguments.chip or line["chip"] in arguments.chip)]
    try:
        if arguments.child:
            return run_child(lines, arguments.seconds)
        options = [f"--step={arguments.step}", f"--match={arguments.match}",
                   *(f"--chip={chip}" for chip in arguments.chip or ())]
        with open(arguments.out, "w") as out:
            results = run_all(lines, options, out)
    except BundleError as error:
        print(f"run.py: error: {error}", file=sys.stderr)
        return NO_GPU
    return 1 if report(results, lines) else 0


if __name__ == "__main__":
    sys.exit(main())
