"""%tid, %laneid and the other registers that nobody writes."""

import time

import numpy as np

from .faults import PTXError
from .registers import Narrow
from .types import TYPES


class Clock:
    def __init__(self, machine, dtype, nanoseconds=False):
        self.machine = machine
        self.dtype = dtype
        self.nanoseconds = nanoseconds

    def __getitem__(self, s):
        now = time.monotonic_ns() if self.nanoseconds else self.machine.steps
        return np.full(len(self.machine.index[s]), now & 0xFFFFFFFF,
                       self.dtype)


class Special:
    def __init__(self, arrays):
        self.arrays = arrays

    def read(self, name, type_name):
        array = self.arrays.get(name)
        if array is None:
            raise PTXError(f"{name} is not modelled")
        want = TYPES[type_name]
        if not isinstance(array, np.ndarray):
            return array
        if array.dtype.itemsize == want.bytes:
            return array.view(want.dtype)
        if array.dtype.itemsize > want.bytes:
            return Narrow(array, want.dtype)
        return array.astype(want.dtype)


def special_registers(m):
    def all_lanes(value):
        return np.full(m.lanes, value, np.uint32)

    bx, by, bz = m.launch.block
    thread, lane = m.thread, m.lane
    one = np.uint64(1) << lane.astype(np.uint64)
    arrays = {
        "%laneid": lane, "%warpid": m.warp, "%nwarpid": all_lanes(m.warps),
        "%smid": all_lanes(0), "%nsmid": all_lanes(1), "%gridid": all_lanes(0),
        "%lanemask_eq": one, "%lanemask_lt": one - 1,
        "%lanemask_le": 2 * one - 1, "%lanemask_gt": 0xFFFFFFFF - (2 * one - 1),
        "%lanemask_ge": 0xFFFFFFFF - (one - 1),
        "%dynamic_smem_size": all_lanes(m.launch.shared),
        "%total_smem_size": all_lanes(m.layout.shared_bytes),
        "%aggr_smem_size": all_lanes(m.layout.shared_bytes),
        "%is_explicit_cluster": np.zeros(m.lanes, bool),
        "%cluster_ctarank": all_lanes(0), "%cluster_nctarank": all_lanes(1),
        "%clock": Clock(m, np.uint32), "%clock64": Clock(m, np.uint64),
        "%clock_hi": all_lanes(0), "%globaltimer_hi": all_lanes(0),
        "%globaltimer": Clock(m, np.uint64, True),
        "%globaltimer_lo": Clock(m, np.uint32, True)}
    tid = thread % bx, thread // bx % by, thread // bx // by
    for i, axis in enumerate("xyz"):
        arrays |= {
            f"%tid.{axis}": tid[i],
            f"%ntid.{axis}": all_lanes(m.launch.block[i]),
            f"%nctaid.{axis}": all_lanes(m.launch.grid[i]),
            f"%ctaid.{axis}": m.ctaid[:, i],
            f"%clusterid.{axis}": m.ctaid[:, i],
            f"%nclusterid.{axis}": all_lanes(m.launch.grid[i]),
            f"%cluster_ctaid.{axis}": all_lanes(0),
            f"%cluster_nctaid.{axis}": all_lanes(1)}
    for name, array in arrays.items():
        if isinstance(array, np.ndarray) and array.dtype.kind in "iu" and \
                array.base is None:
            arrays[name] = array.astype(np.uint32)
    return Special(arrays)
