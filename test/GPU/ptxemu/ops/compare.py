"""Comparisons and selections."""

import numpy as np

from ..faults import PTXError
from ..floats import flush, from_bf16
from ..ir import Pair
from ..types import TYPES
from . import body, only

ORDERED = {
    "eq": np.equal, "ne": lambda a, b: (a < b) | (a > b), "lt": np.less,
    "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "lo": np.less, "ls": np.less_equal, "hi": np.greater,
    "hs": np.greater_equal,
    "equ": lambda a, b: ~((a < b) | (a > b)), "neu": np.not_equal,
    "ltu": lambda a, b: ~(a >= b), "leu": lambda a, b: ~(a > b),
    "gtu": lambda a, b: ~(a <= b), "geu": lambda a, b: ~(a < b),
    "num": lambda a, b: (a == a) & (b == b),
    "nan": lambda a, b: (a != a) | (b != b)}
JOIN = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def comparison(ins, m, type_name):
    """A function of lanes, after .ftz and for bf16."""
    only(ins, *ORDERED, *JOIN, "ftz")
    if "ftz" in ins.parts and type_name != "f32":
        raise PTXError(f"{ins.op}: .ftz of .{type_name} is not modelled")
    f = ORDERED.get(ins.parts[1])
    if f is None:
        raise PTXError(f"comparison .{ins.parts[1]} is not modelled")
    if TYPES[type_name].dtype.kind in "iu" and ins.parts[1] == "ne":
        f = np.not_equal
    a, b = m.read(ins.args[1], type_name), m.read(ins.args[2], type_name)
    change = None
    if type_name.startswith("bf16"):
        change = from_bf16
    elif "ftz" in ins.parts:
        change = flush
    if change:
        return lambda s: f(change(a[s]), change(b[s]))
    return lambda s: f(a[s], b[s])


@body("setp")
def set_predicate(ins, m):
    type_name = ins.parts[-1]
    f = comparison(ins, m, type_name)
    join = JOIN.get(ins.parts[2])
    third = m.read(ins.args[3], "pred") if join else None
    first, second = ins.args[0], None
    if isinstance(first, Pair):
        first, second = first.first, first.second
    if TYPES[type_name].lanes == 2:
        return pairs(m, f, first, second)
    d = m.write(first, "pred")
    if second is None and not join:
        def simple(s):
            d[s] = f(s)
        return simple
    e = m.write(second, "pred")

    def run(s):
        x = f(s)
        c = third[s] if join else None
        d[s] = join(x, c) if join else x
        e[s] = join(~x, c) if join else ~x
    return run


def pairs(m, f, first, second):
    """f16x2: one predicate for each half."""
    d, e = m.write(first, "pred"), m.write(second, "pred")

    def run(s):
        x = f(s)
        d[s], e[s] = x[:, 0], x[:, 1]
    return run


@body("set")
def set_value(ins, m):
    result, type_name = ins.parts[-2], ins.parts[-1]
    f = comparison(ins, m, type_name)
    join = JOIN.get(ins.parts[2])
    third = m.read(ins.args[3], "pred") if join else None
    d = m.write(ins.args[0], result)
    dtype = TYPES[result].dtype
    if result.startswith("bf16"):
        true = dtype.type(0x3F80)
    else:
        true = dtype.type(1) if dtype.kind == "f" else ~dtype.type(0)
    lanes = TYPES[result].lanes

    def run(s):
        x = f(s)
        x = join(x, third[s]) if join else x
        value = np.where(x, true, dtype.type(0))
        if value.ndim == 2 and lanes == 1:  # set.eq.u32.f16x2: a mask
            value = value[:, 0] & 0xFFFF | value[:, 1] << 16
        d[s] = value
    return run


@body("selp")
def select(ins, m):
    t = ins.parts[-1]
    d, a, b = m.write(ins.args[0], t), m.read(ins.args[1], t), \
        m.read(ins.args[2], t)
    p = m.read(ins.args[3], "pred")

    def run(s):
        d[s] = np.where(p[s], a[s], b[s])
    return run


@body("slct")
def select_by_sign(ins, m):
    t, by = ins.parts[-2], ins.parts[-1]
    d, a, b = m.write(ins.args[0], t), m.read(ins.args[1], t), \
        m.read(ins.args[2], t)
    c = m.read(ins.args[3], by)

    def run(s):
        d[s] = np.where(c[s] >= 0, a[s], b[s])
    return run
