"""Integer arithmetic."""

import numpy as np

from ..faults import PTXError
from ..types import TYPES
from . import BODY, body, only

SIMPLE = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "min": np.minimum,
    "max": np.maximum,
}


def is_integer(ins):
    return ins.parts[-1] in TYPES and TYPES[ins.parts[-1]].dtype.kind in "iu" \
        and not ins.parts[-1].startswith("bf")


def by_type(name, integer):
    """Registers the integer form beside the floating one."""
    other = BODY.get(name)

    def build(ins, m):
        if is_integer(ins):
            return integer(ins, m)
        if other is None:
            raise PTXError(f"{ins.op} is not modelled")
        return other(ins, m)

    BODY[name] = build


def operands(ins, m, type_name, n):
    return [m.write(ins.args[0], type_name)] + \
        [m.read(a, type_name) for a in ins.args[1:n + 1]]


def binary(ins, m):
    only(ins, "cc", "sat", "relu")
    t = ins.parts[-1]
    f = SIMPLE[ins.parts[0]]
    d, a, b = operands(ins, m, t, 2)
    if "cc" in ins.parts:
        return with_carry_out(ins, m, t)
    if "sat" in ins.parts:
        low, high = np.iinfo(TYPES[t].dtype).min, np.iinfo(TYPES[t].dtype).max

        def saturated(s):
            d[s] = np.clip(f(a[s].astype(np.int64), b[s].astype(np.int64)),
                           low, high).astype(TYPES[t].dtype)
        return saturated
    if "relu" in ins.parts:
        def relu(s):
            d[s] = np.maximum(f(a[s], b[s]), 0)
        return relu

    def run(s):
        d[s] = f(a[s], b[s])
    return run


def carry(m):
    from ..ir import Reg
    return m.registers.raw(Reg("%CC", "pred"))


def with_carry_out(ins, m, t):
    """add.cc and sub.cc; addc and subc read the flag, too."""
    d, a, b = operands(ins, m, t, 2)
    unsigned = np.dtype(f"u{TYPES[t].bytes}")
    cc, name = carry(m), ins.parts[0]
    uses_carry, out = name.endswith("c"), "cc" in ins.parts

    def run(s):
        x, y = a[s].view(unsigned), b[s].view(unsigned)
        c = cc[s].astype(unsigned) if uses_carry else unsigned.type(0)
        if name.startswith("add"):
            r = x + y
            over = r < x
            r2 = r + c
            over = over | (r2 < r)
        else:
            r = x - y
            over = x < y
            r2 = r - c
            over = over | (r < c)
        d[s] = r2.view(TYPES[t].dtype)
        if out:
            cc[s] = over
    return run


def high_part(x, y):
    """The upper half of the products."""
    size = x.dtype.itemsize
    if size < 8:
        wide = np.dtype(f"{x.dtype.kind}{2 * size}")
        return (x.astype(wide) * y.astype(wide) >> 8 * size).astype(x.dtype)
    xu, yu = x.view(np.uint64), y.view(np.uint64)
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    x0, x1, y0, y1 = xu & low, xu >> half, yu & low, yu >> half
    middle = x1 * y0 + (x0 * y0 >> half)
    middle2 = x0 * y1 + (middle & low)
    high = x1 * y1 + (middle >> half) + (middle2 >> half)
    if x.dtype.kind == "i":
        high = high - np.where(x < 0, yu, np.uint64(0)) \
            - np.where(y < 0, xu, np.uint64(0))
    return high.view(x.dtype)


def multiply(ins, m):
    only(ins, "lo", "hi", "wide", "cc")
    t = ins.parts[-1]
    dtype = TYPES[t].dtype
    if "wide" in ins.parts:
        wide = np.dtype(f"{dtype.kind}{2 * dtype.itemsize}")
        d = m.write(ins.args[0], f"{t[0]}{16 * dtype.itemsize}")
        a, b = (m.read(x, t) for x in ins.args[1:3])
        product = lambda s: a[s].astype(wide) * b[s].astype(wide)  # noqa: E731
        third = f"{t[0]}{16 * dtype.itemsize}"
    else:
        d, a, b = operands(ins, m, t, 2)
        third = t
        if "hi" in ins.parts:
            product = lambda s: high_part(a[s], b[s])  # noqa: E731
        else:
            product = lambda s: a[s] * b[s]  # noqa: E731
    if ins.parts[0] == "mul":
        def run(s):
            d[s] = product(s)
        return run
    c = m.read(ins.args[3], third)
    if "cc" in ins.parts or ins.parts[0] == "madc":
        return multiply_add_carry(ins, m, product, c, d)

    def add(s):
        d[s] = product(s) + c[s]
    return add


def multiply_add_carry(ins, m, product, c, d):
    cc, out = carry(m), "cc" in ins.parts

    def run(s):
        p = product(s)
        unsigned = np.dtype(f"u{p.dtype.itemsize}")
        x, y = p.view(unsigned), c[s].view(unsigned)
        r = x + y
        over = r < x
        if ins.parts[0] == "madc":
            r2 = r + cc[s].astype(unsigned)
            over, r = over | (r2 < r), r2
        d[s] = r.view(p.dtype)
        if out:
            cc[s] = over
    return run


def divide(ins, m):
    only(ins)
    t = ins.parts[-1]
    d, a, b = operands(ins, m, t, 2)
    dtype, remainder = TYPES[t].dtype, ins.parts[0] == "rem"

    def run(s):
        x, y = a[s], b[s]
        zero = y == 0
        y = np.where(zero, dtype.type(1), y)
        # Truncates, where NumPy rounds down.
        q = x // y
        if dtype.kind == "i":
            q = q + ((q * y != x) & ((x < 0) != (y < 0)))
        r = x - q * y if remainder else q
        d[s] = np.where(zero, x if remainder else dtype.type(-1)
                        if dtype.kind == "i" else np.iinfo(dtype).max, r)
    return run


def unary(ins, m):
    only(ins)
    t = ins.parts[-1]
    d, a = operands(ins, m, t, 1)
    f = {"abs": np.abs, "neg": lambda x: -x}[ins.parts[0]]

    def run(s):
        d[s] = f(a[s])
    return run


@body("sad")
def sad(ins, m):
    d, a, b, c = operands(ins, m, ins.parts[-1], 3)

    def run(s):
        x, y = a[s], b[s]
        d[s] = c[s] + np.where(x < y, y - x, x - y)
    return run


@body("dp4a")
def dp4a(ins, m):
    at, bt = ins.parts[1], ins.parts[2]
    d = m.write(ins.args[0], "b32")
    a, b, c = (m.read(x, "b32") for x in ins.args[1:4])

    def bytes_of(x, t):
        return np.ascontiguousarray(x).view(t[0].replace("s", "i") + "1") \
            .reshape(-1, 4).astype(np.int64)

    def run(s):
        total = (bytes_of(a[s], at) * bytes_of(b[s], bt)).sum(1)
        d[s] = c[s] + total.astype(np.uint32)
    return run


@body("addc", "subc")
def with_carry_in(ins, m):
    return with_carry_out(ins, m, ins.parts[-1])


def register():
    for name in SIMPLE:
        by_type(name, binary)
    for name in ("mul", "mad", "madc"):
        by_type(name, multiply)
    for name in ("div", "rem"):
        by_type(name, divide)
    for name in ("abs", "neg"):
        by_type(name, unary)
