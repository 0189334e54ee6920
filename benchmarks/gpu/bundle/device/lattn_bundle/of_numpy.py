"""Arrays in memory of the driver's own, by NumPy: checks without torch."""

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
        case = self.case
        q, k, v = (self.values(name) for name in "qkv")
        out = np.zeros(case.shapes()["out"])
        for b, h in np.ndindex(case.B, case.H):
            kv = h // (case.H // case.Hkv)
            for i in range(case.N):
                first, end = case.visible(i)
                if end <= first:
                    continue
                s = k[b, kv, first:end] @ q[b, h, i] * case.D ** -0.5
                w = np.exp(s - s.max())
                out[b, h, i] = w @ v[b, kv, first:end] / w.sum()
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
        for name, bits in self.bits.items():
            self.memories[name] = Memory(driver, bits.nbytes)
            self.memories[name].copy_in(bits.ctypes.data)

    def free(self):
        for memory in (*self.memories.values(), *self.others):
            memory.free()

    def allocate(self, size):
        self.others.append(Memory(self.driver, size))
        return self.others[-1].address

    def run(self, kernel):
        """The output after one launch."""
        kernel.prepare(
            {name: Array(self.memories[name].address + 2 * self.case.skew, shape,
                         self.case.strides(shape))
             for name, shape in self.case.shapes().items()}, self.allocate)()
        self.driver.synchronize()
        self.memories["out"].copy_out(self.bits["out"].ctypes.data)
        return self.values("out")
