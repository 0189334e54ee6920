# setp, set, selp and slct.

import math
import operator

import numpy as np
import pytest
from harness import apply
from integer_cases import check

ORDER = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
         "le": operator.le, "gt": operator.gt, "ge": operator.ge}
VALUES = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 2.0**-130]
A = np.repeat(np.array(VALUES, np.float32), len(VALUES))
B = np.tile(np.array(VALUES, np.float32), len(VALUES))


def floats(code):
    got = apply(code, [("f32", A), ("f32", B)], "pred")
    return got.astype(bool)


@pytest.mark.parametrize("name", ORDER)
def test_floats(name):
    f = ORDER[name]
    nan = np.isnan(A) | np.isnan(B)
    want = np.array([f(float(x), float(y)) for x, y in zip(A, B)])
    assert (floats(f"setp.{name}.f32 %r, %a, %b;") == (want & ~nan)).all()
    assert (floats(f"setp.{name}u.f32 %r, %a, %b;") == (want | nan)).all()
    flushed = [np.where(np.abs(x) < 2.0**-126, 0, x) for x in (A, B)]
    want = f(*flushed) & ~nan
    assert (floats(f"setp.{name}.ftz.f32 %r, %a, %b;") == want).all()


def test_numbers():
    nan = np.isnan(A) | np.isnan(B)
    assert (floats("setp.num.f32 %r, %a, %b;") == ~nan).all()
    assert (floats("setp.nan.f32 %r, %a, %b;") == nan).all()


@pytest.mark.parametrize("t", ["u16", "s16", "u32", "s32", "u64", "s64"])
def test_integers(t):
    b = f"b{t[1:]}"
    for name, f in ORDER.items():
        check(f"setp.{name}.{t} %p0, %a, %b; selp.{b} %r, 1, 0, %p0;", t,
              lambda x, y: int(f(x, y)))
    if t == "u32":
        for name, f in (("lo", "lt"), ("ls", "le"), ("hi", "gt"),
                        ("hs", "ge")):
            check(f"setp.{name}.u32 %p0, %a, %b; selp.b32 %r, 1, 0, %p0;", t,
                  lambda x, y: int(ORDER[f](x, y)))


def test_two_results_and_a_third_source():
    less = "setp.lt.s32 %p0, %a, %b; "
    for join, f in (("and", lambda x, c: x and c), ("or", lambda x, c: x or c),
                    ("xor", lambda x, c: x != c)):
        code = less + (f"setp.gt.{join}.s32 %p1|%p2, %a, 5, %p0; "
                       "selp.b32 %t0, 1, 0, %p1; selp.b32 %t1, 2, 0, %p2;"
                       "or.b32 %r, %t0, %t1;")
        check(code, "s32", lambda x, y: int(f(x > 5, x < y)) +
              2 * int(f(not x > 5, x < y)))
        code = less + (f"setp.gt.{join}.s32 %p1, %a, 5, !%p0; "
                       "selp.b32 %r, 1, 0, %p1;")
        check(code, "s32", lambda x, y: int(f(x > 5, not x < y)))


def test_predicates():
    code = ("setp.lt.s32 %p0, %a, %b; setp.gt.s32 %p1, %a, 0; {} "
            "selp.b32 %r, 1, 0, %p2;")
    check(code.format("and.pred %p2, %p0, %p1;"), "s32",
          lambda x, y: int(x < y and x > 0))
    check(code.format("xor.pred %p2, %p0, %p1;"), "s32",
          lambda x, y: int((x < y) != (x > 0)))
    check(code.format("not.pred %p2, %p0;"), "s32",
          lambda x, y: int(not x < y))


def test_values():
    check("set.lt.u32.s32 %r, %a, %b;", "s32",
          lambda x, y: -1 if x < y else 0)
    check("set.lt.f32.s32 %r, %a, %b;", "s32",
          lambda x, y: 0x3F800000 if x < y else 0)
    check("selp.b32 %r, %a, 77, %p0;".replace("selp", "setp.ne.s32 %p0, %a, "
          "%b; selp", 1), "s32", lambda x, y: x if x != y else 77)
    check("slct.b32.s32 %r, %a, 9, %b;", "s32",
          lambda x, y: x if y >= 0 else 9)


def test_halves():
    one, two, nan = 0x3C00, 0x4000, 0x7E00
    a = np.array([one | two << 16, nan | one << 16], np.uint32)
    b = np.array([two | one << 16, one | one << 16], np.uint32)
    code = ("setp.lt.f16x2 %p0|%p1, %a, %b; selp.b32 %t0, 1, 0, %p0; "
            "selp.b32 %t1, 2, 0, %p1; or.b32 %r, %t0, %t1;")
    assert apply(code, [("b32", a), ("b32", b)], "b32").tolist() == [1, 0]
    bf = np.array([0x3F80, 0xBF80], np.uint16)
    assert apply("setp.gt.bf16 %r, %a, %b;", [("b16", bf), ("b16", bf[::-1])],
                 "pred").tolist() == [1, 0]
