"""Arithmetic of f16 and bf16, one or two to a register."""

import numpy as np

from .. import floats
from ..floats import from_bf16, narrow_bf16, to_bf16

PLAIN = {"add": np.add, "sub": np.subtract, "mul": np.multiply}


def is_brain(ins):
    return ins.parts[-1].startswith("bf16")


def lift(ins, m, f, n, round_sum=None):
    """Computes in f32; round_sum: how an f64 becomes the type at last."""
    t = ins.parts[-1]
    d = m.write(ins.args[0], t)
    sources = [m.read(x, t) for x in ins.args[1:n + 1]]
    relu, sat, ftz = (p in ins.parts for p in ("relu", "sat", "ftz"))
    brain = is_brain(ins)
    tiny = floats.TINY if brain else np.float32(2.0**-14)
    load = from_bf16 if brain else lambda x: x.astype(np.float32)
    if round_sum is None:
        round_sum = to_bf16 if brain else lambda x: x.astype(np.float16)

    def run(s):
        values = [load(x[s]) for x in sources]
        if ftz:
            values = [floats.flush(x, tiny) for x in values]
        r = f(*values)
        if ftz:
            r = floats.flush(r, tiny)
        if relu:
            r = np.where(r > 0, r, np.where(np.isnan(r), r, 0)) \
                .astype(r.dtype)
        d[s] = round_sum(floats.saturate(r) if sat else r)
    return run


def binary(ins, m):
    return lift(ins, m, PLAIN[ins.parts[0]], 2)


def fused(ins, m):
    def f(a, b, c):
        wide = np.float64
        return floats.sum_to_odd(a.astype(wide) * b, c.astype(wide))

    if is_brain(ins):
        return lift(ins, m, f, 3, lambda x: narrow_bf16(x, "rn"))
    return lift(ins, m, f, 3)


def extreme(ins, m):
    from .floating import extreme_function
    return lift(ins, m, extreme_function(ins), 2)


def unary(ins, m, f):
    return lift(ins, m, f, 1)
