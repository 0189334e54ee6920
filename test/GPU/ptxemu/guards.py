"""@p before an instruction, and instructions that wait for their warp."""

import numpy as np

from .faults import Fault


def guard_body(ins, m, closure):
    if ins.guard is None:
        return closure
    guard, index = m.read(ins.guard, "pred"), m.index

    def guarded(s):
        on = guard[s]
        if on.all():
            closure(s)
        elif on.any():
            closure(index[s][on])

    return guarded


def guard_end(ins, m, end, after):
    if ins.guard is None:
        return end
    guard, index = m.read(ins.guard, "pred"), m.index

    def guarded(s):
        on = guard[s]
        if on.all():
            return end(s)
        if not on.any():
            return after
        lanes = index[s]
        there = end(lanes[on])
        if not isinstance(there, list):
            there = [(there, lanes[on])]
        return there + [(after, lanes[~on])]

    return guarded


def sync_end(closure, mask, ins, m, n):
    """Runs the closure for warps of which all lanes that take part are here.
    mask: "aligned", or the operand that holds the members."""
    after = n + 1
    members = None if mask == "aligned" else m.read(mask, "b32")
    seen = [None]  # lanes known to be complete
    further = getattr(closure, "ready", None)  # what else it waits for

    def end(s):
        if further is None and (type(s) is slice and members is None or
                                s is seen[0]):
            closure(s)
            return after
        rows, active = m.whole_warps(s)
        if active is None:
            active = np.ones(rows.shape, bool)
        ready = complete(rows, active)
        if further is not None:
            ready &= further(rows)
        if ready.all():
            if members is None:
                seen[0] = s
            closure(s)
            return after
        lanes, waiting = rows[ready][active[ready]], \
            rows[~ready][active[~ready]]
        result = [(~n, waiting)]
        if len(lanes):
            closure(lanes)
            result.append((after, lanes))
        return result

    def complete(rows, active):
        live = m.live[rows]
        if members is None:
            if not live.all():
                gone = rows[~live.all(1)][0]
                check_partial(gone)
            return active.all(1) | ~(live & ~active).any(1)
        wanted = members[rows]
        if (active & (wanted >> m.lane[rows] & 1 == 0)).any():
            raise Fault("a thread is not in its own member mask",
                        lane=int(rows[active][0]))
        first = active.argmax(1)
        mask_of = wanted[np.arange(len(rows)), first][:, None]
        if (active & (wanted != mask_of)).any():
            return split_masks(rows, active, wanted)
        needed = (mask_of >> np.arange(32, dtype=np.uint32) & 1 == 1) & live
        return ~(needed & ~active).any(1)

    def split_masks(rows, active, wanted):
        raise Fault("threads of a warp execute this with different member "
                    "masks at once: not modelled", lane=int(rows[active][0]))

    def check_partial(row):
        if ins.parts[0] in ("mma", "wmma", "ldmatrix", "stmatrix", "wgmma"):
            if m.thread[row[-1]] >= m.threads or not m.live[row].all():
                raise Fault("needs all 32 threads of the warp, some of which "
                            "do not exist or have exited", lane=int(row[0]))

    return end
