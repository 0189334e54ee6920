"""Arithmetic of f32 and f64, and the approximations."""

import numpy as np

from .. import floats
from ..faults import PTXError
from ..types import TYPES
from . import body, half, only

ROUNDING = {"rn", "rz", "rm", "rp"}
HALVES = {"f16", "f16x2", "bf16", "bf16x2"}


def rounding(ins):
    modes = [p for p in ins.parts if p in ROUNDING]
    return modes[0] if modes else "rn"


def scalar_type(ins):
    t = ins.parts[-1]
    if t not in ("f32", "f64"):
        raise PTXError(f"{ins.op}: type .{t} is not modelled")
    return t


def exact(name, a, b):
    """The result as f64, to be rounded once more."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    if name == "add":
        return floats.sum_to_odd(a, b)
    if name == "sub":
        return floats.sum_to_odd(a, -b)
    if name == "mul":
        return a * b
    q = a / b  # to odd by the sign of the remainder
    rest = a - q * b
    return floats.to_odd(q, np.where(np.isfinite(q), rest * b, 0))


ARITHMETIC = {"add": np.add, "sub": np.subtract, "mul": np.multiply,
              "div": np.divide}


def finish(ins, f):
    """The closure's function with .ftz and .sat around it."""
    flush, sat = "ftz" in ins.parts, "sat" in ins.parts
    if not flush and not sat:
        return f

    def wrapped(*values):
        if flush:
            values = [floats.flush(v) for v in values]
        r = f(*values)
        if flush:
            r = floats.flush(r)
        return floats.saturate(r) if sat else r
    return wrapped


def lift(ins, m, f, n):
    """A closure that applies f to n sources."""
    t = ins.parts[-1]
    d = m.write(ins.args[0], t)
    f = finish(ins, f)
    sources = [m.read(x, t) for x in ins.args[1:n + 1]]
    if n == 1:
        a, = sources

        def run(s):
            d[s] = f(a[s])
    elif n == 2:
        a, b = sources

        def run(s):
            d[s] = f(a[s], b[s])
    else:
        a, b, c = sources

        def run(s):
            d[s] = f(a[s], b[s], c[s])
    return run


@body("add", "sub", "mul", "div")
def binary(ins, m):
    only(ins, *ROUNDING, "ftz", "sat", "approx", "full")
    if ins.parts[-1] in HALVES:
        return half.binary(ins, m)
    t = scalar_type(ins)
    name, mode = ins.parts[0], rounding(ins)
    f = ARITHMETIC[name]
    if mode != "rn":
        if t == "f64":
            raise PTXError(f"{ins.op}: .{mode} of f64 is not modelled")

        def f(a, b):  # noqa: F811
            x = exact(name, a, b)
            return floats.towards(x, x.astype(np.float32), mode)
    return lift(ins, m, f, 2)


@body("fma", "mad")
def fused(ins, m):
    only(ins, *ROUNDING, "ftz", "sat", "relu")
    if ins.parts[-1] in HALVES:
        return half.fused(ins, m)
    t, mode = scalar_type(ins), rounding(ins)
    if t == "f64":
        return lift(ins, m, floats.fma64, 3)
    if mode == "rn":
        return lift(ins, m, floats.fma32, 3)

    def directed(a, b, c):
        x = floats.sum_to_odd(a.astype(np.float64) * b, c.astype(np.float64))
        return floats.towards(x, x.astype(np.float32), mode)
    return lift(ins, m, directed, 3)


@body("min", "max")
def extreme(ins, m):
    only(ins, "ftz", "NaN", "xorsign", "abs")
    if ins.parts[-1] in HALVES:
        return half.extreme(ins, m)
    scalar_type(ins)
    return lift(ins, m, extreme_function(ins), len(ins.args) - 1)


def extreme_function(ins):
    low = ins.parts[0] == "min"
    two = floats.minimum if low else floats.maximum
    nan, xor = "NaN" in ins.parts, "xorsign" in ins.parts

    def f(*values):
        r = values[0]
        for v in values[1:]:
            r = two(np.abs(r), np.abs(v)) if xor else two(r, v)
        if xor:
            sign = values[0]
            for v in values[1:]:
                sign = np.where(np.signbit(v), -sign, sign)
            r = np.copysign(r, sign)
        if nan:
            bad = np.isnan(values[0])
            for v in values[1:]:
                bad = bad | np.isnan(v)
            r = np.where(bad, r.dtype.type(np.nan), r)
        return r
    return f


def sine_like(f):
    return lambda x: f(x.astype(np.float64)).astype(x.dtype)


UNARY = {
    "abs": np.abs, "neg": np.negative, "sqrt": np.sqrt,
    "rcp": lambda x: np.divide(x.dtype.type(1), x),
    "rsqrt": sine_like(lambda x: 1 / np.sqrt(x)),
    "ex2": lambda x: np.exp2(x), "lg2": np.log2, "tanh": np.tanh,
    "sin": sine_like(np.sin), "cos": sine_like(np.cos)}


@body(*UNARY)
def unary(ins, m):
    only(ins, *ROUNDING, "ftz", "approx")
    if ins.parts[-1] in HALVES:
        return half.unary(ins, m, UNARY[ins.parts[0]])
    t, mode, name = scalar_type(ins), rounding(ins), ins.parts[0]
    f = UNARY[name]
    if mode != "rn" and name in ("rcp", "sqrt") and t == "f32":
        def f(x):  # noqa: F811
            wide = x.astype(np.float64)
            r = np.sqrt(wide) if name == "sqrt" else 1 / wide
            return floats.towards(r, r.astype(np.float32), mode)
    return lift(ins, m, f, 1)


@body("copysign")
def copysign(ins, m):
    return lift(ins, m, lambda a, b: np.copysign(b, a), 2)


@body("testp")
def test(ins, m):
    t = ins.parts[-1]
    d, a = m.write(ins.args[0], "pred"), m.read(ins.args[1], t)
    tiny = np.finfo(TYPES[t].dtype).tiny
    f = {"finite": np.isfinite, "infinite": np.isinf, "nan": np.isnan,
         "number": lambda x: ~np.isnan(x), "notanumber": np.isnan,
         "normal": lambda x: np.isfinite(x) & (np.abs(x) >= tiny),
         "subnormal": lambda x: (x != 0) & (np.abs(x) < tiny)}[ins.parts[1]]

    def run(s):
        d[s] = f(a[s])
    return run
