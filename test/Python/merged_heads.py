# REQUIRES: slow
# RUN: env LATTN_CACHE_DIR=%t %pytest %s

# A few queries of heads that share keys are computed as those of one head: bit by
# bit what a program gets that reshapes them itself.

import numpy as np
import oracle
import pytest

import lattn

KEYS, SIZE = 70, 20


def make(heads, kv_heads, queries, batches=2, dtype="f4"):
    rng = np.random.default_rng(queries)
    return tuple(rng.standard_normal((batches, h, n, SIZE)).astype(dtype)
                 for h, n in ((heads, queries), (kv_heads, KEYS),
                              (kv_heads, KEYS)))


def merge(x, kv_heads):
    return x.reshape(x.shape[0], kv_heads, -1, *x.shape[3:])


@pytest.mark.parametrize("heads, kv_heads, queries", [
    (8, 4, 2), (4, 2, 3), (6, 1, 2), (16, 4, 5), (8, 4, 9), (12, 4, 33)])
def test_numbers(heads, kv_heads, queries):
    q, k, v = make(heads, kv_heads, queries)
    options = {"kv_lengths": np.array([KEYS, 17]),
               "key_mask": np.arange(2 * KEYS).reshape(2, KEYS) % 5 > 0}
    out, lse = lattn.attention(q, k, v, return_lse=True, **options)
    expected, expected_lse = oracle.attention(
        q, k, v, layout="bhnd", window=(None, None, None, 0, 0), **options)
    # Sums of up to 70 products of order 1 in f32.
    np.testing.assert_allclose(out, expected, rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-6, atol=1e-5)


def is_merged(q, k, v, **options):
    out, lse = lattn.attention(q, k, v, return_lse=True, **options)
    merged, merged_lse = lattn.attention(
        np.ascontiguousarray(merge(q, k.shape[1])), k, v, return_lse=True)
    return ((merge(out, k.shape[1]) == merged).all()
            and (merge(lse, k.shape[1]) == merged_lse).all())


# Features on the lanes with N queries (with AVX2 up to 4), queries on the lanes with
# those of all heads: other bits.
def test_merged():
    assert is_merged(*make(16, 4, 3))
    q, k, v = make(16, 4, 3)
    out = np.empty_like(q)
    lattn.attention(q, k, v, out=out)
    merged = lattn.attention(merge(q, 4), k, v)
    assert (merge(out, 4) == merged).all()


def test_not_merged():
    q, k, v = make(16, 4, 3)
    apart = np.empty((2, 16, 7, SIZE), "f4")[:, :, :3]
    apart[:] = q
    assert not is_merged(apart, k, v)  # rows of heads have gaps between them
    assert not is_merged(*make(16, 1, 3, batches=1))  # one tile for all threads
    for options in ({"causal": True, "offset": KEYS}, {"window": (KEYS, KEYS)},
                    {"sink": np.full(16, -1e30, "f4")},
                    {"bias": np.zeros((1, 16, 1, KEYS), "f4")}):
        assert not is_merged(q, k, v, **options), options


def test_threads():
    q, k, v = make(16, 4, 5, batches=3)
    before = lattn.get_num_threads()
    try:
        lattn.set_num_threads(1)
        one = lattn.attention(q, k, v)
        lattn.set_num_threads(3)
        assert (lattn.attention(q, k, v) == one).all()
    finally:
        lattn.set_num_threads(before)
