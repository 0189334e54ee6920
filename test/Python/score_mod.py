# REQUIRES: slow
# RUN: %cached_pytest %s

# Python functions as score_mod and mask_mod: the same functions on whole arrays
# are the oracle.

import functools

import ml_dtypes
import numpy as np
import oracle
import pytest

import lattn
from lattn import math as lm

B, H, N, M = 2, 4, 19, 37
RNG = np.random.default_rng(0)


def arrays(dtype="float32"):
    q = RNG.standard_normal((B, H, N, 8)).astype(dtype)
    k = RNG.standard_normal((B, H // 2, M, 8)).astype(dtype)
    return q, k, RNG.standard_normal((B, H // 2, M, 6)).astype(dtype)


def check(arguments=None, window=(None, None), **options):
    q, k, v = arguments or arrays()
    expected, lse = oracle.attention(q, k, v, window=(*window, None, 0, 0),
                                     **options)
    actual, actual_lse = lattn.attention(q, k, v, window=window,
                                         return_lse=True, **options)
    tolerance = 1e-11 if q.dtype == np.float64 else 2e-5
    np.testing.assert_allclose(actual, expected, tolerance, tolerance)
    np.testing.assert_allclose(actual_lse, lse, tolerance, tolerance)


SLOPES = 2.0 ** -np.arange(1, H + 1)  # float64
TABLE = RNG.standard_normal((H, N + M)).astype("float32")


def alibi(score, batch, head, q_idx, kv_idx):
    return score + SLOPES[head] * (kv_idx - q_idx)


def relative(score, batch, head, q_idx, kv_idx):
    return score + TABLE[head, q_idx - kv_idx + M - 1]


def t5_bucket(score, batch, head, q_idx, kv_idx):
    distance = abs(q_idx - kv_idx)
    far = 4 + (np.log(np.maximum(distance, 1) / 4) * 3).astype("int32")
    bucket = np.where(distance < 4, distance, np.minimum(far, 15))
    return score + TABLE[head, np.where(kv_idx > q_idx, bucket + 16, bucket)]


def tanh_cap(score, batch, head, q_idx, kv_idx):
    return 3.0 * np.tanh(score / 3.0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mod", [alibi, relative, t5_bucket, tanh_cap])
def test_scores(mod, dtype):
    check(arrays(dtype), score_mod=mod)
    check(arrays(dtype), score_mod=mod, window=(9, 3), softcap=5.0)


@pytest.mark.parametrize("mask", [
    lambda b, h, q, k: q >= k,
    lambda b, h, q, k: (q // 4 == k // 4) | (k < 2),
    lambda b, h, q, k: (abs(q - k) <= 3) & ~(k % 5 == 0),
    lambda b, h, q, k: np.logical_and(k <= q + 2 * b, (h + k) % 3 != 1),
    lambda b, h, q, k: (q ^ k) & 4 != 0,
    lambda b, h, q, k: (k << 1 < q) | (k >> 2 == q >> 2),
])
def test_masks(mask):
    check(mask_mod=mask)
    check(score_mod=alibi, mask_mod=mask, causal=True,
          attn_mask=RNG.random((N, M)) < 0.8)


REAL = {
    "abs": np.abs, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "log": lambda x: np.log(np.abs(x) + 1),
    "log2": lambda x: np.log2(np.abs(x) + 1),
    "log10": lambda x: np.log10(np.abs(x) + 1),
    "log1p": lambda x: np.log1p(np.abs(x)), "sqrt": lambda x: np.sqrt(x * x),
    "square": np.square, "reciprocal": lambda x: np.reciprocal(x * x + 1),
    "sin": np.sin, "cos": np.cos, "tan": lambda x: np.tan(x / 8),
    "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
    "round": np.rint, "sign": np.sign, "clip": lambda x: np.clip(x, -1, 0.5),
    "isnan": lambda x: np.where(np.isnan(x), 0.0, x),
    "isfinite": lambda x: np.where(np.isfinite(x), x, 0.0),
    "isinf": lambda x: np.where(np.isinf(x), 0.0, x),
    "floor_divide": lambda x: x // 0.7, "remainder": lambda x: x % 0.7,
    "power": lambda x: x ** 3 + np.abs(x) ** 1.5 + 2.0 ** x + x ** 2,
    "fmax": lambda x: np.fmax(x, -0.5) + np.fmin(np.nan, x),
    "compare": lambda x: np.where((x < 0) & (x != -1), x * 2, +x),
    "chained": lambda x: -x + 1 - (2 - x) / 4,
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("first", range(6))
def test_functions(first, dtype):
    names = sorted(REAL)[first::6]
    check(arrays(dtype), score_mod=lambda s, b, h, q, k: sum(
        np.where(k % len(names) == i, REAL[name](s), 0.0)
        for i, name in enumerate(names)))


def test_own_functions():
    q, k, v = arrays()
    for ours, numpys in [
            (lm.sigmoid, lambda s: 1 / (1 + np.exp(-s))),
            (lambda s: lm.rsqrt(s * s + 1), lambda s: 1 / np.sqrt(s * s + 1)),
            (lambda s: s.clamp(-1, 1).exp(), lambda s: np.exp(s.clip(-1, 1)))]:
        actual = lattn.attention(q, k, v, score_mod=lambda s, *_: ours(s))
        expected, _ = oracle.attention(
            q, k, v, score_mod=lambda s, *_: numpys(s))
        np.testing.assert_allclose(actual, expected, 2e-5, 2e-5)


INTEGERS = {
    "floor": lambda q, k: (q - 2 * k) // 7 + (q - k) // -3 + (q - k) // 8,
    "mod": lambda q, k: (q - 2 * k) % 7 + (q - k) % 16 - (k - q) % -5,
    "by_symbol": lambda q, k: (q - k) // (k - 40) + (k - q) % (q + 1),
    "minus_one": lambda q, k: (q - k) // -1,
    "extrema": lambda q, k: np.maximum(q, k) * np.minimum(q, 3) - abs(q - k),
    "bits": lambda q, k: (q | 5) ^ (k & 9),
    "bools": lambda q, k: (q > k) + (q < k) * 2,
    "negated": lambda q, k: -q + ~k,
    "truth": lambda q, k: np.logical_or(q % 2, k % 3) * 1,
}


@pytest.mark.parametrize("first", range(3))
def test_integers(first):
    names = sorted(INTEGERS)[first::3]
    check(score_mod=lambda s, b, h, q, k: s + sum(
        np.where(k % len(names) == i, 0.01 * INTEGERS[name](q, k), 0.0)
        for i, name in enumerate(names)))


def test_division_by_zero_is_zero():
    q, k, v = arrays()
    actual = lattn.attention(
        q, k, v, score_mod=lambda s, b, h, i, j:
            s + (i + 5) // (j * 0 + b * 0) + (i + 5) % (j * 0))
    np.testing.assert_array_equal(actual, lattn.attention(
        q, k, v, score_mod=lambda s, b, h, i, j: s))


@pytest.mark.parametrize("real", ["float32", "float64"])
def test_element_types(real):
    types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
             "uint32", "float16", ml_dtypes.bfloat16, "float32", "float64"]
    tables = [(RNG.random((H, M)) * 5).astype(dtype) for dtype in types]
    for table in tables:
        if table.dtype.kind == "u":
            table[0, 0] = np.iinfo(table.dtype).max

    def mod(score, batch, head, q_idx, kv_idx):
        for i, table in enumerate(tables):
            read = table[head, kv_idx] * np.float64(1)
            read = np.log1p(np.abs(read)) / 8
            score = np.where(kv_idx % len(tables) == i, score - read, score)
        return score

    check(arrays(real), score_mod=mod)


def test_strided_capture():
    table = RNG.standard_normal((3 * M, H)).astype("f4")[::-3].T
    table.flags.writeable = False
    check(score_mod=lambda s, b, h, q, k: s * table[h, k])


#===------------------------------------------------------------------------===
# Where captured arrays may be
#===------------------------------------------------------------------------===


class Bias:
    def __init__(self):
        self.slopes = SLOPES

    def read(self, head):
        return self.slopes[head]

    def mod(self, score, batch, head, q_idx, kv_idx):
        return score + self.read(head) * (kv_idx - q_idx)

    __call__ = mod


def helper(head):
    return SLOPES[head]


def of_helper(score, batch, head, q_idx, kv_idx):
    return score + helper(head) * (kv_idx - q_idx)


def of_default(score, batch, head, q_idx, kv_idx, slopes=SLOPES, *,
               more={"x": [SLOPES]}):
    return score + (slopes[head] + more["x"][0][head]) / 2 * (kv_idx - q_idx)


def of_partial(slopes, score, batch, head, q_idx, kv_idx):
    return score + slopes[head] * (kv_idx - q_idx)


def test_places():
    q, k, v = arrays()
    expected = lattn.attention(q, k, v, score_mod=alibi)
    local = SLOPES.copy()
    for mod in (of_helper, of_default, Bias().mod, Bias(),
                functools.partial(of_partial, SLOPES),
                lambda s, b, h, i, j: s + (lambda: local[h])() * (j - i),
                lambda *a: alibi(*a)):
        np.testing.assert_array_equal(
            lattn.attention(q, k, v, score_mod=mod), expected)


def test_containers():
    q, k, v = arrays()
    both = [SLOPES, {"other": (SLOPES, 1.5)}]
    both.append(both)  # does not hang
    plain = [0.5]
    check(score_mod=lambda s, b, h, i, j:
          s + both[0][h] + both[1]["other"][0][h] * j * both[1]["other"][1])
    lattn.attention(q, k, v, score_mod=lambda s, *_: plain.append(1) or s)
    assert plain == [0.5, 1]


def test_recursion():
    def power(x, n):
        return x if n == 0 else power(x, n - 1) * SLOPES[n]

    check(score_mod=lambda s, b, h, i, j: power(s, 3))


def test_arrays_without_axes():
    scale = np.array(0.5, "f4")
    q, k, v = arrays()
    for mod in (lambda s, *_: s * scale, lambda s, *_: scale * s,
                lambda s, *_: np.float32(0.5) * s,
                lambda s, *_: np.array(0.5) * s):
        np.testing.assert_allclose(
            lattn.attention(q, k, v, score_mod=mod),
            lattn.attention(q, k, v, scale=0.5 * 8**-0.5), 1e-6, 1e-6)


def test_partial_indices():
    table = RNG.standard_normal((B, H, M)).astype("f4")
    q, k, v = arrays()
    for mod, whole in [
            (lambda s, b, h, q, k: s + table[b][h, k],
             lambda s, b, h, q, k: s + table[b, h, k]),
            (lambda s, b, h, q, k: s + table[b, h, -1] + table[0][1, k],
             lambda s, b, h, q, k: s + table[b, h, -1] + table[0, 1, k])]:
        expected, _ = oracle.attention(q, k, v, score_mod=whole)
        np.testing.assert_allclose(
            lattn.attention(q, k, v, score_mod=mod), expected, 2e-5, 2e-5)


def test_values_may_change():
    q, k, v = arrays()
    table = np.zeros(H, "f4")
    results = []
    for value in (0.0, 1.0):
        table[:] = value * np.arange(H)
        results.append(lattn.attention(
            q, k, v, score_mod=lambda s, b, h, i, j: s * table[h]))
        expected, _ = oracle.attention(
            q, k, v, score_mod=lambda s, b, h, i, j: s * table[h])
        np.testing.assert_allclose(results[-1], expected, 2e-5, 2e-5)
    assert not np.array_equal(*results)


def test_indices_stay_inside():
    q, k, v = arrays()
    short = np.array([1.0, 2.0, 4.0], "f4")
    actual = lattn.attention(
        q, k, v, score_mod=lambda s, b, h, i, j: s * short[i - j])
    expected, _ = oracle.attention(
        q, k, v,
        score_mod=lambda s, b, h, i, j: s * short[np.clip(i - j, 0, 2)])
    np.testing.assert_allclose(actual, expected, 2e-5, 2e-5)
    wild = np.array([2**62, -2**62, -1, 5] * 10)[:M]
    lattn.attention(q, k, v,
                    score_mod=lambda s, b, h, i, j: s * short[wild[j]])


def test_hidden_nan():
    q, k, v = arrays()
    k[:, :, 3:] = v[:, :, 5:] = np.nan
    actual = lattn.attention(q, k, v, mask_mod=lambda b, h, i, j: j < 3)
    expected = lattn.attention(q, k[:, :, :3], v[:, :, :3])
    np.testing.assert_allclose(actual, expected, 1e-6, 1e-6)
