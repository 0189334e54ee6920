"""Tensor maps: what cuTensorMapEncodeTiled makes."""

import numpy as np

from .faults import Fault, PTXError

SPANS = {0: 0, 32: 1, 64: 3, 128: 7}  # swizzle -> bits of the row it mixes in
MAGIC = b"tensormp"


class TensorMap:
    """Tiles of an array. `box` is in the order of the array's dimensions, the
    last of which must be dense; coordinates in PTX come in the reverse order.
    `swizzle` is 0, 32, 64 or 128 bytes; `fill`, what is read outside: "zero" or
    "nan"."""

    def __init__(self, array, box, swizzle=0, fill="zero"):
        self.array = array
        self.box = tuple(int(b) for b in box)
        self.swizzle = swizzle
        self.fill = fill
        self.address = None
        self.width = array.dtype.itemsize
        self.check()

    def check(self):
        array, box = self.array, self.box
        if not 1 <= array.ndim <= 5 or len(box) != array.ndim:
            raise PTXError(f"a tensor map of {array.ndim} dimensions with a "
                           f"box of {len(box)}")
        if array.strides[-1] != self.width:
            raise PTXError("the last dimension of a tensor map must be dense")
        for stride in array.strides[:-1]:
            if stride % 16 or not 0 <= stride < 1 << 40:
                raise PTXError(f"a tensor map with a stride of {stride} bytes: "
                               "expected a multiple of 16")
        if not all(1 <= b <= 256 for b in box):
            raise PTXError(f"a box of {box}: 1 to 256 are possible")
        inner = box[-1] * self.width
        if inner % 16:
            raise PTXError(f"rows of a box have {inner} bytes: expected a "
                           "multiple of 16")
        if self.swizzle not in SPANS:
            raise PTXError(f"a swizzle of {self.swizzle} bytes")
        if self.swizzle and inner > self.swizzle:
            raise PTXError(f"rows of a box have {inner} bytes, more than the "
                           f"swizzle of {self.swizzle}")
        if self.swizzle and inner < self.swizzle:
            raise PTXError(f"rows of {inner} bytes with a swizzle of "
                           f"{self.swizzle} are not modelled")

    @property
    def bytes(self):
        return int(np.prod(self.box)) * self.width

    def parameter_bytes(self, buffers):
        """The 128 bytes of the kernel parameter."""
        self.address = buffers.address(self.array, "a tensor map's array")
        if self.address % 16:
            raise PTXError("a tensor map's array does not begin at a multiple "
                           "of 16 bytes")
        maps = buffers.memory.tensor_maps
        maps.append(self)
        number = len(maps) - 1
        return (MAGIC + number.to_bytes(8, "little")).ljust(128, b"\0")

    def places(self, coordinates):
        """(addresses of the box's elements in the array, which lie inside)"""
        address = np.array(self.address, np.int64)
        inside = np.array(True)
        for d, start in enumerate(reversed(coordinates)):
            index = start + np.arange(self.box[d], dtype=np.int64)
            ok = (index >= 0) & (index < self.array.shape[d])
            address = address[..., None] + index * self.array.strides[d]
            inside = inside[..., None] & ok
        return address.reshape(-1), inside.reshape(-1)

    def shared_places(self, address):
        """Addresses of the box's elements in shared memory."""
        at = address + np.arange(int(np.prod(self.box))) * self.width
        return swizzled(at, self.swizzle)

    def outside(self):
        dtype = np.dtype(f"u{self.width}")
        if self.fill == "zero":
            return dtype.type(0)
        return dtype.type((1 << 8 * self.width - 1) - 1)


def swizzled(at, span):
    """Addresses with the bits of the row mixed into those of the chunk."""
    return at ^ (at >> 7 & SPANS[span]) << 4


def find(memory, address, lane):
    """The map whose 128 bytes lie at an address."""
    at = np.array([address], np.int64)
    if address % 64:
        raise Fault(f"a tensor map at {address:#x}: not a multiple of 64",
                    lane=lane)
    place = int(memory.locate(np.array([lane]), at, 128, False)[0])
    raw = memory.bytes[place:place + 16].tobytes()
    if raw[:8] != MAGIC:
        raise Fault(f"no tensor map lies at {address:#x}", lane=lane)
    return memory.tensor_maps[int.from_bytes(raw[8:], "little")]
