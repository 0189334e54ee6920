"""Exchange within a warp: shfl, vote, match, redux, activemask, elect."""

import numpy as np

from ..faults import PTXError
from ..ir import Pair
from ..types import POISON, TYPES
from . import body, only


def checked(builder):
    """Only the forms that name their members."""
    def build(ins, m):
        if "sync" not in ins.parts:
            raise PTXError(f"{ins.op} without .sync is not modelled")
        return builder(ins, m)
    return build


def rows_of(m, s):
    rows, active = m.whole_warps(s)
    return rows, np.ones(rows.shape, bool) if active is None else active


@body("shfl")
@checked
def shuffle(ins, m):
    only(ins, "sync", "up", "down", "bfly", "idx")
    mode = ins.parts[2]
    first, second = ins.args[0], None
    if isinstance(first, Pair):
        first, second = first.first, first.second
    d, p = m.write(first, "b32"), m.write(second, "pred")
    a, b, c = (m.read(x, "b32") for x in ins.args[1:4])

    def run(s):
        rows, active = m.whole_warps(s)
        lane = m.lane[rows]
        by, control = b[rows].astype(np.int64), c[rows].astype(np.int64)
        clamp, segment = control & 31, control >> 8 & 31
        high = lane & segment | clamp & ~segment
        low = lane & segment
        by = by & 31
        if mode == "up":
            j = lane - by
            inside = j >= high
        elif mode == "down":
            j = lane + by
            inside = j <= high
        elif mode == "bfly":
            j = lane ^ by
            inside = j <= high
        else:
            j = low | by & ~segment
            inside = j <= high
        j = np.where(inside, j, lane)
        value = np.take_along_axis(a[rows], j, 1)
        if active is not None:  # what an absent lane holds is anybody's guess
            there = np.take_along_axis(active, j, 1)
            value = np.where(there, value, np.uint32(POISON[4]))
            value, inside = value[active], inside[active]
            d[s] = value
            p[s] = inside
            return
        d[s] = value.reshape(-1)
        p[s] = inside.reshape(-1)
    return run


@body("vote")
@checked
def vote(ins, m):
    only(ins, "sync", "ballot", "any", "all", "uni")
    mode = ins.parts[2]
    d = m.write(ins.args[0], "b32" if mode == "ballot" else "pred")
    a = m.read(ins.args[1], "pred")

    def run(s):
        rows, active = rows_of(m, s)
        value = a[rows]
        if mode == "ballot":
            bits = (value & active).astype(np.uint32) << \
                np.arange(32, dtype=np.uint32)
            r = bits.sum(1, dtype=np.uint32)
        elif mode == "any":
            r = (value & active).any(1)
        elif mode == "all":
            r = (value | ~active).all(1)
        else:
            r = (value | ~active).all(1) | ~(value & active).any(1)
        d[s] = np.broadcast_to(r[:, None], rows.shape)[active]
    return run


@body("activemask")
def active_mask(ins, m):
    d = m.write(ins.args[0], "b32")

    def run(s):
        rows, active = rows_of(m, s)
        bits = active.astype(np.uint32) << np.arange(32, dtype=np.uint32)
        r = bits.sum(1, dtype=np.uint32)
        d[s] = np.broadcast_to(r[:, None], rows.shape)[active]
    return run


@body("match")
@checked
def match(ins, m):
    mode, t = ins.parts[1], ins.parts[-1]
    first, second = ins.args[0], None
    if isinstance(first, Pair):
        first, second = first.first, first.second
    d, p = m.write(first, "b32"), m.write(second, "pred")
    a = m.read(ins.args[1], t)

    def run(s):
        rows, active = rows_of(m, s)
        value = a[rows]
        same = (value[:, :, None] == value[:, None, :]) & active[:, None, :]
        bits = (same.astype(np.uint64) << np.arange(32, dtype=np.uint64)) \
            .sum(2).astype(np.uint32)
        if mode == "any":
            d[s] = bits[active]
            return
        everyone = (same == active[:, None, :]).all(2)
        d[s] = np.where(everyone, bits, 0)[active]
        p[s] = everyone[active]
    return run


REDUCTIONS = {"add": np.add, "min": np.minimum, "max": np.maximum,
              "and": np.bitwise_and, "or": np.bitwise_or,
              "xor": np.bitwise_xor}


@body("redux")
@checked
def reduce_warp(ins, m):
    only(ins, "sync", *REDUCTIONS)
    t = ins.parts[-1]
    name = ins.parts[2]
    if name not in REDUCTIONS or TYPES[t].dtype.kind == "f":
        raise PTXError(f"{ins.op} is not modelled")
    d, a = m.write(ins.args[0], t), m.read(ins.args[1], t)
    info = np.iinfo(TYPES[t].dtype)
    neutral = {"add": 0, "or": 0, "xor": 0, "max": info.min, "min": info.max,
               "and": -1 if info.min else info.max}[name]

    def run(s):
        rows, active = rows_of(m, s)
        value = np.where(active, a[rows], TYPES[t].dtype.type(neutral))
        r = REDUCTIONS[name].reduce(value, axis=1, dtype=value.dtype)
        d[s] = np.broadcast_to(r[:, None], rows.shape)[active]
    return run


@body("elect")
@checked
def elect(ins, m):
    first, second = ins.args[0], None
    if isinstance(first, Pair):
        first, second = first.first, first.second
    d, p = m.write(first, "b32"), m.write(second, "pred")

    def run(s):
        rows, active = rows_of(m, s)
        leader = active.argmax(1)[:, None]
        d[s] = np.broadcast_to(leader, rows.shape)[active].astype(np.uint32)
        p[s] = (m.lane[rows] == leader)[active]
    return run
