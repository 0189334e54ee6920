# REQUIRES: slow
# RUN: rm -rf %t
# RUN: env LATTN_CACHE_DIR=%t %pytest %s

# One query a head, as decoding has: heads that share keys are one tile, whose
# kernel serves any number of keys.

import os
import pathlib

import numpy as np
import oracle
import pytest

import lattn

FOLDER = pathlib.Path(os.environ["LATTN_CACHE_DIR"])


def make(rng, layout, heads, kv_heads, keys, size=20, batches=2):
    def array(h, n):
        shape = (batches, h, n, size) if layout == "bhnd" else (
            batches, n, h, size)
        return rng.standard_normal(shape).astype("f4")

    return array(heads, 1), array(kv_heads, keys), array(kv_heads, keys)


OPTIONS = [
    {}, {"causal": True}, {"window": (9, None)},
    {"window": lattn.Window(bucket=8, back=1, forward=0)},
    {"kv_lengths": np.array([5, 40])}, {"offset": np.array([3, -1])},
    {"key_mask": np.arange(80).reshape(2, 40) % 3 > 0},
    {"window": (9, 0), "kv_lengths": np.array([40, 17])},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("heads, layout", [
    ((4, 4), "bhnd"), ((6, 2), "bhnd"), ((6, 2), "bnhd"), ((34, 2), "bhnd"),
    ((5, 1), "bnhd")])
def test_options(layout, options, heads):
    rng = np.random.default_rng(heads[0])
    q, k, v = make(rng, layout, *heads, keys=40)
    out, lse = lattn.attention(q, k, v, layout=layout, return_lse=True,
                               **options)
    given = dict(options)
    window = given.pop("window", (None, None))
    if isinstance(window, lattn.Window):
        window = (window.left, window.right, window.bucket, window.back,
                  window.forward)
    else:
        window = (*window, None, 0, 0)
    expected, expected_lse = oracle.attention(q, k, v, layout=layout,
                                              window=window, **given)
    # Sums of up to 40 products of order 1 in f32.
    np.testing.assert_allclose(out, expected, rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-6, atol=1e-5)


def _scores(rng, heads):
    """Options of scores: those that all heads share, and those of each head."""
    row = rng.standard_normal((2, 1, 1, 40)).astype("f4")
    rows = rng.standard_normal((1, heads, 1, 40)).astype("f4")
    slopes = rng.standard_normal(heads).astype("f4")
    return {
        "softcap": dict(softcap=3.0), "bias": dict(bias=row),
        "bias-of-heads": dict(bias=rows), "mask": dict(attn_mask=row > 0),
        "mask-of-heads": dict(attn_mask=rows > 0),
        "bias-and-mask": dict(bias=row, attn_mask=row > -0.5),
        "scores-of-heads": dict(
            score_mod=lambda s, b, h, i, j: s + slopes[h] * j),
    }


@pytest.mark.parametrize("heads", [(6, 2), (34, 2)])
@pytest.mark.parametrize("has_sink", [False, True])
@pytest.mark.parametrize("name", _scores(np.random.default_rng(0), 1))
def test_scores(name, has_sink, heads):
    rng = np.random.default_rng(heads[0])
    q, k, v = make(rng, "bhnd", *heads, keys=40)
    options = _scores(rng, heads[0])[name] | {"window": (30, 0)}
    if has_sink:
        options["sink"] = rng.standard_normal(heads[0]).astype("f4") * 3
    out, lse = lattn.attention(q, k, v, return_lse=True, **options)
    options["window"] = (30, 0, None, 0, 0)
    expected, expected_lse = oracle.attention(q, k, v, **options)
    # Sums of up to 40 products of order 1 in f32.
    np.testing.assert_allclose(out, expected, rtol=2e-5, atol=2e-5)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-6, atol=1e-5)


def test_one_kernel():
    rng = np.random.default_rng(7)
    lattn.attention(*make(rng, "bhnd", 8, 2, 30, size=12))
    before = sum(1 for _ in FOLDER.rglob("*"))
    for keys in [31, 500, 1]:
        lattn.attention(*make(rng, "bhnd", 8, 2, keys, size=12))
    assert sum(1 for _ in FOLDER.rglob("*")) == before


def test_few_and_many_queries():
    """Up to 8 queries have code of their own, which larger calls do not compile."""
    rng = np.random.default_rng(8)
    _, k, v = make(rng, "bhnd", 8, 2, 30, size=12)
    counts = []
    for queries in [9, 500, 8, 2, 9]:
        q = rng.standard_normal((2, 8, queries, 12)).astype("f4")
        expected, _ = oracle.attention(q, k, v)
        np.testing.assert_allclose(lattn.attention(q, k, v), expected,
                                   rtol=2e-5, atol=2e-5)
        counts.append(sum(path.is_file() for path in FOLDER.rglob("*")))
    assert counts == [counts[0]] * 2 + [counts[0] + 1] * 3
