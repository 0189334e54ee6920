"""bar and barrier."""

import numpy as np

from ..faults import Fault
from . import body, control


def of_block(ins):
    return "warp" not in ins.parts


@body("bar", "barrier")
def warp_barrier(ins, m):
    """bar.warp.sync: that its warp is here is all it waits for."""
    return lambda s: None


@control("bar", "barrier", applies=of_block)
def block_barrier(ins, m, program, n):
    parts = [p for p in ins.parts[1:] if p != "cta"]
    mode = parts[0]
    if "cluster" in parts:
        return cluster_barrier(ins, m, program, n)
    aligned = ins.parts[0] == "bar" or "aligned" in parts
    args = list(ins.args)
    result = args.pop(0) if mode == "red" else None
    predicate = args.pop() if mode == "red" else None
    number = m.read(args[0], "u32")
    expected = m.read(args[1], "u32") if len(args) > 1 else None
    reduce = Reduction(ins, m, result, predicate) if result else None
    after = n + 1

    def end(s):
        lanes = m.index[s]
        if aligned:
            waiting = incomplete(m, s, lanes)
            if waiting is not None:
                here = lanes[~waiting]
                return [(~n, lanes[waiting])] + \
                    ([] if not len(here) else at(here) or [])
        return at(lanes)

    def at(lanes):
        numbers = number[lanes]
        counts = expected[lanes] if expected is not None else 0 * numbers
        for which in np.unique(numbers):
            mine = numbers == which
            count = int(counts[mine][0])
            if (counts[mine] != count).any():
                raise Fault("threads of a warp name different numbers of "
                            "threads", lane=int(lanes[0]))
            group = lanes[mine]
            unit = m.units[m.warp[group[0]]]
            if reduce:
                reduce.put(int(which), group)
            go_on = None if mode == "arrive" else (unit, after)
            m.barriers.arrive(int(which), group, count, ins, go_on,
                              aligned)
        return [(after, lanes)] if mode == "arrive" else []

    return end


def incomplete(m, s, lanes):
    """Lanes whose warp is not here as a whole, or None."""
    if type(s) is slice:
        return None
    here = np.zeros(m.lanes, bool)
    here[lanes] = True
    rows = np.unique(lanes >> 5)
    missing = np.zeros(m.lanes // 32, bool)
    both = (m.live & ~here).reshape(-1, 32)[rows]
    missing[rows] = both.any(1)
    waiting = missing[lanes >> 5]
    return waiting if waiting.any() else None


class Reduction:
    """bar.red: results are known when the last has arrived."""

    def __init__(self, ins, m, result, predicate):
        self.m = m
        self.kind = next(k for k in ("popc", "and", "or") if k in ins.parts)
        self.source = m.read(predicate, "pred")
        self.to = m.write(result, "u32" if self.kind == "popc" else "pred")
        self.seen = {}

    def put(self, number, lanes):
        """Every arrival writes the result for all that came before."""
        m = self.m
        for block in np.unique(m.block[lanes]):
            mine = lanes[m.block[lanes] == block]
            key = number, int(block)
            known = self.seen.setdefault(key, [])
            known.append(mine)
            members = np.concatenate(known)
            value = self.source[members]
            result = {"popc": value.sum(), "and": value.all(),
                      "or": value.any()}[self.kind]
            self.to[members] = result
            if len(members) == m.live[m.block == block].sum():
                del self.seen[key]


def cluster_barrier(ins, m, program, n):
    """With one block to a cluster, a barrier of the block of its own."""
    after = n + 1

    def end(s):
        lanes = m.index[s]
        if "arrive" in ins.parts:
            return after
        unit = m.units[m.warp[lanes[0]]]
        m.barriers.arrive(15, lanes, 0, ins, (unit, after))
        return []
    return end
