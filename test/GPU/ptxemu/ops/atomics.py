"""atom and red: lanes that meet at one address go one after another, in random
order."""

import numpy as np

from ..faults import PTXError
from ..floats import from_bf16, to_bf16
from ..types import TYPES, UNSIGNED
from . import body
from .load_store import memory_space, reader

OPERATIONS = {
    "add": np.add, "min": np.minimum, "max": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "exch": lambda old, x: x,
    "inc": lambda old, x: np.where(old >= x, old.dtype.type(0), old + 1),
    "dec": lambda old, x: np.where((old == 0) | (old > x), x, old - 1)}


def operation(ins):
    for part in ins.parts[1:]:
        if part in OPERATIONS or part == "cas":
            return part
    raise PTXError(f"{ins.op} is not modelled")


@body("atom")
def atomic(ins, m):
    return build(ins, m, ins.args[0], ins.args[1:])


@body("red")
def reduction(ins, m):
    if "async" in ins.parts:
        raise PTXError("red.async is not modelled")
    return build(ins, m, None, ins.args)


def turns(at, rng):
    """Positions in groups: no address twice in a group, the order random."""
    if len(np.unique(at)) == len(at):
        return [np.arange(len(at))]
    order = rng.permutation(len(at))
    groups, seen = [], {}
    for i in order:
        n = seen.get(at[i], 0)
        seen[at[i]] = n + 1
        if n == len(groups):
            groups.append([])
        groups[n].append(i)
    return [np.array(g) for g in groups]


def build(ins, m, result, args):
    t, name = ins.parts[-1], operation(ins)
    width = TYPES[t].bytes
    if t not in TYPES or len(args) < 2:
        raise PTXError(f"{ins.op} is not modelled")
    d = m.write(result, f"b{8 * width}")
    space, address = memory_space(ins, m), m.address(args[0])
    x = reader(m, args[1], t)
    y = reader(m, args[2], t) if name == "cas" else None
    update = exchange_if_equal if name == "cas" else typed(OPERATIONS[name], t)
    bits = UNSIGNED[width]

    def run(s):
        at, view = space.update(s, address(s), width)
        a, b = x[s], y[s] if name == "cas" else None
        old = np.empty(len(at), bits)
        for g in turns(at, m.rng):
            here = view[at[g]]
            old[g] = here
            new = update(here, a[g], b[g]) if name == "cas" \
                else update(here, a[g])
            view[at[g]] = new
        d[s] = old
    return run


def exchange_if_equal(old, compare, value):
    return np.where(old == compare, value, old)


def typed(f, t):
    """The operation on bits."""
    want, brain = TYPES[t], t.startswith("bf16")
    shape = (-1,) if want.lanes == 1 else (-1, want.lanes)
    small = np.uint16 if brain else want.dtype

    def run(old, x):
        bits = old.dtype
        a = np.ascontiguousarray(old).view(small).reshape(shape)
        b = np.ascontiguousarray(x).view(small).reshape(shape)
        r = to_bf16(f(from_bf16(a), from_bf16(b))) if brain else f(a, b)
        r = np.ascontiguousarray(r.astype(small))
        return r.reshape(-1).view(bits)
    return run
