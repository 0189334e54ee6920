"""ldmatrix, stmatrix and mma.sync.

A warp's 8x8 matrix of 16-bit values: thread 4 r + c holds (r, 2 c) and
(r, 2 c + 1).
"""

import re

import numpy as np

from ..faults import PTXError
from ..floats import from_bf16
from ..types import TYPES
from . import body
from .load_store import items_of


def matrices(ins):
    return int(next(p[1] for p in ins.parts if p in ("x1", "x2", "x4")))


@body("ldmatrix")
def load_matrix(ins, m):
    if "b16" not in ins.parts or "m8n8" not in ins.parts:
        raise PTXError(f"{ins.op} is not modelled")
    n, transposed = matrices(ins), "trans" in ins.parts
    to = [m.write(x, "b32") for x in items_of(ins.args[0])]
    address, space = m.address(ins.args[1]), matrix_space(ins, m)

    def run(s):
        lanes = m.index[s].reshape(-1, 32)
        used = lanes[:, :8 * n].reshape(-1)
        rows = space.read(used, address(used), 8, 2)
        warps = len(lanes)
        parts = rows.view(np.uint16).reshape(warps, n, 8, 8)
        if transposed:
            parts = np.ascontiguousarray(parts.transpose(0, 1, 3, 2))
        words = parts.view(np.uint32).reshape(warps, n, 32)
        for i, d in enumerate(to):
            d[s] = words[:, i].reshape(-1)
    return run


@body("stmatrix")
def store_matrix(ins, m):
    n, transposed = matrices(ins), "trans" in ins.parts
    source = [m.read(x, "b32") for x in items_of(ins.args[1])]
    address, space = m.address(ins.args[0]), matrix_space(ins, m)

    def run(s):
        lanes = m.index[s].reshape(-1, 32)
        used = lanes[:, :8 * n].reshape(-1)
        words = np.stack([a[s].reshape(-1, 32) for a in source], 1)
        parts = words.view(np.uint16).reshape(-1, n, 8, 8)
        if transposed:
            parts = parts.transpose(0, 1, 3, 2)
        rows = np.ascontiguousarray(parts).view(np.uint64).reshape(-1, 2)
        space.write(used, address(used), rows, 8)
    return run


def matrix_space(ins, m):
    return m.spaces["shared" if any(p.startswith("shared") for p in ins.parts)
                    else "generic"]


# ---- mma.sync ---------------------------------------------------------------


def gather(sources, s, dtype, order, shape):
    """Registers of warps as matrices: each register's elements, then axes
    (warp, group of 4 lanes, lane of group, register..., element) permuted."""
    words = np.stack([a[s] for a in sources], 1)
    return words.view(dtype).reshape(shape).transpose(order)


def decode(bits, t):
    """Elements to f64."""
    if t == "bf16":
        return from_bf16(bits).astype(np.float64)
    if t == "tf32":  # the hardware does not see the low bits
        return (bits & np.uint32(0xFFFFE000)).view(np.float32) \
            .astype(np.float64)
    return bits.view(np.float16).astype(np.float64)


def a_matrix(sources, s, t, k):
    """16 x k, row by row: registers go down 8 rows, then right."""
    if t == "tf32":
        w = gather(sources, s, np.uint32, (0, 4, 1, 3, 2),
                   (-1, 8, 4, k // 4, 2))
    else:
        w = gather(sources, s, np.uint16, (0, 4, 1, 3, 2, 5),
                   (-1, 8, 4, k // 8, 2, 2))
    return decode(np.ascontiguousarray(w), t).reshape(-1, 16, k)


def b_matrix(sources, s, t, k):
    """k x 8: a group of 4 lanes holds a column."""
    if t == "tf32":
        w = gather(sources, s, np.uint32, (0, 3, 2, 1), (-1, 8, 4, k // 4))
    else:
        w = gather(sources, s, np.uint16, (0, 3, 2, 4, 1),
                   (-1, 8, 4, k // 8, 2))
    return decode(np.ascontiguousarray(w), t).reshape(-1, k, 8)


class Accumulator:
    """16 x 8: rows r and r + 8, columns 2 c and 2 c + 1."""

    def __init__(self, m, sources, targets, t):
        self.half = t == "f16"
        reg = "f16x2" if self.half else "f32"
        self.sources = [m.read(x, reg) for x in sources]
        self.targets = [m.write(x, reg) for x in targets]

    def load(self, s):
        if self.half:
            w = np.stack([a[s] for a in self.sources], 1)
        else:
            w = np.stack([a[s] for a in self.sources], 1).reshape(-1, 2, 2)
        w = w.reshape(-1, 8, 4, 2, 2).transpose(0, 3, 1, 2, 4)
        return w.reshape(-1, 16, 8).astype(np.float64)

    def store(self, s, matrix):
        w = matrix.reshape(-1, 2, 8, 4, 2).transpose(0, 2, 3, 1, 4)
        w = w.astype(np.float16 if self.half else np.float32)
        w = w.reshape(-1, 2, 2)
        if self.half:
            for i, d in enumerate(self.targets):
                d[s] = w[:, i]
        else:
            for i, d in enumerate(self.targets):
                d[s] = w[:, i // 2, i % 2]


@body("mma")
def multiply(ins, m):
    shape = next((p for p in ins.parts if re.fullmatch(r"m\d+n\d+k\d+", p)),
                 "")
    types = [p for p in ins.parts if p in TYPES]
    if len(types) != 4 or not shape.startswith("m16n8") or \
            types[1] != types[2] or types[0] != types[3] or \
            types[1] not in ("f16", "bf16", "tf32") or \
            types[0] not in ("f16", "f32") or \
            ins.parts[ins.parts.index(shape) + 1:][:2] != ["row", "col"]:
        raise PTXError(f"{ins.op} is not modelled")
    t, k = types[1], int(shape.split("k")[1])
    d, a, b, c = (items_of(x) for x in ins.args[:4])
    per = 4 if t == "tf32" else 8
    if len(a) != 2 * k // per or len(b) != k // per:
        raise PTXError(f"{ins.op} with {len(a)} and {len(b)} registers")
    sources_a = [m.read(x, "b32") for x in a]
    sources_b = [m.read(x, "b32") for x in b]
    accumulator = Accumulator(m, c, d, types[0])

    def run(s):
        product = a_matrix(sources_a, s, t, k) @ b_matrix(sources_b, s, t, k)
        accumulator.store(s, product + accumulator.load(s))
    return run
