"""Formats of floating-point numbers that NumPy lacks, and rounding."""

import numpy as np

TINY = np.float32(2.0**-126)


def from_bf16(bits):
    return (np.asarray(bits).astype(np.uint32) << np.uint32(16)) \
        .view(np.float32)


def to_bf16(values):
    """f32 to bf16, to nearest even."""
    values = np.ascontiguousarray(values, np.float32)
    u = values.view(np.uint32)
    r = (u + (np.uint32(0x7FFF) + (u >> np.uint32(16) & np.uint32(1)))) \
        >> np.uint32(16)
    nan = values != values
    if nan.any():
        r = np.where(nan, np.uint32(0x7FFF), r)
    return r.astype(np.uint16)


def flush(x, tiny=TINY):
    """Subnormal f32 to zero of the same sign."""
    small = np.abs(x) < tiny
    return np.where(small, np.copysign(x.dtype.type(0), x), x) \
        if small.any() else x


def to_odd(high, low):
    """high + low, where low is less than half a unit of high, such that any
    later rounding of it is that of the exact sum."""
    bits = high.view(np.uint64)
    even = (bits & np.uint64(1)) == 0
    inexact = (low != 0) & even & np.isfinite(high)
    # Half a unit towards low: the neighbour on that side is odd.
    up = np.nextafter(high, np.where(low > 0, np.inf, -np.inf))
    return np.where(inexact, up, high)


def sum_to_odd(a, b):
    """a + b in f64, rounded to odd."""
    s = a + b
    t = s - a
    return to_odd(s, (a - (s - t)) + (b - t))


TIE = np.uint64(1 << 28)
REST = np.uint64((1 << 29) - 1)


def fma32(a, b, c):
    """Correctly rounded a * b + c of f32."""
    product = a.astype(np.float64) * b
    s = product + c
    y = s.astype(np.float32)
    # Rounding twice hurts where the first lands on a tie of the second.
    tie = (s.view(np.uint64) & REST) == TIE
    small = np.abs(y) < TINY
    if tie.any() or small.any():
        c = np.broadcast_to(np.asarray(c, np.float64), s.shape)
        return sum_to_odd(product, c).astype(np.float32)
    return y


def fma64(a, b, c):
    """a * b + c of f64: exact products by longdouble, nearly always right."""
    wide = np.longdouble
    return (a.astype(wide) * b.astype(wide) + c.astype(wide)) \
        .astype(np.float64)


def towards(x, y, mode):
    """y, the nearest to x of a NumPy type, moved as mode rn, rz, rm, rp asks."""
    if mode == "rn":
        return y
    wide = y.astype(np.float64)
    x = np.asarray(x, np.float64)
    if mode == "rz":
        wrong, to = np.abs(wide) > np.abs(x), y.dtype.type(0)
    elif mode == "rm":
        wrong, to = wide > x, y.dtype.type(-np.inf)
    else:
        wrong, to = wide < x, y.dtype.type(np.inf)
    return np.where(wrong, np.nextafter(y, to), y) if wrong.any() else y


def round_bits(x32, drop, mode):
    """f32 with its lowest `drop` bits of mantissa rounded away."""
    u = np.ascontiguousarray(x32, np.float32).view(np.uint32)
    unit, rest = np.uint32(1 << drop), np.uint32((1 << drop) - 1)
    low, base = u & rest, u & ~rest
    half = np.uint32(1 << drop - 1)
    negative = u >> np.uint32(31) == 1
    if mode == "rn":
        up = (low > half) | (low == half) & (base & unit != 0)
    elif mode == "rna":
        up = low >= half
    elif mode == "rz":
        up = np.zeros(u.shape, bool)
    elif mode == "rm":
        up = negative & (low != 0)
    else:
        up = ~negative & (low != 0)
    r = base + np.where(up, unit, np.uint32(0))
    finite = np.isfinite(x32)
    return np.where(finite, r, np.where(np.isnan(x32), 0x7FFFFFFF, u)) \
        .astype(np.uint32).view(np.float32)


def narrow_bf16(x64, mode):
    """f64, exact or rounded to odd, to the bits of bf16."""
    x = np.asarray(x64)
    if x.dtype != np.float32:
        with np.errstate(all="ignore"):
            y = x.astype(np.float32)
            back = y.astype(np.float64)
            # f32 rounded to odd keeps what a second rounding needs.
            inexact = np.isfinite(back) & (back != x)
            y = np.where(inexact, np.where(np.abs(back) > np.abs(x),
                                           np.nextafter(y, np.float32(0)), y),
                         y)
            u = y.view(np.uint32)
            x = np.where(inexact, u | np.uint32(1), u).view(np.float32)
    r = round_bits(x, 16, mode).view(np.uint32) >> np.uint32(16)
    return np.where(np.isnan(x), np.uint32(0x7FFF), r).astype(np.uint16)


def saturate(x):
    """To [0, 1]; NaN to 0."""
    return np.where(x > 0, np.minimum(x, x.dtype.type(1)), x.dtype.type(0))


def minimum(a, b):
    """PTX's min: a number rather than NaN, and -0 below +0."""
    r = np.fmin(a, b)
    zero = r == 0
    if zero.any():
        r = np.where(zero & (a == b), np.where(np.signbit(b), b, a), r)
    return r


def maximum(a, b):
    r = np.fmax(a, b)
    zero = r == 0
    if zero.any():
        r = np.where(zero & (a == b), np.where(np.signbit(b), a, b), r)
    return r
