"""cp.async: copies to shared memory by groups of each thread."""

import numpy as np

from ..faults import Fault, PTXError
from ..ir import Imm
from ..spaces import check_alignment
from . import body, bulk


@body("cp")
def copy(ins, m):
    kind = ins.parts[2]
    if kind == "commit_group":
        return m.copies.commit
    if kind == "wait_group":
        left = ins.args[0].value
        return lambda s: m.copies.wait(s, left)
    if kind == "wait_all":
        return lambda s: m.copies.wait(s, None)
    if kind in ("ca", "cg"):
        return copy_bytes(ins, m)
    return bulk.build(ins, m)


def copy_bytes(ins, m):
    to, source = m.address(ins.args[0]), m.address(ins.args[1])
    size = ins.args[2].value
    if size not in (4, 8, 16) or size != 16 and "cg" in ins.parts:
        raise PTXError(f"{ins.op} of {size} bytes")
    hint = any("cache_hint" in p for p in ins.parts)
    rest = ins.args[3:-1] if hint else ins.args[3:]
    ignore, wanted = None, None
    if rest and isinstance(rest[0], Imm) or rest and rest[0].type != "pred":
        wanted = m.read(rest[0], "u32")
    elif rest:
        ignore = m.read(rest[0], "pred")
    shared, memory = m.shared, m.launch.memory

    def run(s):
        target, address = to(s), source(s)
        check_alignment(s, target, size)
        target = shared.locate(s, target, size, True)
        count = np.full(len(target), size, np.int64)
        if wanted is not None:
            count = wanted[s].astype(np.int64)
            if (count > size).any():
                raise Fault(f"cp.async with a source of {int(count.max())} "
                            f"bytes for {size}")
        if ignore is not None:
            count = np.where(ignore[s], 0, count)
        m.copies.issue(s, target, locate(s, address, size, count), size, count)

    def locate(s, address, size, count):
        if (count == size).all():
            check_alignment(s, address, size)
            return memory.locate(s, address, size, False)
        at = np.zeros(len(address), np.int64)
        lanes = m.index[s]
        for n in np.unique(count[count > 0]):
            mine = count == n
            check_alignment(lanes[mine], address[mine], size)
            at[mine] = memory.locate(lanes[mine], address[mine], int(n), False)
        return at

    return run
