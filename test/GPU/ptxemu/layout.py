"""Where variables and parameters lie."""

import numpy as np

from .faults import PTXError
from .memory import SHARED_BASE, Local
from .types import TYPES, UNSIGNED


def align(value, to):
    return (value + to - 1) // to * to


def initial_bytes(var):
    """What a .global or .const variable holds at the start."""
    data = np.zeros(max(var.bytes, 1), np.uint8)
    if var.init:
        want = TYPES[var.type]
        from .registers import constant
        values = [constant(v, var.type) for v in var.init]
        raw = np.array(values, want.dtype).view(UNSIGNED[1])
        data[:len(raw)] = raw
    return data


def shared_width(ins):
    """Bytes of the smallest piece of shared memory that it may touch."""
    parts = ins.parts
    if parts[0] not in ("ld", "st", "atom", "red") or "global" in parts or \
            "param" in parts or parts[-1] not in TYPES:
        return 4
    return min(4, TYPES[parts[-1]].bytes)


class Layout:
    def __init__(self, module, functions, entry, params_address, shared):
        """`functions`: the entry and what it calls."""
        self.addresses = {}
        self.spaces = {}
        self.granule = min([4] + [shared_width(ins) for f in functions
                                  for ins in f.code])
        self.shared_variables(module, functions, shared)
        self.local_variables(functions, entry)
        at = 0
        self.params = {}
        for p in entry.params:
            at = align(at, p.align)
            self.put(p.name, "param", params_address + at)
            self.params[p.name] = (at, p)
            at += p.bytes
        self.param_bytes = at

    def put(self, name, space, address):
        self.addresses[name] = address
        self.spaces[name] = space

    def address(self, name):
        if name not in self.addresses:
            raise PTXError(f"{name} is not a variable")
        return self.addresses[name]

    def shared_variables(self, module, functions, dynamic):
        variables = [v for v in module.vars.values() if v.space == "shared"]
        for f in functions:
            variables += [v for v in f.vars if v.space == "shared"]
        at = SHARED_BASE
        extern = [v for v in variables if v.count is None]
        for v in variables:
            if v.count is not None:
                at = align(at, v.align)
                self.put(v.name, "shared", at)
                at += v.bytes
        start = align(at, max([16] + [v.align for v in extern]))
        for v in extern:
            self.put(v.name, "shared", start)
        if dynamic:
            at = start + dynamic
        self.shared_bytes = at - SHARED_BASE

    def local_variables(self, functions, entry):
        at = Local.BASE
        for f in functions:
            own = [v for v in f.vars if v.space in ("local", "param")]
            if f is not entry:
                own += f.params + f.results
            for v in own:
                at = align(at, v.align)
                self.put(v.name, "local", at)
                at += v.bytes
        self.local_bytes = at - Local.BASE
