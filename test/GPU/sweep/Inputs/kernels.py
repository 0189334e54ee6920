"""Compiles a case to PTX and runs it in the emulator, by its launch record."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import ptxemu
from lattn_bundle.record import Array, Call


def compile_case(text, lattn_compile, chip, options=""):
    """(PTX, how its function is launched)."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder, "record.json")
        done = subprocess.run(
            [lattn_compile, "-", "-o", "-", "--emit=ptx", f"--chip={chip}",
             f"--gpu-options={options}", f"--launch-record={record}"],
            input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{done.stderr}\n{text}")
        return done.stdout, json.loads(record.read_text())["functions"][0]


def with_tensor_maps(function):
    """Names of kernels that take them."""
    return {launch["kernel"] for launch in function["launches"]
            if any(kind == "tensor_map" for kind, _ in launch["parameters"])}


def name_values(function, arrays):
    """Arrays as the record knows them, by the names of arguments."""
    values = {}
    for argument, array in zip(function["arguments"], arrays, strict=True):
        if array.dtype == bool:
            array = array.view("u1")
        strides = tuple(s // array.itemsize for s in array.strides)
        values[argument["name"]] = Array(array, array.shape, strides)
    return values


def make_argument(kind, value, call):
    """A parameter as the emulator takes it."""
    if kind != "tensor_map":
        return value
    data = call.values[value.array].data
    base = ptxemu.arguments.owner(data)
    start = data.ctypes.data - base.ctypes.data + value.offset
    element = np.dtype(np.float32 if value.element == "f32" else np.uint16)
    strides = [element.itemsize, *value.strides]
    view = np.ndarray(value.sizes[::-1], element, base, start, strides[::-1])
    return ptxemu.TensorMap(view, value.box[::-1], swizzle=value.swizzle)


def run_arrays(arrays, ptx, function, seed):
    """All launches of a call. The names of the kernels, and the bytes of the
    results."""
    views = [a.view(np.uint16) if a.dtype == np.float16 else a for a in arrays]
    call = Call(function, name_values(function, views))
    for name, size in call.buffers():
        call.add(name, Array(np.full(size, 0xff, np.uint8), (), ()))  # NaN
    module = ptxemu.load(ptx)
    kernels = []
    for launch in call.launches():
        kernels.append(launch.kernel)
        module.launch(launch.kernel, grid=launch.grid, block=launch.block,
                      args=[make_argument(*p, call) for p in launch.parameters],
                      shared=launch.shared, seed=seed)
    return kernels, [array.data for array in call.results().values()]


def run_case(case, ptx, function, seed):
    """Runs it on its arrays, in place; returns the names of the kernels."""
    for key in ("q", "k", "v"):
        case.arrays[key].flags.writeable = False
    return run_arrays(case.arrays.values(), ptx, function, seed)[0]
