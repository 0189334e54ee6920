"""Bytes with typed views, and global memory, whose buffers lie far apart."""

import numpy as np

from .faults import Fault
from .lanes import nth
from .types import UNSIGNED

# Bits of an address: which allocation, and the byte in it.
SHIFT = 36
OFFSET = (1 << SHIFT) - 1
# Windows of the other spaces in the generic address space.
SHARED_WINDOW = 1 << 45
LOCAL_WINDOW = 1 << 46
SHARED_BASE = 1024  # the driver's part of shared memory comes first


class Bytes:
    def __init__(self, size):
        self.view = {}
        self.resize(size)

    def resize(self, size):
        raw = np.empty(size // 8 + 2, UNSIGNED[8])
        self.view = {n: raw.view(t) for n, t in UNSIGNED.items()}

    @property
    def bytes(self):
        return self.view[1]

    def load(self, at, width, count):
        """Elements from aligned byte offsets: (n,) or (n, count)."""
        view, at = self.view[width], at // width
        if count == 1:
            return view[at]
        return view[at[:, None] + np.arange(count)]

    def store(self, at, values, width):
        view, at = self.view[width], at // width
        if values.ndim == 1:
            view[at] = values
        else:
            view[at[:, None] + np.arange(values.shape[1])] = values


class Allocation:
    def __init__(self, name, data, writable):
        self.name = name
        self.data = data  # the caller's bytes, written back at the end
        self.writable = writable
        self.size = data.size
        self.base = 0  # in the arena


class GlobalMemory(Bytes):
    """All buffers in one arena; an address tells the buffer, so that leaving
    one never ends in another."""

    def __init__(self):
        self.allocations = [None]
        self.tensor_maps = []
        super().__init__(0)

    def allocate(self, name, data, writable=True):
        """The address of a copy of `data`, an array of bytes."""
        allocation = Allocation(name, data, writable)
        self.allocations.append(allocation)
        return len(self.allocations) - 1 << SHIFT

    def allocation(self, address):
        return self.allocations[address >> SHIFT]

    def open(self):
        """Copies all buffers in."""
        total = 0
        for a in self.allocations[1:]:
            a.base, total = total, total + (a.size + 271) // 256 * 256
        self.resize(total)
        self.bytes[:] = 0xA5
        for a in self.allocations[1:]:
            self.bytes[a.base:a.base + a.size] = a.data
        known = self.allocations[1:]
        self.bases = np.array([0] + [a.base for a in known], np.int64)
        self.sizes = np.array([-1] + [a.size for a in known], np.int64)
        self.limits = np.array([-1] + [a.size if a.writable else -1
                                       for a in known], np.int64)

    def close(self):
        """Copies what may have changed back."""
        for a in self.allocations[1:]:
            if a.writable:
                a.data[:] = self.bytes[a.base:a.base + a.size]

    def locate(self, s, address, size, write):
        """Offsets in the arena of `size` bytes at each address."""
        which = address >> SHIFT
        offset = address & OFFSET
        first = int(which[0]) if which.size else 0
        if not 0 < first < len(self.allocations) or (which != first).any():
            return self.locate_each(s, address, which, offset, size, write)
        limit = (self.limits if write else self.sizes)[first]
        bad = offset > limit - size
        if bad.any():
            self.fail(s, bad, address, size, write)
        return offset + self.bases[first]

    def locate_each(self, s, address, which, offset, size, write):
        inside = (which > 0) & (which < len(self.allocations))
        which = np.where(inside, which, 0)
        limit = (self.limits if write else self.sizes)[which]
        bad = offset > limit - size
        if bad.any():
            self.fail(s, bad, address, size, write)
        return offset + self.bases[which]

    def fail(self, s, bad, address, size, write):
        at = int(np.flatnonzero(bad)[0])
        raise Fault(f"{'writes' if write else 'reads'} {size} bytes at "
                    f"{self.describe(int(address[at]), write)}",
                    lane=nth(s, at))

    def describe(self, address, write):
        which, offset = address >> SHIFT, address & OFFSET
        for away in (0, 1):  # just before a buffer looks like the one before
            if 0 < which + away < len(self.allocations):
                a = self.allocations[which + away]
                at = offset - (away << SHIFT)
                if away and at < -OFFSET // 2 or not away and at > OFFSET // 2:
                    continue
                only = " (read only)" if write and not a.writable else ""
                return (f"{address:#x}: byte {at} of global buffer {a.name}"
                        f"{only}, which has {a.size}")
        return f"{address:#x}, where no global buffer is"


class Shared(Bytes):
    """The shared memory of all blocks of a machine."""

    def __init__(self, machine, size):
        self.machine = machine
        self.size = size
        self.stride = (size + 15) // 16 * 16
        super().__init__(self.stride * machine.blocks)
        self.start = machine.block * self.stride - SHARED_BASE

    def poison(self):
        self.bytes[:] = 0xFF

    def locate(self, s, address, size, write):
        bad = (address < SHARED_BASE) | \
            (address > SHARED_BASE + self.size - size)
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            raise Fault(f"{'writes' if write else 'reads'} {size} bytes at "
                        f"byte {int(address[at]) - SHARED_BASE} of shared "
                        f"memory, which has {self.size}", lane=nth(s, at))
        return address + self.start[s]


class Local(Bytes):
    """Every thread's own memory."""
    BASE = 16

    def __init__(self, machine, size):
        self.size = size
        self.stride = (size + 15) // 16 * 16
        super().__init__(self.stride * machine.lanes)
        self.start = np.arange(machine.lanes, dtype=np.int64) * self.stride \
            - self.BASE

    def poison(self):
        self.bytes[:] = 0xFF

    def locate(self, s, address, size, write):
        bad = (address < self.BASE) | (address > self.BASE + self.size - size)
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            raise Fault(f"{'writes' if write else 'reads'} {size} bytes at "
                        f"byte {int(address[at]) - self.BASE} of local memory, "
                        f"which has {self.size}", lane=nth(s, at))
        return address + self.start[s]
