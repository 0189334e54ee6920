# REQUIRES: slow
# RUN: env FIRST=%{slice}1000 COUNT=20%{times100} %cached_pytest %s

# Packed sequences: random problems against the oracle in float64, which takes padded
# ones, and what arguments are refused.

import os

import cases
import numpy as np
import oracle
import pytest

import lattn
from sequences import get_borders, pack, pad

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 60)))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_seed(seed):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(cases.TYPES[seed % len(cases.TYPES)])
    accumulator = np.dtype("float64" if dtype == "float64" else "float32")
    count, kv_heads, group = (int(rng.integers(1, n)) for n in (7, 4, 4))
    d, dv = (int(x) for x in rng.choice([8, 13, 64], 2))
    layout = str(rng.choice(["bhnd", "bnhd"]))
    lengths, keys = (rng.integers(0, rng.choice([2, 7, 70, 150]), count)
                     for _ in range(2))
    n, m, h = int(max(lengths)), int(max(keys)), kv_heads * group
    q = cases.make_array(rng, (1, h, sum(lengths), d), dtype)
    k = cases.make_array(rng, (1, kv_heads, sum(keys), d), dtype)
    v = cases.make_array(rng, (1, kv_heads, sum(keys), dv), dtype)
    options = cases.make_options(rng, dtype, accumulator, count, h, n, m)
    options.pop("kv_lengths", None)
    window, bounds = cases.make_window(rng)
    what = f"seed {seed}: {dtype} {layout} {q.shape} {k.shape} {v.shape} " \
           f"{lengths} {keys} {window} {list(options)}"
    expected, lse = oracle.attention(
        *(np.nan_to_num(pad(x, lens)) for x, lens in (
            (q, lengths), (k, keys), (v, keys))),
        window=bounds, **{"offset": keys - lengths, **options}, kv_lengths=keys)
    expected, lse = (pack(x, lengths)
                     for x in (expected, lse))
    if layout == "bnhd":
        q, k, v, expected = (x.swapaxes(1, 2) for x in (q, k, v, expected))
    kinds = rng.choice(["int32", "int64"], 2)
    actual = lattn.attention(
        q, k, v, cu_seqlens_q=get_borders(lengths).astype(kinds[0]),
        cu_seqlens_k=get_borders(keys).astype(kinds[1]), layout=layout,
        window=window, return_lse=True, **options)
    # Of 64 products that are not scaled down, a score of 25 has an error of 3e-6.
    cases.check(actual[0], expected, dtype, what, slack=3)
    tolerance = 1e-12 if accumulator == "float64" else 2e-5
    np.testing.assert_allclose(actual[1], lse, rtol=tolerance, atol=tolerance,
                               err_msg=what)


def arrays(*, heads=4, lengths=(3, 0, 40, 1), keys=(9, 5, 70, 1), size=8):
    rng = np.random.default_rng(0)
    q = rng.standard_normal((1, heads, sum(lengths), size), np.float32)
    k, v = rng.standard_normal((2, 1, 2, sum(keys), size), np.float32)
    return {"q": q, "k": k, "v": v,
            "cu_seqlens_q": get_borders(lengths).astype(np.int32),
            "cu_seqlens_k": get_borders(keys).astype(np.int32)}


def test_threads_and_neighbours():
    """The same bits for every number of threads, and whatever stands beside."""
    given = arrays()
    before = lattn.get_num_threads()
    try:
        results = []
        for threads in (1, 2, 5):
            lattn.set_num_threads(threads)
            results.append(lattn.attention(**given, causal=True))
    finally:
        lattn.set_num_threads(before)
    assert all(np.array_equal(results[0], x) for x in results)
    given["k"][:, :, 14:84], given["v"][:, :, 14:84] = np.nan, np.inf
    given["q"][:, :, 3:43] = np.nan
    beside = lattn.attention(**given, causal=True)
    for rows in (slice(0, 3), slice(43, 44)):
        assert np.array_equal(beside[:, :, rows], results[0][:, :, rows])


def test_out():
    given = arrays()
    expected = lattn.attention(**given)
    out = np.full_like(given["q"], np.nan)
    assert lattn.attention(**given, out=out) is out
    assert np.array_equal(out, expected)
    with pytest.raises(ValueError, match="out: expected"):
        lattn.attention(**given, out=np.zeros((4, 4, 40, 8), np.float32))


def test_queries_of_pages():
    """Packed queries read keys in pages, as servers have them."""
    given = arrays(lengths=(5, 1, 30, 0))
    rng = np.random.default_rng(1)
    pool_k, pool_v = rng.standard_normal((2, 9, 2, 16, 8), np.float32)
    pages = rng.permutation(8).reshape(4, 2).astype(np.int32)
    lengths = np.array([20, 32, 30, 7])
    actual = lattn.attention(given["q"], pool_k, pool_v, pages=pages, causal=True,
                             kv_lengths=lengths, cu_seqlens_q=given["cu_seqlens_q"])
    borders = given["cu_seqlens_q"]
    for s, n in enumerate(lengths):
        rows = slice(borders[s], borders[s + 1])
        k, v = (np.concatenate(pool[pages[s]], axis=1)[None, :, :n]
                for pool in (pool_k, pool_v))
        expected = lattn.attention(given["q"][:, :, rows], k, v, causal=True)
        np.testing.assert_allclose(actual[:, :, rows], expected, atol=2e-6)


def test_one_query_each():
    """Decoding: as many rows as sequences are one query each."""
    given = arrays(lengths=(1, 1, 1, 1))
    actual = lattn.attention(**given)
    borders = given["cu_seqlens_k"]
    for s in range(4):
        rows = slice(borders[s], borders[s + 1])
        expected = lattn.attention(given["q"][:, :, s:s + 1],
                                   given["k"][:, :, rows], given["v"][:, :, rows])
        np.testing.assert_allclose(actual[:, :, s:s + 1], expected, atol=2e-6)
    # Keys alone are packed: a batch of queries for each sequence.
    turned = lattn.attention(given["q"].transpose(2, 1, 0, 3), given["k"],
                             given["v"], cu_seqlens_k=borders)
    np.testing.assert_allclose(turned.transpose(2, 1, 0, 3), actual, atol=2e-6)


@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("keys", ["packed", "batch", "pages"])
def test_one_query_first(keys, layout):
    """Sequences of one query, then others, as servers have them: two kernels."""
    lengths, count = (1, 1, 1, 30, 0, 1, 5), np.array([9, 40, 1, 30, 3, 8, 5])
    rng = np.random.default_rng(2)
    borders = get_borders(lengths).astype(np.int32)
    rows = [rng.standard_normal((2, 2, n, 8), np.float32) for n in count]
    q = rng.standard_normal((1, 4, sum(lengths), 8), np.float32)
    options = {"cu_seqlens_q": borders, "sink": rng.standard_normal(4, np.float32)}
    if keys == "packed":
        k, v = np.concatenate(rows, 2)[:, None]
        options["cu_seqlens_k"] = get_borders(count)
    elif keys == "batch":
        k, v = np.stack([np.pad(x, ((0, 0), (0, 0), (0, 40 - x.shape[2]), (0, 0)))
                         for x in rows], 1)
        options |= {"kv_lengths": count, "offset": count - np.array(lengths)}
    else:
        k, v = np.concatenate([np.pad(x, ((0, 0), (0, 0), (0, 48 - x.shape[2]),
                                          (0, 0))) for x in rows], 2).reshape(
            2, 2, 21, 16, 8).swapaxes(1, 2)
        options |= {"kv_lengths": count,
                    "pages": np.arange(21, dtype=np.int32).reshape(7, 3)}
    q, k, v = (x.swapaxes(1, 2) if layout == "bnhd" else x for x in (q, k, v))
    output, lse = lattn.attention(q, k, v, window=(20, 0), layout=layout,
                                  return_lse=True, **options)
    q, output = (x.swapaxes(1, 2) if layout == "bnhd" else x for x in (q, output))
    for i, (own, n) in enumerate(zip(rows, lengths)):
        part = slice(borders[i], borders[i] + n)
        expected = lattn.attention(q[:, :, part], own[:1], own[1:], window=(20, 0),
                                   sink=options["sink"], return_lse=True)
        for x, y in zip((output[:, :, part], lse[:, :, part]), expected):
            np.testing.assert_allclose(x, y, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name", ["cu_seqlens_q", "cu_seqlens_k"])
@pytest.mark.parametrize("change, message", [
    (lambda x: x - 1, "expected the first sequence to begin with row 0, got -1 at"),
    (lambda x: x[[0, 2, 1, 3, 4]],
     r"expected numbers that do not decrease, at least \d+, got \d+ at \[2\]"),
    (lambda x: x[:-1], r"expected the last sequence to end with the last row, \d+, "
     r"got \d+ at \[3\]"),
    (lambda x: x[:0], "expected at least 1 entry, the 0 that the first sequence "
     "begins with, got none"),
    (lambda x: x[None], "expected")])
def test_borders(name, change, message):
    given = arrays(lengths=(3, 2, 40, 1))
    given[name] = change(given[name])
    with pytest.raises(ValueError, match=f"{name}: {message}"):
        lattn.attention(**given)


@pytest.mark.parametrize("change, error, message", [
    ({"cu_seqlens_q": np.zeros(5, np.float32)}, TypeError, "cu_seqlens_q: expected"),
    ({"q": np.zeros((2, 4, 44, 8), np.float32)}, ValueError,
     r"q: expected the shape \(1, H, T, D\)|q: expected"),
    ({"cu_seqlens_k": np.array([0, 85], np.int32)}, ValueError,
     "cu_seqlens_k: expected 4 sequences, as many as q has, got 1"),
    ({"kv_lengths": np.zeros(4, np.int32)}, ValueError,
     "kv_lengths: expected none with cu_seqlens_k"),
    ({"pages": np.zeros((4, 1), np.int32)}, ValueError,
     "cu_seqlens_k: expected none with pages"),
    ({"cu_seqlens_q": None}, ValueError, "cu_seqlens_k: expected 1 sequences"),
    ({"cu_seqlens_k": None}, ValueError, "k: expected"),
    ({"key_mask": np.ones((1, 85), bool)}, ValueError, "key_mask: expected"),
    ({"v": np.zeros((1, 2, 84, 8), np.float32)}, ValueError, "v: expected")])
def test_arguments(change, error, message):
    with pytest.raises(error, match=message):
        lattn.attention(**{**arrays(), **change})
