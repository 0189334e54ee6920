"""mbarrier instructions."""

import numpy as np

from ..faults import Fault, PTXError
from ..ir import Mem
from ..memory import SHARED_WINDOW
from ..spaces import check_alignment
from . import body


def shared_address(ins, m, mem):
    """Addresses in the shared space, from there or from the generic one."""
    address = m.address(mem)
    in_shared = any(p.startswith("shared") for p in ins.parts)
    size = m.shared

    def run(s):
        at = address(s)
        if not in_shared:
            at = at - SHARED_WINDOW
        check_alignment(s, at, 8)
        size.locate(s, at, 8, True)
        return at
    return run


@body("mbarrier")
def build(ins, m):
    kind = ins.parts[1]
    place = next(i for i, a in enumerate(ins.args) if isinstance(a, Mem))
    address = shared_address(ins, m, ins.args[place])
    rest = ins.args[place + 1:]
    result = ins.args[0] if place else None
    if kind == "init":
        count = m.read(rest[0], "u32")

        def initialise(s):
            m.mbarriers.initialise(m.index[s], address(s), count[s])
        return initialise
    if kind == "inval":
        return lambda s: m.mbarriers.invalidate(m.index[s], address(s))
    if kind in ("arrive", "arrive_drop"):
        return arrive(ins, m, address, result, rest)
    if kind in ("expect_tx", "complete_tx"):
        return transaction(ins, m, address, rest)
    if kind in ("test_wait", "try_wait"):
        return wait(ins, m, address, result, rest)
    if kind == "pending_count":
        raise PTXError("mbarrier.pending_count is not modelled")
    raise PTXError(f"{ins.op} is not modelled")


def arrive(ins, m, address, result, rest):
    expects = "expect_tx" in ins.parts
    amount = m.read(rest[0], "u32") if expects else None
    count = m.read(rest[0], "u32") if rest and not expects else None
    drop = ins.parts[1] == "arrive_drop"
    d = m.write(result, "b64")

    def run(s):
        lanes, at = m.index[s], address(s)
        if expects:
            m.mbarriers.expect(lanes, at, amount[s].astype(np.int64))
        n = np.ones(len(lanes), np.int64) if count is None \
            else count[s].astype(np.int64)
        d[s] = m.mbarriers.arrive(lanes, at, n, drop).astype(np.uint64)
    return run


def transaction(ins, m, address, rest):
    amount = m.read(rest[0], "u32")
    sign = 1 if ins.parts[1] == "expect_tx" else -1

    def run(s):
        lanes, at, n = m.index[s], address(s), amount[s].astype(np.int64)
        if sign > 0:
            m.mbarriers.expect(lanes, at, n)
            return
        for lane, a, k in zip(lanes, at, n):
            m.mbarriers.complete(int(a), int(m.block[lane]), int(k))
    return run


def wait(ins, m, address, result, rest):
    parity = "parity" in ins.parts
    phase = m.read(rest[0], "u32" if parity else "b64")
    d = m.write(result, "pred")

    def run(s):
        phases = phase[s].astype(np.int64)
        if parity and (phases > 1).any():
            raise Fault(f"a parity of {int(phases.max())}")
        over = m.mbarriers.done(m.index[s], address(s), phases, parity)
        d[s] = over
        if not over.all():
            m.waiting = True
    return run
