# cvt against exact fractions and Python's integers.

import math
from fractions import Fraction

import numpy as np
import pytest
from harness import apply
from integer_cases import EDGES, value
from rounding import WIDTH, assert_same, decode, rounded, samples

REG = {"f16": "b16", "bf16": "b16", "f32": "f32", "f64": "f64",
       "tf32": "b32"}
N = 192


@pytest.mark.parametrize("to, source, modes", [
    ("f16", "f32", ["rn", "rz"]), ("bf16", "f32", ["rn", "rz"]),
    ("tf32", "f32", ["rna", "rn", "rz"]),
    ("f32", "f64", ["rn", "rz", "rm", "rp"]),
    ("f16", "f64", ["rn", "rz", "rm", "rp"])])
def test_narrower(to, source, modes):
    bits = samples(source, N, 1, spread=18)
    for mode in modes:
        got = apply(f"cvt.{mode}.{to}.{source} %r, %a;",
                    [(REG[source], bits)], REG[to])
        wanted = [rounded(decode(b, source), to, mode) for b in bits]
        assert_same(got, wanted, to, (to, mode))


@pytest.mark.parametrize("to, source", [
    ("f32", "f16"), ("f32", "bf16"), ("f64", "f32"), ("f64", "f16")])
def test_wider_is_exact(to, source):
    bits = samples(source, N, 2, spread=6)
    got = apply(f"cvt.{to}.{source} %r, %a;", [(REG[source], bits)], REG[to])
    assert_same(got, [decode(b, source) for b in bits], to, (to, source))


@pytest.mark.parametrize("t", ["f16", "bf16"])
@pytest.mark.parametrize("mode", ["rn", "rz"])
def test_two_at_once(t, mode):
    # The first source becomes the upper half.
    a, b = samples("f32", N, 3, 6), samples("f32", N, 4, 6)
    got = apply(f"cvt.{mode}.{t}x2.f32 %r, %a, %b;",
                [("f32", a), ("f32", b)], "b32")
    halves = got.view(np.uint16).reshape(-1, 2)
    for i, source in enumerate((b, a)):
        wanted = [rounded(decode(x, "f32"), t, mode) for x in source]
        assert_same(halves[:, i], wanted, t, mode)
    got = apply(f"cvt.{mode}.relu.{t}x2.f32 %r, %a, %b;",
                [("f32", a), ("f32", b)], "b32")
    low = got.view(np.uint16)[::2]
    wanted = [max(rounded(decode(x, "f32"), t, mode), Fraction(0)) for x in b]
    assert_same(low, wanted, t, "relu")


def test_nan_and_infinity():
    x = np.array([math.nan, math.inf, -math.inf, 3e38], np.float32)
    got = apply("cvt.rn.bf16.f32 %r, %a;", [("f32", x)], "b16")
    assert got.tolist() == [0x7FFF, 0x7F80, 0xFF80, 0x7F62]
    got = apply("cvt.rn.f16.f32 %r, %a;", [("f32", x)], "b16")
    assert np.isnan(got.view(np.float16)[0])
    assert got.tolist()[1:] == [0x7C00, 0xFC00, 0x7C00]


FLOATS = [0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.7, 2.7, 1e10, -1e10, 2.0**31,
          -2.0**31, 2.0**32, 2.0**63, -2.0**63, 2.0**64, math.inf, -math.inf,
          255.5, 65535.7, 1e30, -1e30, 127.5, -128.5]
WHOLE = {"rni": round, "rzi": math.trunc, "rmi": math.floor,
         "rpi": math.ceil}


@pytest.mark.parametrize("mode", WHOLE)
@pytest.mark.parametrize("t", ["s16", "u16", "s32", "u32", "s64", "u64"])
def test_float_to_integer(t, mode):
    width = int(t[1:])
    low = -(1 << width - 1) if t[0] == "s" else 0
    high = (1 << width - (t[0] == "s")) - 1
    for source, dtype in (("f32", np.float32), ("f64", np.float64)):
        x = np.array(FLOATS, dtype)
        got = apply(f"cvt.{mode}.{t}.{source} %r, %a;", [(source, x)],
                    f"b{width}", threads=8)
        for bits, v in zip(got, x):
            v = float(v)
            want = (high if v > 0 else low) if math.isinf(v) else \
                max(low, min(high, WHOLE[mode](v)))
            assert value(bits, t) == want, (t, mode, v)
    nan = np.array([math.nan], np.float32)
    assert apply(f"cvt.{mode}.{t}.f32 %r, %a;", [("f32", nan)],
                 f"b{width}")[0] == 0


@pytest.mark.parametrize("t", ["s16", "u16", "s32", "u32", "s64", "u64"])
@pytest.mark.parametrize("to", ["f16", "f32", "f64"])
def test_integer_to_float(to, t):
    width = int(t[1:])
    bits = np.array(EDGES[width], f"u{width // 8}")
    for mode in ("rn", "rz") if to != "f64" or width < 64 else ("rn",):
        got = apply(f"cvt.{mode}.{to}.{t} %r, %a;", [(f"b{width}", bits)],
                    REG[to], threads=1)
        wanted = [rounded(Fraction(value(b, t)), to, mode)
                  if value(b, t) else Fraction(0) for b in bits]
        assert_same(got, wanted, to, (to, t, mode))


def test_float_to_whole_float():
    x = np.array([0.5, 1.5, -0.5, -2.5, 2.7, -2.7, 1e9, 0], np.float32)
    for mode, f in WHOLE.items():
        got = apply(f"cvt.{mode}.f32.f32 %r, %a;", [("f32", x)], "f32")
        assert got.view(np.float32).tolist() == [f(float(v)) for v in x]
    got = apply("cvt.sat.f32.f32 %r, %a;", [("f32", x)], "f32")
    assert got.view(np.float32).tolist() == [.5, 1, 0, 0, 1, 0, 1, 0]


def test_between_integers():
    x = np.array(EDGES[32], np.uint32)
    for to, source in [("u16", "u32"), ("s64", "s32"), ("u64", "u32"),
                       ("s32", "s8"), ("u32", "u8"), ("s32", "s16"),
                       ("u8", "u32"), ("s64", "s16")]:
        width = max(int(to[1:]), 16)
        got = apply(f"cvt.{to}.{source} %r, %a;", [("b32", x)], f"b{width}",
                    threads=1)
        mask = (1 << int(source[1:])) - 1
        for bits, v in zip(got, x):
            want = value(int(v) & mask, source)
            want = value(want % (1 << int(to[1:])), to) % (1 << width)
            assert int(bits) == want, (to, source, hex(v))
    got = apply("cvt.sat.u8.s32 %r, %a;", [("b32", x)], "b32", threads=1)
    assert got.tolist() == [max(0, min(255, value(v, "s32"))) for v in x]
    got = apply("cvt.sat.s8.s32 %t0, %a; cvt.s32.s8 %r, %t0;", [("b32", x)],
                "b32", threads=1)
    assert [value(v, "s32") for v in got] == \
        [max(-128, min(127, value(v, "s32"))) for v in x]


def test_packing_with_saturation():
    a = np.array([300, 5, 0xFFFFFFF0, 0x80000000], np.uint32)
    got = apply("cvt.pack.sat.s8.s32.b32 %r, %a, 7, 0xABCD;", [("b32", a)],
                "b32")
    assert [v & 0xFF00 for v in got.tolist()] == [0x7F00, 0x500, 0xF000,
                                                  0x8000]
    assert all(v >> 16 == 0xABCD and v & 255 == 7 for v in got.tolist())
    assert WIDTH["bf16"] == 16
