# Integer arithmetic against Python's integers.

import pytest
from integer_cases import check

TYPES = ["u16", "s16", "u32", "s32", "u64", "s64"]


@pytest.mark.parametrize("t", TYPES)
def test_binary(t):
    check(f"add.{t} %r, %a, %b;", t, lambda x, y: x + y)
    check(f"sub.{t} %r, %a, %b;", t, lambda x, y: x - y)
    check(f"min.{t} %r, %a, %b;", t, min)
    check(f"max.{t} %r, %a, %b;", t, max)
    width = int(t[1:])
    check(f"mul.lo.{t} %r, %a, %b;", t, lambda x, y: x * y)
    check(f"mul.hi.{t} %r, %a, %b;", t, lambda x, y: x * y >> width)
    check(f"mad.lo.{t} %r, %a, %b, %a;", t, lambda x, y: x * y + x)
    check(f"mad.hi.{t} %r, %a, %b, %a;", t,
          lambda x, y: (x * y >> width) + x)
    if width < 64:
        check(f"mul.wide.{t} %r, %a, %b;", t, lambda x, y: x * y, 2 * width)


@pytest.mark.parametrize("t", TYPES)
def test_division_truncates(t):
    def quotient(x, y):
        return 0 if y == 0 else abs(x) // abs(y) * (-1 if x * y < 0 else 1)

    guard = f"setp.ne.{t} %p0, %b, 0; mov.b{t[1:]} %r, 0; @%p0 "
    check(f"{guard} div.{t} %r, %a, %b;", t, quotient)
    check(f"{guard} rem.{t} %r, %a, %b;", t,
          lambda x, y: x - quotient(x, y) * y if y else 0)


def test_unary_and_saturation():
    check("neg.s32 %r, %a;", "s32", lambda x, y: -x)
    check("abs.s32 %r, %a;", "s32", lambda x, y: abs(x))
    low, high = -1 << 31, (1 << 31) - 1
    check("add.sat.s32 %r, %a, %b;", "s32",
          lambda x, y: max(low, min(high, x + y)))
    check("sub.sat.s32 %r, %a, %b;", "s32",
          lambda x, y: max(low, min(high, x - y)))
    check("sad.u32 %r, %a, %b, %a;", "u32", lambda x, y: abs(x - y) + x)


def test_carries():
    # 64-bit sums and differences of (a, b) and (b, a) as (high, low) words.
    head = "mov.b32 %t0, %a; mov.b32 %t1, %b;"
    check(head + "add.cc.u32 %t2, %t1, %t0; addc.u32 %t3, %t0, %t1;"
          "mov.b64 %r, {%t2, %t3};", "u32",
          lambda x, y: (x << 32 | y) + (y << 32 | x), 64)
    check(head + "sub.cc.u32 %t2, %t1, %t0; subc.u32 %t3, %t0, %t1;"
          "mov.b64 %r, {%t2, %t3};", "u32",
          lambda x, y: (x << 32 | y) - (y << 32 | x), 64)
    # A carry through the middle of three words.
    check("add.cc.u32 %t0, %a, %a; addc.cc.u32 %t2, %b, -1;"
          "addc.u32 %t3, %a, 0; mov.b64 %r, {%t2, %t3};", "u32",
          lambda x, y: ((x << 64 | y << 32 | x) + (0xFFFFFFFF << 32 | x))
          >> 32, 64)
    check("sub.cc.u32 %t0, %a, %b; subc.cc.u32 %t2, %b, -1;"
          "subc.u32 %t3, %a, 0; mov.b64 %r, {%t2, %t3};", "u32",
          lambda x, y: ((x << 64 | y << 32 | x) - (0xFFFFFFFF << 32 | y))
          >> 32, 64)
    check("mad.lo.cc.u32 %t2, %a, %b, %a; madc.hi.u32 %t3, %a, %b, 0;"
          "mov.b64 %r, {%t2, %t3};", "u32", lambda x, y: x * y + x, 64)


def test_predicated_instruction_leaves_the_rest():
    check("mov.b32 %r, %b; setp.lt.s32 %p0, %a, %b;"
          "@%p0 mov.b32 %r, %a; @!%p0 add.s32 %r, %r, 1;", "s32",
          lambda x, y: x if x < y else y + 1)


def test_dot_product_of_bytes():
    def dot(x, y):
        def parts(v):
            return [(v >> 8 * i & 255) for i in range(4)]
        return sum((p - 256 if p > 127 else p) * q
                   for p, q in zip(parts(x), parts(y))) + x

    check("dp4a.s32.u32 %r, %a, %b, %a;", "u32", dot)
