# Logic, shifts and fields of bits against Python's integers.

import numpy as np
import pytest
from harness import apply
from integer_cases import check, value

M32 = (1 << 32) - 1


@pytest.mark.parametrize("width", [16, 32, 64])
def test_logic(width):
    t = f"b{width}"
    check(f"and.{t} %r, %a, %b;", t, lambda x, y: x & y)
    check(f"or.{t} %r, %a, %b;", t, lambda x, y: x | y)
    check(f"xor.{t} %r, %a, %b;", t, lambda x, y: x ^ y)
    check(f"not.{t} %r, %a;", t, lambda x, y: ~x)
    check(f"cnot.{t} %r, %a;", t, lambda x, y: int(x == 0))


@pytest.mark.parametrize("t", ["u16", "s16", "u32", "s32", "u64", "s64"])
def test_shifts_clamp(t):
    # Counts beyond the width give zero, or the sign.
    width = int(t[1:])
    count = "cvt.u32.u{0} %t0, %b;".format(width) if width != 32 else \
        "mov.b32 %t0, %b;"
    check(f"{count} shl.b{width} %r, %a, %t0;", f"u{width}",
          lambda x, y: x << (y & M32) if (y & M32) < width else 0)
    signed = t[0] == "s"
    check(f"{count} shr.{t} %r, %a, %t0;", t,
          lambda x, y: x >> min(y & M32, width) if signed or
          (y & M32) < width else 0)


def test_funnel():
    def left(x, y, n):
        return ((y << 32 | x) << n >> 32) & M32

    def right(x, y, n):
        return (y << 32 | x) >> n & M32

    for n in (0, 1, 8, 31, 32, 33, 63):
        check(f"shf.l.wrap.b32 %r, %a, %b, {n};", "u32",
              lambda x, y: left(x, y, n & 31))
        check(f"shf.r.wrap.b32 %r, %a, %b, {n};", "u32",
              lambda x, y: right(x, y, n & 31))
        check(f"shf.l.clamp.b32 %r, %a, %b, {n};", "u32",
              lambda x, y: left(x, y, min(n, 32)))
        check(f"shf.r.clamp.b32 %r, %a, %b, {n};", "u32",
              lambda x, y: right(x, y, min(n, 32)))


FIELDS = [(0, 0), (0, 32), (3, 5), (31, 1), (28, 8), (0, 64), (32, 4),
          (40, 20), (63, 1), (0, 8), (255, 255)]


@pytest.mark.parametrize("t", ["u32", "s32", "u64", "s64"])
def test_extract(t):
    # As the manual's pseudo code says it.
    width = int(t[1:])

    def extract(x, at, n):
        sign = 0
        if t[0] == "s" and n:
            sign = x >> min(at + n - 1, width - 1) & 1
        d = 0
        for i in range(width):
            bit = x >> at + i & 1 if i < n and at + i < width else sign
            d |= bit << i
        return d

    for at, n in FIELDS:
        check(f"bfe.{t} %r, %a, {at}, {n};", t,
              lambda x, y: extract(x % (1 << width), at, n))


@pytest.mark.parametrize("width", [32, 64])
def test_insert(width):
    def insert(x, y, at, n):
        for i in range(n):
            if at + i < width:
                y = y & ~(1 << at + i) | (x >> i & 1) << at + i
        return y

    for at, n in FIELDS:
        check(f"bfi.b{width} %r, %a, %b, {at}, {n};", f"u{width}",
              lambda x, y: insert(x, y, at, n))


@pytest.mark.parametrize("width", [32, 64])
def test_counts(width):
    def leading(x):
        return width - x.bit_length()

    t = f"u{width}"
    check(f"popc.b{width} %r, %a;", t, lambda x, y: bin(x).count("1"), 32)
    check(f"clz.b{width} %r, %a;", t, lambda x, y: leading(x), 32)
    check(f"brev.b{width} %r, %a;", t,
          lambda x, y: int(f"{x:0{width}b}"[::-1], 2))
    check(f"bfind.{t} %r, %a;", t, lambda x, y: x.bit_length() - 1, 32)
    check(f"bfind.s{width} %r, %a;", f"s{width}",
          lambda x, y: (x if x >= 0 else ~x).bit_length() - 1, 32)
    check(f"bfind.shiftamt.{t} %r, %a;", t,
          lambda x, y: leading(x) if x else -1, 32)


def test_lookup_table():
    for table in (0xE8, 0x96, 0xCA, 0x01, 0x80):
        def lookup(x, y):
            z = x + y & M32
            return sum((table >> (4 * (x >> i & 1) + 2 * (y >> i & 1) +
                                  (z >> i & 1)) & 1) << i for i in range(32))

        check(f"add.u32 %t0, %a, %b; lop3.b32 %r, %a, %b, %t0, {table};",
              "u32", lookup)


def test_permute():
    def permute(x, y, selectors):
        both = (y << 32 | x).to_bytes(8, "little")
        out = 0
        for i in range(4):
            n = selectors >> 4 * i & 15
            byte = both[n & 7]
            if n & 8:
                byte = 255 if byte & 128 else 0
            out |= byte << 8 * i
        return out

    for selectors in (0x3210, 0x5410, 0x7632, 0x1032, 0xFEDC, 0x0077, 0x8888):
        check(f"prmt.b32 %r, %a, %b, {selectors};", "u32",
              lambda x, y: permute(x, y, selectors))
    for n in range(4):
        check(f"prmt.b32.f4e %r, %a, %b, {n};", "u32",
              lambda x, y: (y << 32 | x) >> 8 * n & M32)
        check(f"prmt.b32.rc8 %r, %a, %b, {n};", "u32",
              lambda x, y: (x >> 8 * n & 255) * 0x01010101)
        check(f"prmt.b32.b4e %r, %a, %b, {n};", "u32",
              lambda x, y: permute(x, y, sum((n - i & 7) << 4 * i
                                             for i in range(4))))


def test_packing():
    a = np.array([0x0123456789ABCDEF, 1 << 63, 5, 0xFFFFFFFF], np.uint64)
    got = apply("mov.b64 {%t0, %t1}, %a; mov.b64 %r, {%t1, %t0};",
                [("b64", a)], "b64")
    assert (got == (a << np.uint64(32) | a >> np.uint64(32))).all()
    assert value(0xFFFF, "s16") == -1
