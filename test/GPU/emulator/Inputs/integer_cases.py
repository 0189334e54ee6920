"""Integers at the edges, and a check of an instruction on all pairs."""

import itertools

import numpy as np
from harness import apply

EDGES = {32: [0, 1, 2, 3, 7, 31, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000,
              0x80000001, 0xFFFFFFFF, 0xDEADBEEF, 12345],
         64: [0, 1, 3, 0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF,
              0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x123456789ABCDEF0],
         16: [0, 1, 5, 0x7FFF, 0x8000, 0xFFFF, 0xBEEF, 300]}


def pairs(width):
    a, b = zip(*itertools.product(EDGES[width], EDGES[width]))
    n = len(a) // 4 * 4
    dtype = f"u{width // 8}"
    return np.array(a[:n], dtype), np.array(b[:n], dtype)


def value(bits, type_name):
    bits, width = int(bits), int(type_name[1:])
    if type_name[0] == "s" and bits >> width - 1:
        bits -= 1 << width
    return bits


def check(code, type_name, f, result=None):
    """f on integers; the result is taken modulo its width."""
    width = int(type_name[1:])
    result = result or width
    a, b = pairs(width)
    reg = f"b{width}"
    got = apply(code, [(reg, a), (reg, b)], f"b{result}", threads=4)
    for x, y, r in zip(a, b, got):
        want = f(value(x, type_name), value(y, type_name))
        assert int(r) == want % (1 << result), (code, hex(x), hex(y))
