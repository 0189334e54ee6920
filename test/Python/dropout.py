# REQUIRES: slow
# RUN: %cached_pytest %s

# Dropout against the oracle's generator, which is checked against numbers of
# its authors.

import numpy as np
import oracle
import pytest

import lattn

RNG = np.random.default_rng(0)


def arrays(n=37, m=53, dtype="float32"):
    return (RNG.standard_normal((2, 4, n, 8)).astype(dtype),
            RNG.standard_normal((2, 2, m, 8)).astype(dtype),
            RNG.standard_normal((2, 2, m, 8)).astype(dtype))


def test_oracle():
    # Random123's known answers.
    for counter, key, words in [
            ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
            ([2**32 - 1] * 4, [2**32 - 1] * 2,
             "408f276d 41c83b0e a20bc7c6 6d5451fd"),
            ([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
             [0xa4093822, 0x299f31d0], "d16cfe09 94fdcceb 5001e420 24126ea1")]:
        assert " ".join(f"{int(word):08x}"
                        for word in oracle.philox(counter, key)) == words


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("window", [(None, None), (9, 2), (1, 0)])
def test_numbers(dtype, window):
    q, k, v = arrays(dtype=dtype)
    for seed in (0, -1, 2**63 - 1, 0x123456789abcdef):
        options = dict(dropout_p=0.3, seed=seed)
        expected, lse = oracle.attention(q, k, v, window=(*window, None, 0, 0),
                                         **options)
        actual, actual_lse = lattn.attention(q, k, v, window=window,
                                             return_lse=True, **options)
        tolerance = {"float64": 1e-12, "float32": 3e-6, "float16": 2e-3}[dtype]
        np.testing.assert_allclose(actual, expected, tolerance, tolerance)
        np.testing.assert_allclose(actual_lse, lse, 1e-5, 1e-5)


TEXT = """
!t = tensor<?x?x?x8xf32>
!o = tensor<?x?x?x64xf32>
func.func @main(%q: !t, %k: !t, %v: !o, %p: f32, %seed: i64, %offset: i64,
                %out: !o) -> !o {
  %r = lattn.attention query(%q : !t) key(%k : !t) value(%v : !o)
      dropout(%p, %seed, %offset : f32, i64, i64) outs(%out : !o)
      {window = #lattn.window<left = 50>}
  return %r : !o
}
"""


@pytest.mark.parametrize("pipeline", ["llvm", "loops"])
def test_bits(pipeline):
    # With one value for each key the output is the weights.
    q, k, _ = arrays(37, 64)
    v = np.broadcast_to(np.eye(64, dtype="f4"), (2, 2, 64, 64))
    out = np.zeros((2, 4, 37, 64), "f4")
    call = lattn.compile(TEXT, pipeline=pipeline)
    for offset in (0, 1, -1):
        weights = call(q, k, v, 0.3, 77, offset, out)
        kept = oracle.dropout_factor(0.3, 77, (2, 4, 37, 64), offset) > 0
        kept &= oracle.visible(37, 64, 27, (50, None, None, 0, 0), False)
        assert np.array_equal(weights > 0, kept)


def test_with_captures():
    q, k, v = arrays()
    slopes = np.arange(4) / 8
    options = dict(
        dropout_p=0.3, seed=5, attn_mask=RNG.random((37, 53)) < 0.8,
        sink=np.zeros(4, "f4"), q_segments=np.ones((2, 37), "i4"),
        kv_segments=RNG.integers(0, 2, (2, 53)),
        score_mod=lambda s, b, h, i, j: s - slopes[h] * abs(i - j))
    expected, _ = oracle.attention(q, k, v, **options)
    actual = lattn.attention(q, k, v, **options)
    np.testing.assert_allclose(actual, expected, 3e-6, 3e-6)


def test_extremes():
    q, k, v = arrays()
    assert not lattn.attention(q, k, v, dropout_p=1.0, seed=1).any()
    assert not lattn.attention(q, k, v, dropout_p=1, seed=1).any()
    whole = lattn.attention(q, k, v)
    for p in (0, 0.0, np.float32(0), 1e-30):
        np.testing.assert_allclose(
            lattn.attention(q, k, v, dropout_p=p, seed=1), whole, 1e-6, 1e-6)


def test_threads_change_nothing():
    q, k, v = arrays(300, 300)
    results = []
    for threads in (1, 2, 3):
        lattn.set_num_threads(threads)
        results.append(lattn.attention(q, k, v, dropout_p=0.1, seed=5))
    for result in results:
        assert np.array_equal(result, results[0])


def test_seeds():
    q, k, v = arrays()

    def drop(seed=None):
        return lattn.attention(q, k, v, dropout_p=0.5, seed=seed)

    assert np.array_equal(drop(3), drop(3))
    assert not np.array_equal(drop(3), drop(4))
    assert not np.array_equal(drop(3), drop(3 + 2**32))
    assert not np.array_equal(drop(), drop())
    np.random.seed(7)
    first = drop()
    np.random.seed(7)
    assert np.array_equal(first, drop())


def test_rate():
    ones = np.ones((1, 1, 512, 8), "f4")
    mean = lattn.attention(ones, ones, ones, dropout_p=0.25, seed=2).mean()
    assert abs(mean - 1) < 0.01


def test_dropped_nan():
    q, k, v = arrays()
    factor = oracle.dropout_factor(0.5, 9, (2, 4, 37, 53))
    v[:, :, 7] = np.nan
    actual = lattn.attention(q, k, v, dropout_p=0.5, seed=9)
    assert np.array_equal(np.isnan(actual[..., 0]), factor[..., 7] > 0)
