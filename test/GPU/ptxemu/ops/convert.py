"""cvt: between widths, formats, integers and floating point."""

import numpy as np

from .. import floats
from ..faults import PTXError
from ..types import TYPES
from . import body, only

INTEGER_ROUNDING = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor,
                    "rpi": np.ceil}
PACKED = {"bf16x2", "f16x2"}


def mode_of(ins):
    for mode in ("rn", "rz", "rm", "rp", "rna"):
        if mode in ins.parts:
            return mode
    return "rn"


def narrow(x, to, mode):
    """f64 or narrower to a floating type's bits or values."""
    if to == "bf16":
        return floats.narrow_bf16(x, mode)
    if to == "tf32":
        return floats.round_bits(x.astype(np.float32), 13, mode)
    dtype = TYPES[to].dtype
    return floats.towards(x, x.astype(dtype), mode)


@body("cvt")
def convert(ins, m):
    if ins.parts[1] == "pack":
        return pack(ins, m)
    only(ins, *INTEGER_ROUNDING, "rn", "rz", "rm", "rp", "rna", "sat", "ftz",
         "relu")
    to, source = ins.parts[-2], ins.parts[-1]
    if to in PACKED and source == "f32":
        return convert_two(ins, m, to)
    if to not in TYPES or source not in TYPES or TYPES[to].lanes == 2:
        raise PTXError(f"{ins.op} is not modelled")
    if to == "b32" and "tf32" in ins.parts:
        to = "tf32"
    float_to = to in ("f16", "f32", "f64", "bf16", "tf32")
    float_from = source in ("f16", "f32", "f64", "bf16")
    d, a = m.write(ins.args[0], to), m.read(ins.args[1], source)
    load = floats.from_bf16 if source == "bf16" else lambda x: x
    if float_to and float_from:
        f = float_to_float(ins, to)
    elif float_to:
        def f(x):
            return integer_to_float(x, to, mode_of(ins))
    elif float_from:
        f = float_to_integer(ins, TYPES[to].dtype)
    else:
        f = integer_to_integer(ins, TYPES[to].dtype)

    def run(s):
        d[s] = f(load(a[s]))
    return run


def float_to_float(ins, to):
    parts = ins.parts
    whole = next((INTEGER_ROUNDING[p] for p in parts if p in INTEGER_ROUNDING),
                 None)
    mode, relu = mode_of(ins), "relu" in parts

    def f(x):
        if "ftz" in parts and x.dtype == np.float32:
            x = floats.flush(x)
        if whole:
            x = whole(x)
        if "sat" in parts:
            x = floats.saturate(x)
        if relu:
            x = np.where(np.isnan(x) | (x > 0), x, x.dtype.type(0))
        r = narrow(x, to, mode)
        return floats.flush(r) if "ftz" in parts and to == "f32" else r
    return f


def integer_to_float(x, to, mode):
    if to == "f64":
        return x.astype(np.float64)
    if x.dtype.itemsize < 8:
        return narrow(x.astype(np.float64), to, mode)
    if mode == "rn" and to == "f32":
        return x.astype(np.float32)
    wide = x.astype(np.longdouble)
    near = wide.astype(np.float64)
    return narrow(floats.to_odd(near, (wide - near).astype(np.float64)), to,
                  mode)


def float_to_integer(ins, dtype):
    whole = next((INTEGER_ROUNDING[p] for p in ins.parts
                  if p in INTEGER_ROUNDING), None)
    if whole is None:
        raise PTXError(f"{ins.op} without a rounding")
    info = np.iinfo(dtype)
    # The largest and smallest that both types hold.
    high = np.nextafter(np.float64(2.0**(info.bits - (info.min < 0))), 0)

    def f(x):
        r = whole(np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=np.inf,
                                neginf=-np.inf))
        inside = np.clip(r, float(info.min), np.floor(high)).astype(dtype)
        inside = np.where(r > high, dtype.type(info.max), inside)
        return np.where(r < float(info.min), dtype.type(info.min), inside)
    return f


def integer_to_integer(ins, dtype):
    if "sat" not in ins.parts:
        return lambda x: x.astype(dtype)
    info = np.iinfo(dtype)

    def f(x):
        low = max(info.min, int(np.iinfo(x.dtype).min))
        high = min(info.max, int(np.iinfo(x.dtype).max))
        return np.clip(x, x.dtype.type(low), x.dtype.type(high)).astype(dtype)
    return f


def convert_two(ins, m, to):
    """cvt.rn.bf16x2.f32 d, a, b: a becomes the upper half."""
    one = to[:-2]
    mode, relu = mode_of(ins), "relu" in ins.parts
    d = m.write(ins.args[0], to)
    a, b = m.read(ins.args[1], "f32"), m.read(ins.args[2], "f32")
    fast = one == "bf16" and mode == "rn"

    def half(x):
        if relu:
            x = np.where(np.isnan(x) | (x > 0), x, np.float32(0))
        return floats.to_bf16(x) if fast else narrow(x, one, mode)

    def run(s):
        low = half(b[s])
        both = np.empty((len(low), 2), low.dtype)
        both[:, 0] = low
        both[:, 1] = half(a[s])
        d[s] = both
    return run


def pack(ins, m):
    """cvt.pack.sat.s8.s32.b32 d, a, b, c"""
    small, wide = TYPES[ins.parts[3]], ins.parts[4]
    d, a, b = m.write(ins.args[0], "b32"), m.read(ins.args[1], wide), \
        m.read(ins.args[2], wide)
    c = m.read(ins.args[3], "b32") if len(ins.args) > 3 else None
    info, bits = np.iinfo(small.dtype), 8 * small.bytes

    def one(x):
        return np.clip(x.astype(np.int64), info.min, info.max) \
            & ((1 << bits) - 1)

    def run(s):
        r = one(b[s]) | one(a[s]) << bits
        if c is not None:
            r |= c[s].astype(np.int64) << 2 * bits
        d[s] = r.astype(np.uint32)
    return run
