"""Arrays in memory of the driver's own, by NumPy: checks without torch."""

import numpy as np

from . import reference
from .driver import Memory
from .record import Array

NAN = 0x7fff


def to_bits(values, dtype):
    """f32 to bf16 or f16, as uint16."""
    if dtype == "f16":
        return values.astype(np.float16).view(np.uint16)
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bits(bits, dtype):
    if bits.dtype == np.float32:
        return bits.astype(np.float64)
    if dtype == "f16":
        return bits.view(np.float16).astype(np.float64)
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


class Case:
    """A case's arrays of random numbers on the host, as bits."""

    def __init__(self, case, seed=0):
        self.case, self.bits = case, {}
        rng = np.random.default_rng(seed)
        for name, shape in case.shapes().items():
            count = case.skew + int(np.prod(shape))
            values = rng.standard_normal(count).astype(np.float32)
            self.bits[name] = to_bits(values, case.dtype)
        for name in case.outputs:
            self.bits[name][...] = NAN
        if case.backward:
            self.bits["lse"] = np.zeros(case.skew + case.B * case.H * case.N, np.float32)
            self.view("lse")[...] = case.lse()

    def view(self, name):
        """(B, heads, positions, size), of bits."""
        shape, bits = self.case.shapes()[name], self.bits[name]
        size = bits.itemsize
        return np.ndarray(shape, bits.dtype, bits, size * self.case.skew,
                          [size * s for s in self.case.strides(shape)])

    def values(self, name):
        return from_bits(self.view(name).copy(), self.case.dtype)

    def error(self):
        """The largest of the outputs, in tolerances."""
        wide = {name: self.values(name) for name in self.bits}
        return reference.find_error(self.case, np, np.arange, wide)


class Arrays(Case):
    """The same on the GPU; free() when done."""

    def __init__(self, driver, case, seed=0):
        super().__init__(case, seed)
        self.driver, self.memories, self.others = driver, {}, []
        for name, bits in self.bits.items():
            self.memories[name] = Memory(driver, bits.nbytes)
            self.memories[name].copy_in(bits.ctypes.data)

    def free(self):
        for memory in (*self.memories.values(), *self.others):
            memory.free()

    def allocate(self, size):
        self.others.append(Memory(self.driver, size))
        return self.others[-1].address

    def prepare(self, kernel):
        return kernel.prepare(
            {name: Array(self.memories[name].address
                         + self.bits[name].itemsize * self.case.skew, shape,
                         self.case.strides(shape))
             for name, shape in self.case.shapes().items()}, self.allocate)

    def run(self, launch):
        """The outputs after one launch; before it, NaN."""
        for name in self.case.outputs:
            self.bits[name][...] = NAN
            self.memories[name].copy_in(self.bits[name].ctypes.data)
        launch()
        self.driver.synchronize()
        for name in self.case.outputs:
            self.memories[name].copy_out(self.bits[name].ctypes.data)
        return [self.bits[name].copy() for name in self.case.outputs]

    @staticmethod
    def same(first, second):
        return all(map(np.array_equal, first, second))
