"""What needs no more here than to be read: fences, hints, sleep."""

import numpy as np

from ..faults import Fault
from . import body


@body("fence")
def fence(ins, m):
    if "proxy" in ins.parts and "async" in ins.op and m.races:
        return m.races.proxy_fence
    return lambda s: None


@body("membar", "prefetch", "prefetchu", "discard", "applypriority",
      "griddepcontrol", "pmevent", "setmaxnreg")
def nothing(ins, m):
    return lambda s: None


@body("nanosleep")
def sleep(ins, m):
    def run(s):
        m.waiting = True
    return run


@body("createpolicy")
def cache_policy(ins, m):
    d = m.write(ins.args[0], "b64")

    def run(s):
        d[s] = np.uint64(0)
    return run


@body("mapa")
def map_address(ins, m):
    """The address in another block of the cluster: there is one block."""
    t = ins.parts[-1]
    d, a = m.write(ins.args[0], t), m.read(ins.args[1], t)
    rank = m.read(ins.args[2], "u32")

    def run(s):
        if rank[s].any():
            raise Fault("clusters of more than one block are not modelled")
        d[s] = a[s]
    return run
