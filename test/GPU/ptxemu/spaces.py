"""Loads and stores in a state space, checked: alignment, bounds, races."""

import numpy as np

from .faults import Fault
from .lanes import nth
from .memory import LOCAL_WINDOW, SHARED_WINDOW


def check_alignment(s, address, size):
    bad = (address & (size - 1)) != 0
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        raise Fault(f"address {int(address[at]):#x} is not a multiple of "
                    f"{size}", lane=nth(s, at))


class Space:
    """One memory as instructions see it. `strong`: ordered by itself (volatile,
    atomic), so no race."""

    def __init__(self, memory, races=None):
        self.memory = memory
        self.races = races

    def read(self, s, address, width, count=1, strong=False):
        size = width * count
        check_alignment(s, address, size)
        at = self.memory.locate(s, address, size, False)
        if self.races:
            self.races.read(s, at, size, strong)
        return self.memory.load(at, width, count)

    def write(self, s, address, values, width, strong=False):
        size = width * (1 if values.ndim == 1 else values.shape[1])
        check_alignment(s, address, size)
        at = self.memory.locate(s, address, size, True)
        if self.races:
            self.races.write(s, at, size, strong)
        self.memory.store(at, values, width)

    def update(self, s, address, width):
        """Offsets of atomic operands, and the view in which they lie."""
        check_alignment(s, address, width)
        at = self.memory.locate(s, address, width, True)
        if self.races:
            self.races.write(s, at, width, True)
        return at // width, self.memory.view[width]


class Generic:
    """The generic address space: windows of shared and local, else global."""

    def __init__(self, machine):
        self.machine = machine
        self.spaces = {"global": (0, machine.spaces["global"]),
                       "shared": (SHARED_WINDOW, machine.spaces["shared"]),
                       "local": (LOCAL_WINDOW, machine.spaces["local"])}

    def split(self, s, address):
        """(space, mask or None for all, address in the space)"""
        kind = address >> 45
        kind = np.where(kind == 2, 2, np.where(kind == 1, 1, 0))
        for i, name in enumerate(("global", "shared", "local")):
            mask = kind == i
            if mask.any():
                window, space = self.spaces[name]
                yield space, None if mask.all() else mask, address - window

    def read(self, s, address, width, count=1, strong=False):
        result = None
        for space, mask, at in self.split(s, address):
            if mask is None:
                return space.read(s, at, width, count, strong)
            lanes = self.machine.index[s][mask]
            part = space.read(lanes, at[mask], width, count, strong)
            if result is None:
                result = np.empty((len(mask),) + part.shape[1:], part.dtype)
            result[mask] = part
        return result

    def write(self, s, address, values, width, strong=False):
        for space, mask, at in self.split(s, address):
            if mask is None:
                space.write(s, at, values, width, strong)
            else:
                lanes = self.machine.index[s][mask]
                space.write(lanes, at[mask], values[mask], width, strong)

    def update(self, s, address, width):
        parts = list(self.split(s, address))
        if len(parts) != 1:
            raise Fault("an atomic instruction on several state spaces at "
                        "once is not modelled")
        space, _, at = parts[0]
        return space.update(s, at, width)
