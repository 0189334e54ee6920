# REQUIRES: slow
# RUN: env FIRST=%{slice}1000 COUNT=20%{times100} %cached_pytest %s

# Keys and values in pages: random problems against the oracle in float64, and
# what arguments are refused.

import os

import cases
import numpy as np
import oracle
import pytest

import lattn
from pools import lay_out, make_table

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 60)))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_seed(seed):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(cases.TYPES[seed % len(cases.TYPES)])
    accumulator = np.dtype("float64" if dtype == "float64" else "float32")
    size = int(rng.choice([1, 7, 16, 48, 64, 97, 128, 256]))
    b, kv_heads, group = (int(rng.integers(1, 4)) for _ in range(3))
    n = int(rng.choice([1, 1, 2, 5, 17, 70]))
    m = int(rng.choice([1, size, size + 1, 130, 300, 1100]))
    d, dv = (int(x) for x in rng.choice([8, 13, 64], 2))
    layout = str(rng.choice(["bhnd", "bnhd"]))
    h = kv_heads * group
    q = cases.make_array(rng, (b, h, n, d), dtype)
    k = cases.make_array(rng, (b, kv_heads, m, d), dtype)
    v = cases.make_array(rng, (b, kv_heads, m, dv), dtype)
    needed = -(-m // size)
    entries = needed + int(rng.integers(3))
    table, count = make_table(rng, b, needed, entries,
                              rng.choice(["int32", "int64"]))
    keys = entries * size
    options = cases.make_options(rng, dtype, accumulator, b, h, n, keys)
    lengths = options["kv_lengths"] = rng.integers(0, m + 1, b)
    window, bounds = cases.make_window(rng)
    pools = [lay_out(rng, x, size, table, count, layout) for x in (k, v)]
    what = f"seed {seed}: {dtype} {layout} {q.shape} {k.shape} {v.shape} " \
           f"pages of {size}, {lengths} {window} {list(options)}"

    def pad(x):  # as the oracle takes it
        return np.concatenate([x, np.zeros((b, kv_heads, keys - m, x.shape[3]),
                                           dtype)], 2)

    expected, lse = oracle.attention(q, pad(k), pad(v), window=bounds, **options)
    if layout == "bnhd":
        q, expected = q.swapaxes(1, 2), expected.swapaxes(1, 2)
    actual = lattn.attention(q, *pools, pages=table, layout=layout, window=window,
                             return_lse=True, **options)
    cases.check(actual[0], expected, dtype, what)
    tolerance = 1e-12 if accumulator == "float64" else 2e-5
    np.testing.assert_allclose(actual[1], lse, rtol=tolerance, atol=tolerance,
                               err_msg=what)


@pytest.mark.parametrize("heads, dv", [(1, 64), (1, 200), (4, 64)])
def test_hidden_values(heads, dv):
    """Masked keys have values of NaN, in the first, in middle and in the last pages,
    and one page has nothing else."""
    rng = np.random.default_rng(0)
    size, m = 32, 300
    q = rng.standard_normal((1, heads, 1, 64), np.float32)
    k, v = (rng.standard_normal((1, 1, m, x), np.float32) for x in (64, dv))
    mask = rng.random((1, m)) < 0.9
    mask[:, 3 * size:4 * size] = False
    v[0, 0, ~mask[0]] = np.nan
    pages = rng.permutation(12)[None, :10].astype(np.int32)
    pools = [lay_out(rng, x, size, pages, 12, "bhnd") for x in (k, v)]
    mask = np.concatenate([mask, np.ones((1, 320 - m), bool)], 1)
    actual = lattn.attention(q, *pools, pages=pages, key_mask=mask,
                             kv_lengths=np.array([m]))
    k, v = (np.concatenate([x, np.zeros((1, 1, 320 - m, x.shape[3]))], 2)
            for x in (k, v))
    expected, _ = oracle.attention(q, k, v, key_mask=mask,
                                   kv_lengths=np.array([m]))
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=2e-5)


def arrays():
    rng = np.random.default_rng(0)
    q = rng.standard_normal((2, 4, 3, 8), np.float32)
    k, v = rng.standard_normal((2, 6, 2, 16, 8), np.float32)
    return q, k, v, np.array([[5, 0, 2], [1, 4, 3]], np.int32)


@pytest.mark.parametrize("lengths, entry, message", [
    (None, (1, 2, 6), r"pages: expected one of the pool's 6 pages, got 6 at \[1, 2\]"),
    ([48, 33], (1, 2, -1), r"pages: expected one of the pool's 6 pages, got -1 at \[1, 2\]"),
    ([48, 49], None, "kv_lengths: expected at most 48 keys, those of 3 pages of "
     "16, got 49 for batch 1")])
def test_values(lengths, entry, message):
    q, k, v, pages = arrays()
    if entry:
        pages[entry[0], entry[1]] = entry[2]
    lengths = None if lengths is None else np.array(lengths)
    with pytest.raises(ValueError, match=message):
        lattn.attention(q, k, v, pages=pages, kv_lengths=lengths)


def test_unread_entries():
    q, k, v, pages = arrays()
    lengths = np.array([48, 32])
    expected = lattn.attention(q, k, v, pages=pages, kv_lengths=lengths)
    pages[1, 2] = 1 << 30
    actual = lattn.attention(q, k, v, pages=pages, kv_lengths=lengths)
    assert np.array_equal(actual, expected)


@pytest.mark.parametrize("change, error, message", [
    ({"pages": np.zeros((2, 3), np.float32)}, TypeError, "pages: expected"),
    ({"pages": np.zeros(3, np.int32)}, ValueError, "pages: expected"),
    ({"pages": np.zeros((3, 3), np.int32)}, ValueError, "pages: expected"),
    ({"v": np.zeros((6, 2, 8, 8), np.float32)}, ValueError, "v: expected"),
    ({"v": np.zeros((5, 2, 16, 8), np.float32)}, ValueError, "v: expected"),
    ({"k": np.zeros((6, 2, 16, 9), np.float32)}, ValueError, "k: expected"),
    ({"k": np.zeros((6, 2, 16, 8))}, TypeError, "k: expected"),
    ({"k": np.zeros((6, 2, 0, 8), np.float32),
      "v": np.zeros((6, 2, 0, 8), np.float32)}, ValueError,
     "k: expected pages of at least 1 key, got 0")])
def test_arrays(change, error, message):
    q, k, v, pages = arrays()
    with pytest.raises(error, match=message):
        lattn.attention(**{"q": q, "k": k, "v": v, "pages": pages, **change})


def test_torch():
    torch = pytest.importorskip("torch")
    q, k, v, pages = arrays()
    expected = lattn.attention(q, k, v, pages=pages, causal=True)
    q, k, v, pages = map(torch.from_numpy, (q, k, v, pages))
    actual = lattn.attention(q, k, v, pages=pages, causal=True)
    np.testing.assert_array_equal(actual.numpy(), expected)
    q.requires_grad_()
    with pytest.raises(NotImplementedError, match="pages: gradients"):
        lattn.attention(q, k, v, pages=pages, causal=True)
    with torch.no_grad():
        lattn.attention(q, k, v, pages=pages, causal=True)


def test_compiled_by_torch():
    """In one graph, for any number of pages."""
    torch = pytest.importorskip("torch")
    q, k, v, pages = map(torch.from_numpy, arrays())
    lengths = torch.tensor([48, 33])

    def attend(q, k, v, pages, lengths):
        return lattn.attention(q, k, v, pages=pages, kv_lengths=lengths,
                               window=(20, 0), return_lse=True,
                               q_segments=q_segments,
                               kv_segments=segments[:, :16 * pages.shape[1]])
    segments = (torch.arange(48) // 40).expand(2, -1)
    q_segments = torch.ones(2, 3, dtype=torch.int64)
    compiled = torch.compile(attend, backend="aot_eager", fullgraph=True,
                             dynamic=True)
    for some in (pages, pages[:, :2]):
        lengths = lengths.clamp(max=16 * some.shape[1])
        for found, expected in zip(compiled(q, k, v, some, lengths),
                                   attend(q, k, v, some, lengths)):
            assert torch.equal(found, expected)
    torch.library.opcheck(torch.ops.lattn.paged_attention.default, (
        q, k, v, *[None] * 3, lengths, *[None] * 7, None, 20, 0, None, 0, 0, False,
        None, "bhnd", 0.0, 0.0, pages), test_utils="test_faketensor")


@pytest.mark.parametrize("name", ["mask_mod", "out"])
def test_uncompiled_options(name):
    """The graph breaks there, or the error says why it does."""
    torch = pytest.importorskip("torch")
    q, k, v, pages = map(torch.from_numpy, arrays())
    value = torch.empty_like(q) if name == "out" else lambda b, h, q, k: k <= q

    def attend(q):
        return lattn.attention(q, k, v, pages=pages, **{name: value})
    assert torch.equal(torch.compile(attend, backend="eager")(q), attend(q))
    torch.compiler.reset()
    with pytest.raises(RuntimeError, match=f"{name} is not built for compiled gr"):
        torch.compile(attend, backend="eager", fullgraph=True)(q)
