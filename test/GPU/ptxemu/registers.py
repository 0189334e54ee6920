"""Registers of all threads as arrays, and operands as arrays over threads."""

import numpy as np

from .faults import Fault, PTXError
from .lanes import nth
from .types import POISON, SIGNED, TYPES, UNSIGNED, storage


class Narrow:
    """A wide register read as a narrower type."""

    def __init__(self, array, dtype):
        self.array = array
        self.dtype = dtype
        self.bits = UNSIGNED[dtype.itemsize]

    def __getitem__(self, s):
        return self.array[s].astype(self.bits).view(self.dtype)


class Widen:
    """A wide register written with a narrower type: extended by its sign."""

    def __init__(self, array, dtype):
        self.array = array
        self.dtype = dtype
        size = array.dtype.itemsize
        self.wide = (SIGNED if dtype.kind == "i" else UNSIGNED)[size]

    def __setitem__(self, s, values):
        values = np.asarray(values).astype(self.dtype)
        if self.dtype.kind == "f":
            values = values.view(UNSIGNED[self.dtype.itemsize])
        self.array[s] = values.astype(self.wide).view(self.array.dtype)


class Inverted:
    def __init__(self, array):
        self.array = array

    def __getitem__(self, s):
        return ~self.array[s]


class Sink:
    def __setitem__(self, s, values):
        pass


class Checked:
    """A register that may be read before it was written."""

    def __init__(self, array, written, name):
        self.array = array
        self.written = written
        self.name = name

    def __getitem__(self, s):
        bad = ~self.written[s]
        if bad.any():
            raise Fault(f"register {self.name} is read before it was written",
                        lane=nth(s, int(np.flatnonzero(bad)[0])))
        return self.array[s]

    def __setitem__(self, s, values):
        self.array[s] = values
        self.written[s] = True


class Registers:
    def __init__(self, lanes, rng):
        self.lanes = lanes
        self.rng = rng
        self.arrays = {}
        self.written = {}

    def raw(self, reg):
        array = self.arrays.get(reg.name)
        if array is None:
            array = np.empty(self.lanes, storage(reg.type))
            self.arrays[reg.name] = array
        return array

    def poison(self):
        for array in self.arrays.values():
            if array.dtype == bool:
                array[:] = self.rng.random(self.lanes) < 0.5
            else:
                array[:] = POISON[array.dtype.itemsize]
        for written in self.written.values():
            written[:] = False

    def typed(self, reg, type_name, write):
        array, want = self.raw(reg), TYPES[type_name]
        if array.dtype == bool or want.name == "pred":
            if array.dtype != bool or want.name != "pred":
                raise PTXError(f"{reg.name} is a .{reg.type}, not a "
                               f".{type_name}")
            return array
        have = array.dtype.itemsize
        if have == want.bytes:
            view = array.view(want.dtype)
            return view if want.lanes == 1 else view.reshape(-1, want.lanes)
        if have < want.bytes or want.lanes > 1:
            raise PTXError(f"{reg.name} is a .{reg.type}: too narrow for a "
                           f".{type_name}")
        return (Widen if write else Narrow)(array, want.dtype)

    def checked(self, reg, view):
        written = self.written.get(reg.name)
        if written is None:
            written = self.written[reg.name] = np.zeros(self.lanes, bool)
        return Checked(view, written, reg.name)


def constant(imm, type_name):
    """An immediate as a NumPy scalar of a type."""
    want = TYPES[type_name]
    if want.name == "pred":
        return np.bool_(imm.value)
    if imm.kind == "int" and want.dtype.kind != "f" or want.lanes > 1:
        value = imm.value & (1 << 8 * want.bytes) - 1
        bits = np.array([value], UNSIGNED[want.bytes]).view(want.dtype)
        return bits if want.lanes > 1 else bits[0]
    if imm.kind == "int":
        return want.dtype.type(imm.value)
    source = np.float32 if imm.kind == "f32" else np.float64
    bits = UNSIGNED[np.dtype(source).itemsize].type(imm.value)
    if want.dtype.kind != "f":  # mov.b32 %r, 0f3F800000
        if want.bytes != bits.nbytes:
            raise PTXError(f"a .{imm.kind} literal where a .{type_name} is "
                           "expected")
        return np.array(bits).view(want.dtype)[()]
    return np.array(bits).view(source)[()].astype(want.dtype)
