"""wmma: matrices of a warp whose fragments have no documented layout. Here
thread i holds the i-th of 32 parts of the matrix in row-major order, more than
once where it has more registers than that needs."""

import re

import numpy as np

from ..faults import PTXError
from ..floats import from_bf16
from ..types import TYPES, UNSIGNED
from . import body
from .load_store import memory_space


class Shape:
    def __init__(self, ins):
        found = re.search(r"m(\d+)n(\d+)k(\d+)", ins.op)
        m, n, k = (int(x) for x in found.groups())
        self.sizes = {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}

    def elements(self, which):
        rows, columns = self.sizes[which]
        return rows * columns


def put(operands, s, values):
    """values: (warps, elements)"""
    bits = np.ascontiguousarray(values).view(UNSIGNED[4])
    bits = bits.reshape(len(values), 32, -1)
    for i, d in enumerate(operands):
        d[s] = bits[:, :, i % bits.shape[2]].reshape(-1)


def get(operands, s, dtype, elements):
    n = elements * np.dtype(dtype).itemsize // 128
    words = np.stack([a[s] for a in operands[:n]], 1)
    return np.ascontiguousarray(words).view(dtype).reshape(-1, elements)


def types_of(ins):
    return [p for p in ins.parts if p in TYPES]


@body("wmma")
def build(ins, m):
    kind = ins.parts[1]
    if kind == "mma":
        return multiply(ins, m)
    which = ins.parts[2]
    t = types_of(ins)[0]
    if t not in ("f16", "bf16", "f32"):
        raise PTXError(f"{ins.op} is not modelled")
    shape, space = Shape(ins), memory_space(ins, m)
    width, column_major = TYPES[t].bytes, "col" in ins.parts
    store = kind == "store"
    mem, registers = ins.args[:2] if store else (ins.args[1], ins.args[0])
    address = m.address(mem)
    rows, columns = shape.sizes[which]
    stride = m.read(ins.args[2], "u32") if len(ins.args) > 2 else \
        m.spread(np.uint32(rows if column_major else columns))

    def places(s):
        first = m.index[s][::32]
        step = stride[s][::32].astype(np.int64)[:, None, None]
        i, j = np.indices((rows, columns))
        at = i + j * step if column_major else i * step + j
        start = address(s)[::32][:, None]
        lanes = np.repeat(first, rows * columns)
        return lanes, (start + at.reshape(len(first), -1) * width).reshape(-1)

    if store:
        source = [m.read(x, "b32") for x in registers.items]

        def write(s):
            values = get(source, s, UNSIGNED[width], rows * columns)
            space.write(*places(s), values.reshape(-1), width)
        return write
    to = [m.write(x, "b32") for x in registers.items]

    def read(s):
        values = space.read(*places(s), width)
        put(to, s, values.reshape(-1, rows * columns))
    return read


def multiply(ins, m):
    shape, types = Shape(ins), types_of(ins)
    operand = types[1] if len(types) == 4 else "f16"
    result, source = types[0], types[-1]
    if operand not in ("f16", "bf16") or len(types) not in (2, 4):
        raise PTXError(f"{ins.op} is not modelled")
    d = [m.write(x, "b32") for x in ins.args[0].items]
    a, b, c = ([m.read(x, "b32") for x in arg.items] for arg in ins.args[1:4])

    def matrix(registers, s, which, t):
        bits = get(registers, s, UNSIGNED[TYPES[t].bytes],
                   shape.elements(which))
        values = from_bf16(bits) if t == "bf16" else bits.view(TYPES[t].dtype)
        return values.reshape(-1, *shape.sizes[which]).astype(np.float64)

    def run(s):
        r = matrix(a, s, "a", operand) @ matrix(b, s, "b", operand) + \
            matrix(c, s, "c", source)
        r = r.astype(TYPES[result].dtype)
        put(d, s, r.reshape(len(r), -1))
    return run
