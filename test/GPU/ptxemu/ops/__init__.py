"""What instructions do: one file per family.

A builder is called once per instruction with (instruction, machine) and returns
a closure of the lanes; builders of CONTROL get the program and their block's
number too, and their closures return where the lanes go.
"""

from collections import namedtuple

from ..faults import PTXError
from ..types import TYPES

BODY = {}
CONTROL = {}

Control = namedtuple("Control", ["build", "applies"])

ALIGNED = {"mma", "wmma", "ldmatrix", "stmatrix", "movmatrix", "wgmma",
           "setmaxnreg"}
# Where the operand with the members of the warp stands.
MEMBERS = {"shfl": -1, "vote": -1, "match": -1, "redux": -1, "elect": -1}


def body(*names):
    def register(builder):
        for name in names:
            BODY[name] = builder
        return builder
    return register


def control(*names, applies=lambda ins: True):
    def register(builder):
        for name in names:
            CONTROL[name] = Control(builder, applies)
        return builder
    return register


def only(ins, *words):
    """Refuses qualifiers that a builder does not know."""
    unknown = [p for p in ins.parts[1:] if p not in words and p not in TYPES]
    if unknown:
        raise PTXError(f"{ins.op}: .{unknown[0]} is not modelled")


def sync_mask(ins):
    """None, "aligned", or the operand with the member mask."""
    name = ins.parts[0]
    if name in ALIGNED:
        return "aligned"
    if name in MEMBERS and "sync" in ins.parts:
        return ins.args[MEMBERS[name]]
    if name in ("bar", "barrier") and "warp" in ins.parts:
        return ins.args[0]
    return None


from . import (atomics, barrier, bits, compare, convert,  # noqa: E402, F401
               copy_async, floating, flow, half, integer, load_store, matrix,
               mbarrier, misc, move, warp, wgmma, wmma)

integer.register()
