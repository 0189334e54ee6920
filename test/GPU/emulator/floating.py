# Floating-point arithmetic against exact fractions.

import math
from fractions import Fraction

import numpy as np
import pytest
from harness import apply
from rounding import assert_same, decode, rounded, samples

REG = {"f32": "f32", "f64": "f64", "f16": "b16", "bf16": "b16"}
N = 192

OPERATIONS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b,
              "mul": lambda a, b: a * b, "div": lambda a, b: a / b}


def run(code, t, sources):
    return apply(code, [(REG[t], x) for x in sources], REG[t])


def exact(f, t, mode, sources):
    for bits in zip(*sources):
        x = f(*[decode(b, t) for b in bits])
        yield rounded(x, t, mode) if x else Fraction(0)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_binary_f32(name, mode):
    sources = samples("f32", N, 1), samples("f32", N, 2)
    got = run(f"{name}.{mode}.f32 %r, %a, %b;", "f32", sources)
    assert_same(got, exact(OPERATIONS[name], "f32", mode, sources), "f32",
                name)


@pytest.mark.parametrize("mode", ["rn", "rz", "rm", "rp"])
def test_fma_f32(mode):
    sources = [samples("f32", N, i) for i in (3, 4, 5)]
    got = run(f"fma.{mode}.f32 %r, %a, %b, %c;", "f32", sources)
    assert_same(got, exact(lambda a, b, c: a * b + c, "f32", mode, sources),
                "f32", "fma")


def test_fma_f32_rounds_once():
    # a * b + c next to a tie of f32, which an f64 in between would hit.
    a = np.array([1 + 2**-12, 1 + 2**-23, 1.0, 2.0**-100], np.float32)
    b = np.array([1 + 2**-12, 1 - 2**-24, 1 + 2**-23, 2.0**-40], np.float32)
    c = np.array([2.0**-80, 2.0**-24, 2.0**-24 + 2.0**-47, -2.0**-149],
                 np.float32)
    sources = [x.view(np.uint32) for x in (a, b, c)]
    got = run("fma.rn.f32 %r, %a, %b, %c;", "f32", sources)
    assert_same(got, exact(lambda a, b, c: a * b + c, "f32", "rn", sources),
                "f32", "fma")


@pytest.mark.parametrize("name", OPERATIONS)
def test_binary_f64(name):
    sources = samples("f64", N, 6), samples("f64", N, 7)
    got = run(f"{name}.rn.f64 %r, %a, %b;", "f64", sources)
    assert_same(got, exact(OPERATIONS[name], "f64", "rn", sources), "f64",
                name)


@pytest.mark.parametrize("t", ["f16", "bf16"])
@pytest.mark.parametrize("name", ["add", "sub", "mul"])
def test_binary_half(name, t):
    sources = samples(t, N, 8, 4), samples(t, N, 9, 4)
    got = run(f"{name}.rn.{t} %r, %a, %b;", t, sources)
    assert_same(got, exact(OPERATIONS[name], t, "rn", sources), t, name)


@pytest.mark.parametrize("t", ["f16", "bf16"])
def test_fma_half(t):
    sources = [samples(t, N, i, 5) for i in (10, 11, 12)]
    got = run(f"fma.rn.{t} %r, %a, %b, %c;", t, sources)
    wanted = list(exact(lambda a, b, c: a * b + c, t, "rn", sources))
    assert_same(got, wanted, t, "fma")
    # Two to a register.
    packed = [x.reshape(-1, 2).copy().view(np.uint32)[:, 0] for x in sources]
    got = apply(f"fma.rn.{t}x2 %r, %a, %b, %c;",
                [("b32", x) for x in packed], "b32", threads=32)
    assert_same(got.view(np.uint16), wanted, t, "fma of pairs")


def test_fma_bf16_rounds_once():
    # 1.5 (1 + n 2^-7) are ties of bf16; what lies far below must still count.
    a = np.array([0x3FC0] * 8, np.uint16)
    b = np.array([0x3F81] * 4 + [0x3F83] * 4, np.uint16)
    c = np.array([0x2180, 0xA180, 0x0080, 0x8080] * 2, np.uint16)
    got = run("fma.rn.bf16 %r, %a, %b, %c;", "bf16", (a, b, c))
    assert_same(got, exact(lambda a, b, c: a * b + c, "bf16", "rn", (a, b, c)),
                "bf16", "fma")


def bits(*values):
    return np.array(values, np.float32).view(np.uint32)


def test_min_max_and_nan():
    nan, inf = math.nan, math.inf
    a = bits(1, nan, -0.0, 0.0, -inf, nan, 3, -5)
    b = bits(2, 2, 0.0, -0.0, inf, nan, -4, -2)

    def check(code, *wanted):
        got = apply(code, [("f32", a), ("f32", b)], "f32", threads=8)
        got, want = got.view(np.float32), np.array(wanted, np.float32)
        assert np.array_equal(got, want, equal_nan=True)
        number = ~np.isnan(want)
        assert (np.signbit(got) == np.signbit(want))[number].all()

    check("min.f32 %r, %a, %b;", 1, 2, -0.0, -0.0, -inf, nan, -4, -5)
    check("max.f32 %r, %a, %b;", 2, 2, 0.0, 0.0, inf, nan, 3, -2)
    check("max.NaN.f32 %r, %a, %b;", 2, nan, 0.0, 0.0, inf, nan, 3, -2)
    check("min.xorsign.abs.f32 %r, %a, %b;", 1, 2, -0.0, -0.0, -inf, nan, -3,
          2)
    check("abs.f32 %r, %a;", 1, nan, 0.0, 0.0, inf, nan, 3, 5)
    check("neg.f32 %r, %a;", -1, nan, 0.0, -0.0, inf, nan, -3, 5)
    check("copysign.f32 %r, %b, %a;", 1, nan, 0.0, -0.0, inf, nan, -3, -5)
    check("add.sat.f32 %r, %a, %b;", 1, 0, 0.0, 0.0, 0, 0, 0, 0)


def test_flush_to_zero():
    tiny = np.float32(2.0**-127)
    a, b = bits(tiny, -tiny, 2.0**-126, 1), bits(1, 1, 0.5, 1)

    def product(code):
        got = apply(code, [("f32", a), ("f32", b)], "f32", threads=4)
        return got.view(np.float32)

    assert (product("mul.rn.f32 %r, %a, %b;") ==
            [tiny, -tiny, 2.0**-127, 1]).all()
    got = product("mul.rn.ftz.f32 %r, %a, %b;")
    assert (got == [0, 0, 0, 1]).all() and np.signbit(got[1])
    assert (product("ex2.approx.ftz.f32 %r, %a;") ==
            np.exp2(bits(0, 0, 2.0**-126, 1).view(np.float32))).all()


@pytest.mark.parametrize("name, f", [
    ("ex2.approx", lambda x: 2.0**x), ("lg2.approx", math.log2),
    ("rcp.approx", lambda x: 1 / x), ("rsqrt.approx", lambda x: x**-0.5),
    ("sqrt.approx", math.sqrt), ("sin.approx", math.sin),
    ("cos.approx", math.cos), ("tanh.approx", math.tanh)])
def test_approximations(name, f):
    x = np.linspace(0.1, 9, 64, dtype=np.float32)
    got = apply(f"{name}.f32 %r, %a;", [("f32", x)], "f32").view(np.float32)
    want = np.array([f(float(v)) for v in x])
    assert np.allclose(got, want, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name, f", [
    ("rcp", lambda x: 1 / x), ("sqrt", lambda x: x**0.5)])
def test_exact_forms(name, f):
    x = np.array([4, 0.25, 9, 2, 0.1, 3, 7, 1e-3], np.float32)
    for mode in ("rn", "rz", "rm", "rp"):
        got = apply(f"{name}.{mode}.f32 %r, %a;", [("f32", x)], "f32",
                    threads=8)
        if name == "rcp":
            wanted = [rounded(1 / Fraction(float(v)), "f32", mode) for v in x]
        else:  # a root with 60 bits more than f32 has
            wanted = [rounded(Fraction(math.isqrt(
                int(Fraction(float(v)) * 4**80)), 2**80), "f32", mode)
                for v in x]
        assert_same(got, wanted, "f32", (name, mode))
