"""Random problems for lattn.attention, the same for the same seed."""

import ml_dtypes
import numpy as np

import lattn
import oracle

TYPES = ["float32", "float64", "float16", ml_dtypes.bfloat16]
# Of one rounding of the output, and of products that are summed.
TOLERANCE = {"float64": 1e-12, "float32": 3e-6, "float16": 1.5e-3,
             "bfloat16": 1.2e-2}


def make_array(rng, shape, dtype):
    """Of any strides: axes in any order, gaps, backwards, broadcast."""
    kind = rng.integers(6)
    axes = list(range(len(shape)))
    if kind == 1:
        axes = list(rng.permutation(len(shape)))
    base = [shape[a] for a in axes]
    if kind == 2:
        base = [2 * n + 1 for n in base]
    x = rng.standard_normal(base).astype(dtype)
    if kind == 2:
        x = x[tuple(slice(1, 1 + 2 * n, 2) for n in shape)]
    x = x.transpose(np.argsort(axes))
    if kind == 3:
        x = x[tuple(slice(None, None, -1) for _ in shape)]
    if kind == 4 and shape[0] > 0:
        x = np.broadcast_to(x[:1], shape)
    if kind == 5:
        x.flags.writeable = False
    assert x.shape == tuple(shape)
    return x


def broadcast_shape(rng, shape):
    rank = rng.integers(1, len(shape) + 1)
    return tuple(1 if rng.random() < 0.3 else n for n in shape[-rank:])


def make_options(rng, dtype, accumulator, b, h, n, m):
    def maybe(chance=0.3):
        return rng.random() < chance

    def either():
        return accumulator if maybe(0.5) else dtype

    options = {}
    if maybe():
        options["causal"] = True
    if maybe():
        options["scale"] = float(rng.choice([0.3, 1.0, -0.5]))
    if maybe():
        shape = broadcast_shape(rng, (b, h, n, m))
        options["bias"] = make_array(rng, shape, either())
    if maybe():
        options["key_mask"] = rng.random((b, m)) < 0.7
    if maybe():
        shape = broadcast_shape(rng, (b, h, n, m))
        options["attn_mask"] = (rng.random(shape) < 0.8 if maybe(0.5) else
                                make_array(rng, shape, either()))
    if maybe():
        integers = rng.choice(["int32", "int64"])
        options["kv_lengths"] = rng.integers(-1, m + 2, b).astype(integers)
    if maybe():
        options["offset"] = (int(rng.integers(-5, m + 5)) if maybe(0.5) else
                             rng.integers(-5, m + 5, b))
    if maybe():
        options["softcap"] = float(rng.choice([2.0, 30.0]))
    if maybe():
        options["sink"] = make_array(rng, (h,), either())
    if maybe():
        integers = rng.choice(["int32", "int64", "uint8"])
        options["q_segments"] = rng.integers(0, 3, (b, n)).astype(integers)
        options["kv_segments"] = rng.integers(0, 3, (b, m)).astype(integers)
    if maybe():
        table = make_array(rng, (h, 9), either())
        options["score_mod"] = lambda s, b, h, i, j: \
            s * 0.5 + table[h, np.minimum(abs(i - j), 8)]
    if maybe():
        ends = rng.integers(0, m + 1, b)
        options["mask_mod"] = lambda b, h, i, j: (j < ends[b]) | (i % 3 == 0)
    if maybe():
        options["dropout_p"] = float(rng.choice([0.1, 0.5, 1.0]))
        options["seed"] = int(rng.integers(-2**63, 2**63 - 1))
    return options


def make_window(rng):
    """For lattn, and as the oracle takes it."""
    def bound():
        return None if rng.random() < 0.3 else int(rng.integers(0, 40))

    kind = rng.integers(3)
    if kind == 0:
        return None, (None, None, None, 0, 0)
    left, right = bound(), bound()
    if kind == 1:
        return (left, right), (left, right, None, 0, 0)
    bucket, back, forward = (int(x) for x in
                             (rng.integers(1, 12), *rng.integers(0, 3, 2)))
    return (lattn.Window(left, right, bucket, back, forward),
            (left, right, bucket, back, forward))


def check(output, expected, dtype, what, slack=1):
    """`slack`: of the tolerance, where scores are larger than others'."""
    name = np.dtype(dtype).name
    assert np.asarray(output).dtype == np.dtype(dtype), what
    np.testing.assert_allclose(
        np.asarray(output).astype(np.float64), expected,
        rtol=slack * TOLERANCE[name], atol=slack * TOLERANCE[name],
        err_msg=what)


def run(seed, few_queries=False):
    """Compares one problem with the oracle; with so few queries that features
    lie on the lanes, or a few more."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(TYPES[seed % len(TYPES)])
    accumulator = np.dtype("float64" if dtype == "float64" else "float32")
    b = int(rng.choice([0, 1, 2, 3], p=[0.05, 0.4, 0.35, 0.2]))
    kv_heads, group = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    h = kv_heads * group
    n, m = (int(x) for x in rng.choice([0, 1, 3, 17, 33, 100], 2,
                                       p=[.04, .16, .2, .2, .2, .2]))
    d, dv = (int(x) for x in rng.choice([1, 8, 13, 32, 64], 2))
    if few_queries:
        n = int(rng.choice(12, p=[0, .3, .1, .1, .1, .1, .05, .1, .1, 0, 0,
                                  .05]))
        m = int(rng.choice([1, 15, 16, 63, 64, 130, 2100]))
        d, dv = (int(x) for x in rng.choice([1, 8, 13, 37, 64, 80, 150], 2))
    layout = str(rng.choice(["bhnd", "bnhd"]))

    def make(heads, positions, size):
        shape = ((b, heads, positions, size) if layout == "bhnd" else
                 (b, positions, heads, size))
        return make_array(rng, shape, dtype)

    q, k, v = make(h, n, d), make(kv_heads, m, d), make(kv_heads, m, dv)
    options = make_options(rng, dtype, accumulator, b, h, n, m)
    window, bounds = make_window(rng)
    what = f"seed {seed}: {dtype} {layout} {q.shape} {k.shape} {v.shape} " \
           f"{window} {list(options)}"
    expected, lse = oracle.attention(q, k, v, layout=layout, window=bounds,
                                     **options)
    actual = lattn.attention(q, k, v, layout=layout, window=window,
                             return_lse=True, **options)
    check(actual[0], expected, dtype, what)
    assert actual[1].shape == lse.shape and actual[1].dtype == accumulator
    tolerance = 1e-12 if accumulator == "float64" else 2e-5
    np.testing.assert_allclose(actual[1], lse, rtol=tolerance, atol=tolerance,
                               err_msg=what)
