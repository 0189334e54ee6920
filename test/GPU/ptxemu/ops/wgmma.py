"""wgmma: products of a warpgroup's matrices in shared memory and registers."""

import re

import numpy as np

from ..faults import Fault, PTXError
from ..ir import Imm, Vec
from . import body


class Accumulator:
    """16 x n of each warp: as mma's, side by side."""

    def __init__(self, m, operand, t, n):
        items = operand.items
        self.half = t == "f16"
        if len(items) != (n // 4 if self.half else n // 2):
            raise PTXError(f"wgmma with {len(items)} accumulators for {n} "
                           "columns")
        reg = "f16x2" if self.half else "f32"
        self.n = n
        self.names = [x.name for x in items]
        # Not read where scale-d is 0: there they need not be written before.
        self.sources = [m.registers.typed(x, reg, False) for x in items]
        self.targets = [m.write(x, reg) for x in items]
        self.dtype = np.float16 if self.half else np.float32

    def load(self, s):
        w = np.stack([a[s] for a in self.sources], 1)
        w = w.reshape(-1, 8, 4, self.n // 8, 2, 2).transpose(0, 4, 1, 3, 2, 5)
        return w.reshape(-1, 16, self.n).astype(np.float64)

    def rounded(self, matrix):
        return matrix.astype(self.dtype).astype(np.float64)

    def store(self, s, matrix):
        w = matrix.astype(self.dtype)
        w = w.reshape(-1, 2, 8, self.n // 8, 4, 2).transpose(0, 2, 4, 3, 1, 5)
        shape = (-1, self.n // 4, 2) if self.half else (-1, self.n // 2)
        w = np.ascontiguousarray(w).reshape(shape)
        for i, d in enumerate(self.targets):
            d[s] = w[:, i]


@body("wgmma")
def build(ins, m):
    kind = ins.parts[1]
    if kind == "fence":
        return m.warpgroups.fence
    if kind == "commit_group":
        return m.warpgroups.commit
    if kind == "wait_group":
        return wait(m, ins.args[0].value)
    return multiply(ins, m)


def wait(m, left):
    def run(s):
        m.warpgroups.wait(s, left)

    # Not before the other warps of the group have issued theirs.
    run.ready = lambda rows: np.array([
        m.warpgroups.ready(int(row[0]) >> 5, left) for row in rows])
    return run


def multiply(ins, m):
    from ..wgmma import Form
    shape = re.search(r"\.m64n(\d+)k16\.(f32|f16)\.(bf16|f16)\.(bf16|f16)$",
                      ins.op)
    if not shape or shape[3] != shape[4] or \
            (shape[2], shape[3]) == ("f16", "bf16"):
        raise PTXError(f"{ins.op} is not modelled")
    n, t = int(shape[1]), shape[3]
    if n % 8 or not 8 <= n <= 256:
        raise PTXError(f"{ins.op}: n is a multiple of 8 up to 256")
    accumulator = Accumulator(m, ins.args[0], shape[2], n)
    registers = isinstance(ins.args[1], Vec)
    flags = ins.args[3:]
    if len(flags) != (4 if registers else 5):
        raise PTXError(f"{ins.op} with {len(ins.args)} operands")
    signs = tuple(x.value for x in flags[1:3])
    transposed_a = 0 if registers else flags[3].value
    transposed_b = flags[-1].value
    a = [m.read(x, "b32") for x in ins.args[1].items] if registers \
        else m.read(ins.args[1], "b64")
    if registers and len(a) != 4:
        raise PTXError(f"wgmma with {len(a)} registers of A")
    b = m.read(ins.args[2], "b64")
    scale = m.read(flags[0], "pred")
    if isinstance(flags[0], Imm):
        scale = m.spread(np.bool_(flags[0].value))

    def uniform(array, s, what):
        rows = array[s].reshape(-1, 32)
        if (rows != rows[:, :1]).any():
            raise Fault(f"{what} is not the same in the whole warp",
                        lane=int(m.index[s][0]))
        return rows[:, 0].copy()

    form = Form(ins.line, n, t, accumulator, signs,
                (transposed_a, transposed_b), a if registers else None)

    def run(s):
        of_b = uniform(b, s, "the descriptor of B")
        keep = uniform(scale, s, "scale-d")
        of_a = None if registers else uniform(a, s, "the descriptor of A")
        for i, lanes in enumerate(m.index[s].reshape(-1, 32)):
            descriptors = (int(of_b[i]),) if registers else \
                (int(of_a[i]), int(of_b[i]))
            m.warpgroups.issue(form, lanes, descriptors, bool(keep[i]))
    return run
