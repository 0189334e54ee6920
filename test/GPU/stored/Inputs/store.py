"""Stores cases of the sweep and composite operations with their machine code and
with the results that are expected, for a machine with a GPU:
store.py LATTN_COMPILE LATTN_RUN PTXAS OUT --chip sm_90a --cases 100 --large 50
    --extreme 50 --gradients 50

There, OUT/run.py runs them. It needs Python, NumPy and the driver.
"""

import argparse
import dataclasses
import io
import json
import lzma
import pathlib
import shutil
import subprocess
import tempfile
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).parents[4]
sys.path[:0] = [str(ROOT / part) for part in (
    "test/GPU", "test/GPU/sweep/Inputs", "test/GPU/composites/Inputs",
    "test/Integration/CPU/cases", "benchmarks/gpu/bundle/device")]

import cases
import composites
import extremes
import gradients
import kernels
import lattn_bundle
import numpy as np
import oracle
import philox

DEVICE = pathlib.Path(__file__).with_name("device")


def assemble(ptxas, ptx, chip):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "kernel.ptx").write_text(ptx)
        subprocess.run([ptxas, "-O3", f"-arch={chip}", folder / "kernel.ptx", "-o",
                        folder / "kernel.cubin"], check=True)
        return (folder / "kernel.cubin").read_bytes()


def compile_both(text, chip, options, arguments):
    """(what a line says of the kernels, their machine code)"""
    ptx, function = kernels.compile_case(text, arguments.lattn_compile, chip,
                                         options)
    code = lzma.compress(assemble(arguments.ptxas, ptx, chip))
    return {"chip": chip, "function": function}, {"code.xz": code}


def store_case(name, case, seed, chip, options, arguments):
    """(line of cases.jsonl, {file: bytes}); arrays are filled there, by the seed."""
    sizes = dataclasses.replace(case, B=1, arrays={})
    cases.fill(sizes, np.random.default_rng(0))  # the text asks which there are
    text = cases.text(sizes)
    line, files = compile_both(text, chip, options, arguments)
    return line | {"name": name, "seed": seed,
                   "case": dataclasses.asdict(case)}, files


def store_plain(chip, arguments):
    case = cases.Case(B=2, H=4, Hkv=2, N=70, M=70, causal=True)
    return store_case("plain", case, 0, chip, "", arguments)


def store_attention(seed, chip, kind, arguments):
    rng = np.random.default_rng(seed)
    case = cases.generate(rng)
    if chip == "sm_90a":
        cases.align(case, rng)
    if kind == "extreme":
        extremes.choose(case, rng)
    options = f"parts={case.parts} multiprocessors={case.multiprocessors}"
    if kind == "large":
        cases.enlarge(case, rng)
        options = ""  # as for a user's program
    name = f"{kind}, seed {seed}" if kind else f"seed {seed}"
    return store_case(name, case, seed, chip, options, arguments)


def store_gradients(seed, chip, arguments):
    rng = np.random.default_rng(seed)
    case = gradients.generate(rng)
    if chip == "sm_90a":
        gradients.align(case, rng)
    sizes = dataclasses.replace(case, B=1, arrays={})
    gradients.fill(sizes, np.random.default_rng(0))
    line, files = compile_both(gradients.text(sizes), chip, "", arguments)
    return line | {"name": f"gradients, seed {seed}", "seed": seed,
                   "gradients": dataclasses.asdict(case)}, files


def store_composite(name, chip, arguments):
    program = composites.PROGRAMS[name]
    arrays, want = composites.prepare(name, program, arguments.lattn_run)
    line, files = compile_both(composites.text(*program), chip, "", arguments)
    numbers = io.BytesIO()
    np.savez_compressed(numbers, *arrays, want=want)
    return (line | {"name": name, "tolerance": composites.TOLERANCE},
            files | {"arrays.npz": numbers.getvalue()})


def list_jobs(arguments):
    for chip in arguments.chip:
        yield store_plain, (chip,)
        for kind, count in (("", arguments.cases), ("large", arguments.large),
                            ("extreme", arguments.extreme)):
            for seed in range(arguments.seed, arguments.seed + count):
                yield store_attention, (seed, chip, kind)
        for seed in range(arguments.seed, arguments.seed + arguments.gradients):
            yield store_gradients, (seed, chip)
        if arguments.composites:
            for name in composites.PROGRAMS:
                yield store_composite, (name, chip)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("lattn_run")
    parser.add_argument("ptxas")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--chip", action="append", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--large", type=int, default=50)
    parser.add_argument("--extreme", type=int, default=0,
                        help="cases with scores up to 3e38")
    parser.add_argument("--gradients", type=int, default=0)
    parser.add_argument("--composites", action="store_true")
    arguments = parser.parse_args()
    if arguments.out.exists():
        parser.error(f"{arguments.out} is there already")
    return arguments


def main():
    arguments = parse()
    arguments.out.mkdir()
    for file in (DEVICE / "run.py", cases.__file__, extremes.__file__,
                 gradients.__file__, oracle.__file__, philox.__file__):
        shutil.copy(file, arguments.out)
    shutil.copytree(pathlib.Path(lattn_bundle.__file__).parent,
                    arguments.out / "lattn_bundle",
                    ignore=shutil.ignore_patterns("__pycache__"))
    with ThreadPoolExecutor(2) as pool, \
            open(arguments.out / "cases.jsonl", "w") as index:
        stored = pool.map(lambda job: job[0](*job[1], arguments),
                          list_jobs(arguments))
        for number, (line, files) in enumerate(stored):
            folder = arguments.out / f"{number:04}"
            folder.mkdir()
            for name, data in files.items():
                (folder / name).write_bytes(data)
            index.write(json.dumps(line) + "\n")
    print(f"{number + 1} cases stored")


if __name__ == "__main__":
    main()
