"""What runs programs, and how results compare."""

import functools
import pathlib
import subprocess
import sys

import numpy as np

from programs import ELEMENTS


class Tool:
    """Runs programs by lattn-run, with files in `folder`."""

    def __init__(self, tool, folder, *flags):
        self.command = [tool, *flags]
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, program):
        return typed(self.run(program)["out"], program.element)

    def run(self, program, *flags):
        """All results, {name: array}."""
        source, inputs, outputs = (self.folder / name for name in
                                   ["main.mlir", "in.npz", "out.npz"])
        source.write_text(program.text)
        np.savez(inputs, **program.arrays)
        outputs.unlink(missing_ok=True)
        done = subprocess.run(
            [*self.command, *flags, source, f"--inputs={inputs}",
             f"--output={outputs}"],
            capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr}")
        with np.load(outputs) as files:
            return dict(files)


class Package:
    """Runs programs by the Python package; its code is not kept on disk."""

    def __init__(self, pipeline="llvm"):
        import lattn
        self.compile = functools.partial(lattn.compile, cache="off",
                                         pipeline=pipeline)

    def __call__(self, program):
        return self.compile(program.text)(*program.arrays.values())


def get_runner(tool, *arguments):
    """From a command line: lattn-run FOLDER [FLAGS...], or package [PIPELINE]."""
    return (Package if tool == "package" else Tool)(
        *([] if tool == "package" else [tool]), *arguments)


def typed(array, element):
    """NumPy files know bf16 as two bytes of no type."""
    return array.view(ELEMENTS[element]) if array.dtype.kind == "V" else array


def difference(got, expected, tolerance):
    """What is wrong with `got`, or None. Errors are relative to 1 + |x|, and
    `tolerance` is one number or one of each; NaN equals NaN."""
    if got.shape != expected.shape:
        return f"shape {got.shape}, expected {expected.shape}"
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0, np.abs(got - expected) / (1 + np.abs(expected)))
    wrong = ~(same | (error <= tolerance))
    if not wrong.any():
        return None
    at = np.unravel_index(np.argmax(np.where(wrong, np.nan_to_num(error, nan=np.inf), 0)),
                          got.shape)
    return (f"{wrong.sum()} of {got.size} elements differ; {list(map(int, at))}: "
            f"got {got[at]}, expected {expected[at]}")


def run_generated(make_case, seed, cases, *runner):
    """Cases 0 to `cases` of a seed; make_case(number, generator) gives program,
    expected result and tolerance. Exits with 1 where one failed."""
    run = get_runner(*runner)
    failed = []
    for case in range(int(cases)):
        rng = np.random.default_rng([int(seed), case])
        program, expected, tolerance = make_case(case, rng)
        try:
            wrong = difference(run(program), expected, tolerance)
        except RuntimeError as error:
            wrong = str(error)
        if wrong:
            failed.append(f"seed {seed}, case {case}: {wrong}\n{program.text}")
    print("\n".join(failed))
    print(f"{int(cases) - len(failed)} of {cases} cases agree")
    sys.exit(1 if failed or not int(cases) else 0)
