"""cp.async.bulk and its tensor forms."""

import numpy as np

from .. import bulk
from ..faults import Fault, PTXError
from ..ir import Mem
from ..memory import SHARED_WINDOW
from ..tensor_map import find

REDUCTIONS = {"add": np.add, "min": np.minimum, "max": np.maximum,
              "and": np.bitwise_and, "or": np.bitwise_or,
              "xor": np.bitwise_xor}


def build(ins, m):
    """What ops/copy_async.py does not know."""
    op = ins.op
    if op.startswith("cp.async.mbarrier.arrive"):
        return arrive_after_copies(ins, m)
    if op.startswith("cp.reduce.async.bulk.tensor."):
        kind = next((p for p in ins.parts if p in REDUCTIONS), None)
        if kind is None:
            raise PTXError(f"{op} is not modelled")
        return copy(ins, m, REDUCTIONS[kind])
    if not op.startswith("cp.async.bulk"):
        raise PTXError(f"{op} is not modelled")
    if ins.parts[3] == "commit_group":
        return m.stores.commit
    if ins.parts[3] == "wait_group":
        left, only_read = ins.args[0].value, "read" in ins.parts
        return lambda s: m.stores.wait(s, left, only_read)
    if "prefetch" in ins.parts:
        return lambda s: None
    unknown = {"im2col", "im2col_no_offs", "im2col::w", "tile::gather4",
               "tile::scatter4"} & set(ins.parts)
    if unknown or any("multicast" in p for p in ins.parts):
        raise PTXError(f"{op} is not modelled")
    return copy(ins, m, None)


def arrive_after_copies(ins, m):
    from .mbarrier import shared_address
    address = shared_address(ins, m, ins.args[0])
    counted = "noinc" in ins.parts

    def run(s):
        m.copies.arrive_later(m.index[s], address(s), counted)
    return run


def is_load(ins):
    """Whether it goes to shared memory."""
    order = [p.split("::")[0] for p in ins.parts
             if p.split("::")[0] in ("shared", "global")]
    if order not in (["shared", "global"], ["global", "shared"]):
        raise PTXError(f"{ins.op} is not modelled")
    return order[0] == "shared"


def copy(ins, m, reduce):
    load = is_load(ins)
    if load:
        if not any("mbarrier::complete_tx" in p for p in ins.parts):
            raise PTXError(f"{ins.op}: only mbarriers are modelled")
    elif "bulk_group" not in ins.parts:
        raise PTXError(f"{ins.op}: only bulk groups are modelled")
    tensor = "tensor" in ins.parts
    memory = [a for a in ins.args if isinstance(a, Mem)]
    global_mem = memory[1 if load else 0]
    shared = m.address(memory[0 if load else 1])
    mbarrier = m.address(memory[2]) if load else None
    places = tensor_places(ins, m, global_mem) if tensor else \
        plain_places(ins, m, global_mem)

    def run(s):
        lanes = m.index[s]
        at = local_address(shared(s))
        key = local_address(mbarrier(s)) if load else at
        for i, lane in enumerate(lanes):
            issue(lane, int(key[i]), *places(lane, int(at[i])))

    def local_address(address):
        return np.where(address >= SHARED_WINDOW, address - SHARED_WINDOW,
                        address)

    def issue(lane, key, here, there, inside, width, fill, array):
        lanes = np.full(len(here), lane)
        in_shared = m.shared.locate(lanes, here, width, load)
        in_global = there[inside]
        if len(in_global):
            in_global = m.launch.memory.locate(lanes[inside], in_global, width,
                                               not load)
        if load:
            m.mbarriers.at(key, lane)
            m.copies.jobs.append(bulk.Load(m, lane, in_shared, in_global,
                                           inside, width, fill, key))
            return
        f = typed_reduction(reduce, array) if reduce else None
        m.stores.list.append(bulk.Store(m, lane, in_shared, in_global, inside,
                                        width, f))

    return run


def typed_reduction(f, dtype):
    def run(old, new):
        return f(old.view(dtype), new.view(dtype)).view(old.dtype)
    return run


def tensor_places(ins, m, mem):
    rank = int(next(p[0] for p in ins.parts if p in (
        "1d", "2d", "3d", "4d", "5d")))
    if len(mem.coords) != rank:
        raise PTXError(f"{ins.op} with {len(mem.coords)} coordinates")
    address = m.address(mem)
    coordinates = [m.read(c, "s32") for c in mem.coords]

    def places(lane, at):
        one = np.array([lane])
        found = find(m.launch.memory, int(address(one)[0]), int(lane))
        if found.array.ndim != rank:
            raise Fault(f"a tensor map of {found.array.ndim} dimensions",
                        lane=int(lane))
        if at % 128:
            raise Fault(f"a tile at byte {at - 1024} of shared memory: not a "
                        "multiple of 128", lane=int(lane))
        there, inside = found.places([int(c[one][0]) for c in coordinates])
        return (found.shared_places(at), there, inside, found.width,
                found.outside(), found.array.dtype)
    return places


def plain_places(ins, m, mem):
    address, size = m.address(mem), m.read(ins.args[2], "u32")

    def places(lane, at):
        one = np.array([lane])
        n, start = int(size[one][0]), int(address(one)[0])
        if n % 16 or at % 16 or start % 16 or not n:
            raise Fault(f"a bulk copy of {n} bytes from {start:#x} to byte "
                        f"{at - 1024}: not multiples of 16", lane=int(lane))
        offset = np.arange(0, n, 8)
        return (at + offset, start + offset, np.ones(len(offset), bool), 8,
                np.uint64(0), np.dtype(np.uint64))
    return places
