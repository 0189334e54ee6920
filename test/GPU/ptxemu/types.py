"""PTX's types in NumPy's."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Type:
    name: str
    dtype: np.dtype
    lanes: int = 1  # f16x2 has two

    @property
    def bytes(self):
        return self.dtype.itemsize * self.lanes

    @property
    def signed(self):
        return self.dtype.kind == "i"


TYPES = {name: Type(name, np.dtype(code)) for name, code in {
    "pred": "?", "b8": "u1", "u8": "u1", "s8": "i1", "b16": "u2",
    "u16": "u2", "s16": "i2", "b32": "u4", "u32": "u4", "s32": "i4",
    "b64": "u8", "u64": "u8", "s64": "i8", "f16": "f2", "f32": "f4",
    "f64": "f8", "bf16": "u2", "tf32": "f4"}.items()}
TYPES |= {name: Type(name, np.dtype(code), 2) for name, code in {
    "f16x2": "f2", "bf16x2": "u2", "u16x2": "u2", "s16x2": "i2"}.items()}

UNSIGNED = {n: np.dtype(f"u{n}") for n in (1, 2, 4, 8)}
SIGNED = {n: np.dtype(f"i{n}") for n in (1, 2, 4, 8)}

# What a register holds before it is written: NaN as f16, bf16, f32 and f64, and
# nobody's address.
POISON = {1: 0x7F, 2: 0x7FFF, 4: 0x7FFF7FFF, 8: 0x7FFF7FFF7FFF7FFF}


def storage(type_name):
    """The dtype that holds a register of a type."""
    if type_name == "pred":
        return np.dtype(bool)
    return UNSIGNED[TYPES[type_name].bytes]
