"""mov, cvta and packing."""

import numpy as np

from ..faults import PTXError
from ..ir import Sym, Vec
from ..memory import LOCAL_WINDOW, SHARED_WINDOW
from ..types import TYPES
from . import body

WINDOWS = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW}


@body("mov")
def move(ins, m):
    t = ins.parts[-1]
    to, source = ins.args
    if isinstance(to, Vec) and not isinstance(source, Vec):
        return unpack(m, t, to.items, source)
    if isinstance(source, Vec) and not isinstance(to, Vec):
        return pack(m, t, to, source.items)
    if isinstance(to, Vec):
        raise PTXError("mov of vectors is not modelled")
    d, a = m.write(to, t), m.read_unchecked(source, t)

    def run(s):
        d[s] = a[s]
    return run


def part_type(t, n):
    return f"b{8 * TYPES[t].bytes // n}"


def unpack(m, t, items, source):
    part = part_type(t, len(items))
    width = TYPES[part].dtype
    a = m.read_unchecked(source, "b" + t[1:])
    to = [m.write(x, part) for x in items]
    n = len(items)

    def run(s):
        parts = np.ascontiguousarray(a[s]).view(width).reshape(-1, n)
        for i, d in enumerate(to):
            d[s] = parts[:, i]
    return run


def pack(m, t, to, items):
    part = part_type(t, len(items))
    wide = TYPES["b" + t[1:]].dtype
    d = m.write(to, "b" + t[1:])
    sources = [m.read_unchecked(x, part) for x in items]
    n, width = len(items), TYPES[part].dtype

    def run(s):
        first = sources[0][s]
        both = np.empty((len(first), n), width)
        both[:, 0] = first
        for i in range(1, n):
            both[:, i] = sources[i][s]
        d[s] = both.view(wide)[:, 0]
    return run


@body("cvta")
def convert_address(ins, m):
    t = ins.parts[-1]
    to_space = ins.parts[1] == "to"
    space = ins.parts[2 if to_space else 1].split("::")[0]
    d, a = m.write(ins.args[0], t), m.read(ins.args[1], t)
    window = np.uint64(WINDOWS.get(space, 0)).astype(TYPES[t].dtype)
    if space == "param" and isinstance(ins.args[1], Sym) and \
            m.layout.spaces.get(ins.args[1].name) == "local":
        window = np.uint64(LOCAL_WINDOW)

    def run(s):
        d[s] = a[s] - window if to_space else a[s] + window
    return run


@body("isspacep")
def is_space(ins, m):
    space = ins.parts[1].split("::")[0]
    d, a = m.write(ins.args[0], "pred"), m.read(ins.args[1], "u64")
    want = {"global": 0, "const": 0, "param": 0, "shared": 1, "local": 2}[space]

    def run(s):
        d[s] = a[s] >> np.uint64(45) == want
    return run
