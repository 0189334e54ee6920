"""Compiles a case to PTX and runs it in the emulator."""

import re
import subprocess

import ptxemu


def compile_case(text, lattn_compile, chip, extra=()):
    """(PTX, how it is launched)."""
    done = subprocess.run(
        [lattn_compile, "-", "-o", "-", "--emit=ptx", f"--chip={chip}", *extra],
        input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{done.stderr}\n{text}")
    launch = re.search(r"// (\S+): blocks of (\d+) threads, (\d+) bytes of "
                       r"dynamic shared memory, a block for each (\d+) queries",
                       done.stdout)
    name, *numbers = launch.groups()
    return done.stdout, (name, *map(int, numbers))


def descriptor(array):
    strides = [s // array.itemsize for s in array.strides]
    return [array, array, 0, *array.shape, *strides]


def run_case(case, ptx, launch, seed):
    """Runs it on its arrays, in place."""
    name, threads, shared, rows = launch
    a = case.arrays
    for key in ("q", "k", "v"):
        a[key].flags.writeable = False
    arguments = []
    for array in a.values():
        if array.dtype == bool:
            array = array.view("u1")
        arguments += descriptor(array)
    blocks = case.B * case.H * -(-case.N // rows)
    ptxemu.load(ptx).launch(name, grid=(blocks, 1, 1), block=(threads, 1, 1),
                            args=arguments, shared=shared, seed=seed)
