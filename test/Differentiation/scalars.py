# REQUIRES: slow, torch
# RUN: %python %s %lattn_build/bin/lattn-opt %mlir_dir

# First and second derivatives of every op on floats of arith and math, against
# torch in f64. An op of these dialects that the table lacks is an error.

import pathlib
import re
import sys

import numpy as np
import torch

from derivatives import TWICE, compile_derivatives, differentiate

tool, mlir = sys.argv[1], pathlib.Path(sys.argv[2])
INF, NAN = np.inf, np.nan
rng = np.random.default_rng(7)


def cbrt(x):
    return torch.sign(x) * torch.abs(x) ** (1 / 3)


# op: (torch's function, where its arguments lie, special points). The op's text
# follows from its name unless it is in TEXTS.
LINE, UNIT, POSITIVE = (-3, 3), (-0.9, 0.9), (0.1, 4)
TABLE = {
    "arith.addf": (torch.add, [LINE, LINE], [(INF, 1)]),
    "arith.divf": (torch.div, [LINE, POSITIVE], [(1, 0), (0, 0), (0, 2)]),
    "arith.extf": (lambda x: x.float().double(), [LINE], [(0,)]),
    "arith.maximumf": (torch.maximum, [LINE, LINE],
                       [(1, 1), (NAN, 1), (1, NAN), (0, 0)]),
    "arith.maxnumf": (torch.fmax, [LINE, LINE], [(1, 1), (NAN, 1), (1, NAN)]),
    "arith.minimumf": (torch.minimum, [LINE, LINE],
                       [(1, 1), (NAN, 1), (1, NAN), (0, 0)]),
    "arith.minnumf": (torch.fmin, [LINE, LINE], [(1, 1), (NAN, 1), (1, NAN)]),
    "arith.mulf": (torch.mul, [LINE, LINE], [(0, 0), (INF, 2)]),
    "arith.negf": (torch.neg, [LINE], [(0,), (INF,)]),
    "arith.remf": (torch.fmod, [LINE, POSITIVE], [(5, 3), (-5, 3), (5, INF)]),
    "arith.select": (lambda x, y: torch.where(x > 0, x * y, y), [LINE, LINE],
                     [(0, 1), (-1, 2)]),
    "arith.subf": (torch.sub, [LINE, LINE], [(INF, 1)]),
    "arith.truncf": (lambda x: x.float().double(), [LINE], [(0,)]),
    "math.absf": (torch.abs, [LINE], [(0,), (-0.0,), (NAN,), (-INF,)]),
    "math.acos": (torch.acos, [UNIT], [(1,), (-1,), (2,)]),
    "math.acosh": (torch.acosh, [(1.1, 4)], [(1,), (0,), (INF,)]),
    "math.asin": (torch.asin, [UNIT], [(1,), (-1,), (2,)]),
    "math.asinh": (torch.asinh, [LINE], [(0,), (INF,)]),
    "math.atan": (torch.atan, [LINE], [(0,), (INF,)]),
    "math.atan2": (torch.atan2, [LINE, LINE],
                   [(0, 0), (0, 1), (0, -1), (1, 0), (INF, INF)]),
    "math.atanh": (torch.atanh, [UNIT], [(1,), (2,)]),
    "math.cbrt": (cbrt, [POSITIVE], []),
    "math.ceil": (torch.ceil, [LINE], [(1,)]),
    "math.copysign": (torch.copysign, [LINE, LINE],
                      [(0, 1), (2, -0.0), (-2, -0.0), (0, -1)]),
    "math.cos": (torch.cos, [LINE], [(0,), (INF,)]),
    "math.cosh": (torch.cosh, [LINE], [(0,), (INF,)]),
    "math.erf": (torch.erf, [LINE], [(0,), (INF,), (40,)]),
    "math.erfc": (torch.erfc, [LINE], [(0,), (INF,), (40,)]),
    "math.exp": (torch.exp, [LINE], [(-INF,), (1000,)]),
    "math.exp2": (torch.exp2, [LINE], [(-INF,), (2000,)]),
    "math.expm1": (torch.expm1, [LINE], [(0,), (-INF,)]),
    "math.floor": (torch.floor, [LINE], [(1,)]),
    "math.fma": (lambda x, y, z: x * y + z, [LINE, LINE, LINE], [(0, 0, 0)]),
    "math.fpowi": (lambda x: x ** 3, [LINE], [(0,), (-1,)]),
    "math.log": (torch.log, [POSITIVE], [(0,), (-1,), (INF,)]),
    "math.log10": (torch.log10, [POSITIVE], [(0,), (INF,)]),
    "math.log1p": (torch.log1p, [POSITIVE], [(-1,), (0,)]),
    "math.log2": (torch.log2, [POSITIVE], [(0,), (INF,)]),
    "math.powf": (torch.pow, [POSITIVE, LINE],
                  [(0, 0), (0, 1), (0, 0.5), (-1, 2), (-1, 0), (0, 2), (0, -1),
                   (INF, 0), (NAN, 0)]),
    "math.round": (torch.round, [LINE], [(1,)]),
    "math.roundeven": (torch.round, [LINE], [(1,)]),
    "math.rsqrt": (torch.rsqrt, [POSITIVE], [(0,), (-1,), (INF,)]),
    "math.sin": (torch.sin, [LINE], [(0,), (INF,)]),
    "math.sincos": (lambda x: torch.sin(x) - 2 * torch.cos(x), [LINE], [(0,)]),
    "math.sinh": (torch.sinh, [LINE], [(0,), (-INF,)]),
    "math.sqrt": (torch.sqrt, [POSITIVE], [(0,), (-1,), (INF,)]),
    "math.tan": (torch.tan, [UNIT], [(0,), (INF,)]),
    "math.tanh": (torch.tanh, [LINE], [(0,), (100,), (-INF,), (NAN,)]),
    "math.trunc": (torch.trunc, [LINE], [(1,)]),
}
# What is not one op on f64.
CUBE = "%n = arith.constant 3 : i32\n"
TEXTS = {
    "arith.extf": "%h = arith.truncf %x0 : f64 to f32\n"
                  "%r = arith.extf %h : f32 to f64",
    "arith.select": "%zero = arith.constant 0.0 : f64\n"
                    "%c = arith.cmpf ogt, %x0, %zero : f64\n"
                    "%p = arith.mulf %x0, %x1 : f64\n"
                    "%r = arith.select %c, %p, %x1 : f64",
    "math.fpowi": CUBE + "%r = math.fpowi %x0, %n : f64, i32",
    "math.sincos": "%s, %c = math.sincos %x0 : f64\n"
                   "%two = arith.constant 2.0 : f64\n"
                   "%d = arith.mulf %c, %two : f64\n"
                   "%r = arith.subf %s, %d : f64",
}
TEXTS["arith.truncf"] = TEXTS["arith.extf"]

# No floats in, or no floats out: nothing to differentiate.
INTEGERS = set("""
arith.addi arith.addui_extended arith.andi arith.ceildivsi arith.ceildivui
arith.cmpi arith.divsi arith.divui arith.extsi arith.extui arith.floordivsi
arith.index_cast arith.index_castui arith.maxsi arith.maxui arith.minsi
arith.minui arith.muli arith.mulsi_extended arith.mului_extended arith.ori
arith.remsi arith.remui arith.shli arith.shrsi arith.shrui arith.subi
arith.trunci arith.xori
math.absi math.ctlz math.ctpop math.cttz math.ipowi
arith.constant arith.sitofp arith.uitofp
arith.cmpf arith.fptosi arith.fptoui
math.isfinite math.isinf math.isnan math.isnormal
""".split())
# Errors: what they do to bits, and to scales in types of 8 bits; lattn does not
# lower clampf.
REFUSED = {"arith.bitcast", "arith.scaling_extf", "arith.scaling_truncf",
           "math.clampf"}


def read_ops():
    """The ops that MLIR's own description of the dialects lists."""
    found = set()
    include = mlir.resolve().parents[2] / "include" / "mlir" / "Dialect"
    for name in ("Arith", "Math"):
        text = (include / name / "IR" / f"{name}Ops.td").read_text()
        text = re.sub(r"(?m)^class .*?\n}|^class .*", "", text)
        found |= {f"{name.lower()}.{op}" for op in re.findall(
            rf'(?:{name}_\w*Op\w*|Op<{name}_Dialect,)\s*<?\s*"(\w+)"', text)}
    return found


def check_table():
    known, found = set(TABLE) | INTEGERS | REFUSED, read_ops()
    assert len(found) > 80, found
    assert found <= known, f"not in the table: {sorted(found - known)}"
    assert known <= found, f"no ops: {sorted(known - found)}"
    assert len(known) == len(TABLE) + len(INTEGERS) + len(REFUSED)


def write(op, count):
    arguments = ", ".join(f"%x{i}: f64" for i in range(count))
    names = ", ".join(f"%x{i}" for i in range(count))
    body = TEXTS.get(op, f"%r = {op} {names} : f64")
    return (f"func.func @f({arguments}) -> f64 {{\n{body}\n"
            "return %r : f64\n}\n")


def by_torch(function, points, g, w):
    """Value, cotangents, and the cotangents of those for w."""
    x = [torch.tensor(p, dtype=torch.float64, requires_grad=True)
         for p in points]
    g = torch.tensor(g, requires_grad=True)
    y = function(*x)
    first = torch.autograd.grad(y, x, g, create_graph=True, allow_unused=True)
    first = [torch.zeros_like(g) if v is None else v for v in first]
    pairs = [(v, torch.tensor(t)) for v, t in zip(first, w) if v.requires_grad]
    second = [None] * (len(x) + 1)
    if pairs:
        second = torch.autograd.grad([v for v, _ in pairs], [*x, g],
                                     [t for _, t in pairs], allow_unused=True)
    second = [torch.zeros_like(g) if v is None else v for v in second]
    return [[v.numpy(force=True) for v in vs]
            for vs in ([y, *first], second)]


def compare(op, what, got, expected, rtol=1e-9):
    for i, (a, b) in enumerate(zip(got, expected, strict=True)):
        np.testing.assert_allclose(
            a, b, rtol=rtol, atol=1e-9,
            err_msg=f"{op}: {what}, number {i} of {len(expected)}")


def check(op, module):
    function, ranges, special = TABLE[op]
    n = len(ranges)
    derive = compile_derivatives(module, n)
    rtol = 1e-6 if op in ("arith.extf", "arith.truncf") else 1e-9
    points = [rng.uniform(*r, 64) for r in ranges]
    g, *w = rng.normal(size=(n + 1, 64))
    first, second = by_torch(function, points, g, w)
    grad, jvp, reverse, forward = derive(points, g, w)
    compare(op, "gradient", grad, first, rtol)
    tangent = sum(c * t for c, t in zip(first[1:], w)) / g
    compare(op, "tangent", jvp, [tangent], rtol)
    compare(op, "reverse over reverse", reverse, second, 1e-6)
    # Second derivatives are symmetric.
    compare(op, "forward over reverse", forward[1:], second[:-1], 1e-6)
    if not special:
        return
    points = [np.array(p, "f8") for p in zip(*special)]
    g, *w = np.ones((n + 1, len(special)))
    first, _ = by_torch(function, points, g, w)
    compare(op, "gradient at special points", derive(points, g, w)[0], first)


# From tiny to huge numbers.
WIDE = np.array([s * 10.0**k for s in (1, -1) for k in
                 (-300, -155, -30, -8, -3, -1, 0, 1, 2, 3, 8, 17, 30, 155, 300)]
                + [0.0, 709.0, -709.0, 712.0, -712.0, -750.0, INF, -INF])


def check_everywhere(op, module):
    """Functions of one number, where torch has derivatives that are no NaN."""
    function, ranges, _ = TABLE[op]
    if len(ranges) > 1 or op in ("arith.extf", "arith.truncf"):
        return
    one = np.ones(WIDE.size)
    first, second = by_torch(function, [WIDE], one, [one])
    got, _, reverse, _ = compile_derivatives(module, 1)([WIDE], one, [one])
    for what, a, b in (("gradient", got[1], first[1]),
                       ("second derivative", reverse[0], second[0])):
        wrong = (np.isfinite(first[0]) & ~np.isnan(b)
                 & ~np.isclose(a, b, rtol=1e-6, atol=1e-9))
        assert not wrong.any(), f"{op}: {what}: " + "; ".join(
            f"at {WIDE[k]} got {a[k]}, expected {b[k]}"
            for k in np.flatnonzero(wrong)[:8])


def check_powers_twice(module):
    """x^2 and x^0 at 0: torch's second derivatives are NaN."""
    x, n, one = np.zeros(2), np.array([2.0, 0.0]), np.ones(2)
    reverse = compile_derivatives(module, 2)([x, n], one, [one, 0 * one])[2]
    np.testing.assert_array_equal(reverse[0], [2, 0])


def check_integer_exponents():
    text = ("func.func @f(%x0: f64, %e: f64) -> f64 {\n"
            "%n = arith.fptosi %e : f64 to i32\n"
            "%r = math.fpowi %x0, %n : f64, i32\nreturn %r : f64\n}\n")
    derive = compile_derivatives(differentiate(tool, [text], *TWICE)[0], 2)
    x = np.array([2, 2, 0, 0, 0, -3, NAN, 1])
    n = np.array([3, -2, 0, 1, 2, 3, 0, -2.0**31])
    _, dx, dn = derive([x, n], np.ones(8), [x, n])[0]
    np.testing.assert_allclose(dx, [12, -0.25, 0, 1, 0, 27, 0, -2.0**31])
    np.testing.assert_array_equal(dn, 0)


check_table()
modules = dict(zip(TABLE, differentiate(
    tool, [write(op, len(TABLE[op][1])) for op in TABLE], *TWICE), strict=True))
for op, module in modules.items():
    check(op, module)
    check_everywhere(op, module)
check_powers_twice(modules["math.powf"])
check_integer_exponents()
