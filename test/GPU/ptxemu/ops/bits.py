"""Bits: logic, shifts, fields, counts, permutations of bytes."""

import numpy as np

from ..types import TYPES
from . import body, only

LOGIC = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


@body("and", "or", "xor")
def logic(ins, m):
    only(ins)
    t = ins.parts[-1]
    f = LOGIC[ins.parts[0]]
    d, a, b = m.write(ins.args[0], t), m.read(ins.args[1], t), \
        m.read(ins.args[2], t)

    def run(s):
        d[s] = f(a[s], b[s])
    return run


@body("not", "cnot")
def invert(ins, m):
    t = ins.parts[-1]
    d, a = m.write(ins.args[0], t), m.read(ins.args[1], t)
    if ins.parts[0] == "cnot":
        def count_not(s):
            d[s] = a[s] == 0
        return count_not

    def run(s):
        d[s] = ~a[s]
    return run


@body("shl", "shr")
def shift(ins, m):
    only(ins)
    t = ins.parts[-1]
    dtype = TYPES[t].dtype
    d, a, b = m.write(ins.args[0], t), m.read(ins.args[1], t), \
        m.read(ins.args[2], "u32")
    width = 8 * dtype.itemsize
    left = ins.parts[0] == "shl"

    def run(s):  # NumPy's shifts by the width or more leave zeros, or the sign
        n = np.minimum(b[s], width).astype(dtype)
        d[s] = a[s] << n if left else a[s] >> n
    return run


@body("shf")
def funnel(ins, m):
    only(ins, "l", "r", "wrap", "clamp")
    d = m.write(ins.args[0], "b32")
    a, b, c = (m.read(x, "b32") for x in ins.args[1:4])
    left, wrap = ins.parts[1] == "l", "wrap" in ins.parts

    def run(s):
        both = b[s].astype(np.uint64) << np.uint64(32) | a[s]
        n = c[s] & 31 if wrap else np.minimum(c[s], 32)
        n = n.astype(np.uint64)
        r = both << n >> np.uint64(32) if left else both >> n
        if left:  # by 32: the low word
            r = np.where(n == 32, a[s], r)
        d[s] = r.astype(np.uint32)
    return run


@body("bfe")
def extract(ins, m):
    t = ins.parts[-1]
    dtype = TYPES[t].dtype
    width = 8 * dtype.itemsize
    d, a = m.write(ins.args[0], t), m.read(ins.args[1], t)
    b, c = m.read(ins.args[2], "u32"), m.read(ins.args[3], "u32")
    unsigned = np.dtype(f"u{dtype.itemsize}")

    def run(s):
        x, at, n = a[s], b[s] & 255, c[s] & 255
        n = np.minimum(n, width)
        if dtype.kind == "i":
            at = np.minimum(at, width)
            top = np.minimum(at + n, width)
            up = np.where(top < width, width - top, 0).astype(dtype)
            down = np.minimum(up.astype(np.int64) + at, width - 1)
            r = x << up >> down.astype(dtype)
            beyond = at >= width
            r = np.where(beyond, np.where(x < 0, dtype.type(-1),
                                          dtype.type(0)), r)
            d[s] = np.where(n == 0, dtype.type(0), r)
            return
        ok = at < width
        r = x >> np.where(ok, at, 0).astype(unsigned)
        r = np.where(ok, r, unsigned.type(0))
        d[s] = r & low_bits(n, unsigned)
    return run


def low_bits(n, unsigned):
    """n ones, up to the whole width."""
    width = 8 * unsigned.itemsize
    ones = unsigned.type(np.iinfo(unsigned).max)
    shift_by = np.where(n == 0, 0, width - n).astype(unsigned)
    return np.where(n == 0, unsigned.type(0), ones >> shift_by)


@body("bfi")
def insert(ins, m):
    t = ins.parts[-1]
    dtype = TYPES[t].dtype
    width = 8 * dtype.itemsize
    d, a, b = m.write(ins.args[0], t), m.read(ins.args[1], t), \
        m.read(ins.args[2], t)
    c, e = m.read(ins.args[3], "u32"), m.read(ins.args[4], "u32")

    def run(s):
        at, n = c[s] & 255, np.minimum(e[s] & 255, width)
        ok = at < width
        by = np.where(ok, at, 0).astype(dtype)
        mask = np.where(ok, low_bits(n, dtype) << by, dtype.type(0))
        d[s] = b[s] & ~mask | a[s] << by & mask
    return run


@body("popc", "clz", "brev", "bfind")
def count(ins, m):
    t = ins.parts[-1]
    name = ins.parts[0]
    width = 8 * TYPES[t].bytes
    unsigned = np.dtype(f"u{TYPES[t].bytes}")
    d = m.write(ins.args[0], t if name == "brev" else "u32")
    a = m.read(ins.args[1], t)
    shift_amount = "shiftamt" in ins.parts

    def bits_of(x):
        return x[:, None] >> np.arange(width, dtype=unsigned) & unsigned.type(1)

    def run(s):
        x = np.ascontiguousarray(a[s])
        if name == "bfind" and x.dtype.kind == "i":
            x = np.where(x < 0, ~x, x)
        x = x.view(unsigned)
        if name == "popc":
            d[s] = np.bitwise_count(x)
            return
        bits = bits_of(x)
        if name == "brev":
            weights = unsigned.type(1) << np.arange(width - 1, -1, -1,
                                                    dtype=unsigned)
            d[s] = (bits * weights).sum(1, dtype=unsigned)
            return
        leading = np.where(x == 0, width, bits[:, ::-1].argmax(1))
        if name == "clz":
            d[s] = leading.astype(np.uint32)
        else:
            found = leading if shift_amount else width - 1 - leading
            d[s] = np.where(x == 0, 0xFFFFFFFF, found).astype(np.uint32)
    return run


@body("lop3")
def lookup(ins, m):
    only(ins)
    d = m.write(ins.args[0], "b32")
    a, b, c = (m.read(x, "b32") for x in ins.args[1:4])
    table = ins.args[4].value

    def run(s):
        x, y, z = a[s], b[s], c[s]
        r = np.zeros_like(x)
        for i in range(8):
            if table >> i & 1:
                r |= (x if i & 4 else ~x) & (y if i & 2 else ~y) & \
                    (z if i & 1 else ~z)
        d[s] = r
    return run


@body("prmt")
def permute(ins, m):
    d = m.write(ins.args[0], "b32")
    a, b, c = (m.read(x, "b32") for x in ins.args[1:4])
    only(ins, "f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    mode = ins.parts[2] if len(ins.parts) > 2 else ""

    def selectors(control):
        n = control & 3
        tables = {
            "f4e": [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]],
            "b4e": [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]],
            "rc8": [[i] * 4 for i in range(4)],
            "ecl": [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]],
            "ecr": [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]],
            "rc16": [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]}
        if mode in tables:
            return np.array(tables[mode])[n]
        return control[:, None] >> np.arange(0, 16, 4, dtype=np.uint32) & 15

    def run(s):
        both = b[s].astype(np.uint64) << np.uint64(32) | a[s]
        pick = selectors(np.atleast_1d(c[s])).astype(np.uint64)
        byte = both[:, None] >> (pick & np.uint64(7)) * np.uint64(8) & \
            np.uint64(255)
        sign = (pick & np.uint64(8)) != 0
        byte = np.where(sign, np.where(byte & np.uint64(128), 255, 0), byte)
        byte = byte.astype(np.uint32)
        d[s] = byte[:, 0] | byte[:, 1] << 8 | byte[:, 2] << 16 | \
            byte[:, 3] << 24
    return run


@body("bmsk", "szext")
def mask_or_extend(ins, m):
    t = ins.parts[-1]
    d, a, b = m.write(ins.args[0], t), m.read(ins.args[1], t), \
        m.read(ins.args[2], "u32")
    wrap, u4 = "wrap" in ins.parts, np.dtype("u4")

    def run(s):
        x, n = a[s], b[s]
        if ins.parts[0] == "bmsk":
            at = x & 31 if wrap else x
            n = n & 31 if wrap else np.minimum(n, 32)
            ok = at < 32
            d[s] = np.where(ok, low_bits(n, u4) << np.where(ok, at, 0), 0) \
                .astype(u4)
            return
        n = n & 31 if wrap else np.minimum(n, 32)
        up = np.where(n == 0, 0, 32 - n).astype(x.dtype)
        d[s] = np.where(n == 0, x.dtype.type(0), x << up >> up)
    return run
