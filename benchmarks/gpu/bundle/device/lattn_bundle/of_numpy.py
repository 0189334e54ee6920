"""Arrays in memory of the driver's own, by NumPy: checks without torch."""

import itertools

import numpy as np

from .driver import Memory
from .record import Array


def to_bits(values, dtype):
    """f32 to bf16 or f16, as uint16."""
    if dtype == "f16":
        return values.astype(np.float16).view(np.uint16)
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def from_bits(bits, dtype):
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
        self.bits["out"][...] = 0x7fff  # NaN

    def view(self, name):
        """(B, heads, positions, size), of bits."""
        shape = self.case.shapes()[name]
        strides = [2 * s for s in self.case.strides(shape)]
        return np.lib.stride_tricks.as_strided(
            self.bits[name][self.case.skew:], shape, strides)

    def values(self, name):
        return from_bits(self.view(name).copy(), self.case.dtype)

    def expected(self):
        """In f64, some rows of a head at a time."""
        case = self.case
        q, k, v = (self.values(name) for name in "qkv")
        out = np.zeros(case.shapes()["out"])
        seen = np.zeros((case.N, case.M), bool)
        for i in range(case.N):
            first, end = case.visible(i)
            seen[i, first:end] = True
        rows = max(1, 2 ** 22 // case.M)
        for b, h, i in itertools.product(range(case.B), range(case.H),
                                         range(0, case.N, rows)):
            kv, part = h // (case.H // case.Hkv), slice(i, i + rows)
            s = q[b, h, part] @ k[b, kv].T * case.D ** -0.5
            s[~seen[part]] = -np.inf
            top = s.max(-1, keepdims=True)
            w = np.exp(s - np.where(np.isfinite(top), top, 0))
            total = w.sum(-1, keepdims=True)
            out[b, h, part] = w @ v[b, kv] / np.where(total > 0, total, 1)
        return out

    @staticmethod
    def difference(got, want, tolerance):
        """The largest, in tolerances; infinite where something is not finite."""
        if not np.isfinite(got).all():
            return float("inf")
        return float(np.max(np.abs(got - want) /
                            (tolerance * np.maximum(1, np.abs(want)))))


class Arrays(Case):
    """The same on the GPU; free() when done."""

    def __init__(self, driver, case, seed=0):
        super().__init__(case, seed)
        self.driver, self.memories, self.others = driver, {}, []
        self.poison = self.bits["out"].copy()
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
            {name: Array(self.memories[name].address + 2 * self.case.skew, shape,
                         self.case.strides(shape))
             for name, shape in self.case.shapes().items()}, self.allocate)

    def run(self, launch):
        """The output after one launch, as bits; before it, NaN."""
        self.memories["out"].copy_in(self.poison.ctypes.data)
        launch()
        self.driver.synchronize()
        self.memories["out"].copy_out(self.bits["out"].ctypes.data)
        return self.view("out").copy()

    def error(self, bits, tolerance):
        """The largest, in tolerances."""
        return self.difference(from_bits(bits, self.case.dtype), self.expected(),
                               tolerance)

    @staticmethod
    def same(first, second):
        return bool(np.array_equal(first, second))
