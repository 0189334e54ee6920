"""Correct rounding by exact fractions: an oracle that shares nothing with the
emulator."""

import math
import struct
from fractions import Fraction

import numpy as np

# bits of precision, smallest exponent of a normal number, largest exponent
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127),
           "tf32": (11, -126, 127), "f32": (24, -126, 127),
           "f64": (53, -1022, 1023)}
WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64}
UNSIGNED = {16: np.uint16, 32: np.uint32, 64: np.uint64}


def decode(bits, name):
    """The value of finite bits, else inf, -inf or nan as float."""
    bits = int(bits)
    if name == "f16":
        x = struct.unpack("<e", struct.pack("<H", bits))[0]
    elif name == "bf16":
        x = struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    elif name == "f64":
        x = struct.unpack("<d", struct.pack("<Q", bits))[0]
    else:
        x = struct.unpack("<f", struct.pack("<I", bits))[0]
    return Fraction(x) if math.isfinite(x) else x


def rounded(x, name, mode="rn"):
    """A fraction, not zero, to the nearest value of a format; or infinity."""
    precision, low, high = FORMATS[name]
    sign, x = (-1 if x < 0 else 1), abs(x)
    exponent = math.floor(math.log2(x)) if x.numerator.bit_length() < 900 and \
        x.denominator.bit_length() < 900 else \
        x.numerator.bit_length() - x.denominator.bit_length()
    while Fraction(2)**exponent > x:
        exponent -= 1
    while Fraction(2)**(exponent + 1) <= x:
        exponent += 1
    unit = Fraction(2)**(max(exponent, low) - precision + 1)
    n, rest = divmod(x, unit)
    away = {"rz": False, "rm": sign < 0 and rest > 0,
            "rp": sign > 0 and rest > 0, "rna": 2 * rest >= unit,
            "rn": 2 * rest > unit or 2 * rest == unit and n % 2 == 1}[mode]
    r = (n + away) * unit
    largest = (2 - Fraction(2)**(1 - precision)) * Fraction(2)**high
    if r > largest:
        stays = mode == "rz" or (mode == "rm") == (sign > 0) and \
            mode in ("rm", "rp")
        return sign * largest if stays else sign * math.inf
    return sign * r


def samples(name, n, seed, spread=12):
    """Bits of numbers near one another, with edges mixed in."""
    rng = np.random.default_rng(seed)
    width = WIDTH[name]
    if name == "tf32":
        name = "f32"
    exponent = rng.integers(-spread, spread, n).astype(float)
    x = rng.standard_normal(n) * 2**exponent
    if name == "bf16":
        return (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[name]
    bits = x.astype(dtype).view(UNSIGNED[width]).copy()
    # Few bits make ties.
    bits[::3] &= UNSIGNED[width](~((1 << {"f16": 5, "f32": 12,
                                          "f64": 30}[name]) - 1)
                                 & (1 << width) - 1)
    return bits


def assert_same(bits, wanted, name, context):
    """Bits against fractions or infinities."""
    for i, (got, want) in enumerate(zip(bits, wanted)):
        value = decode(got, name)
        if want == 0 or isinstance(want, float):
            want_float = float(want)
            assert float(value) == want_float, (context, i, value, want)
        else:
            assert value == want, (context, i, float(value), float(want))
