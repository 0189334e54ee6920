"""Pages and packed sequences on GPUs, on a stand-in for the driver whose kernels are
run by the PTX emulator: against the oracle in float64, and what is refused."""

# REQUIRES: slow
# RUN: %emulated FAKECUDA_CAPABILITY=8.0 %pytest %s
# RUN: %emulated FAKECUDA_CAPABILITY=9.0 %pytest %s

import os
import sys

import emulated_gpu
import fake_gpu
import numpy as np
import oracle
import pytest

import lattn

torch = fake_gpu.Torch()
TYPES = {"float16": 2.0 ** -9, "bfloat16": 2.0 ** -6}
CHIP = {"8.0": "sm_80", "9.0": "sm_90a"}[os.environ["FAKECUDA_CAPABILITY"]]
# sm_90a takes the same kernels by other branches.
SOME = slice(None) if CHIP == "sm_80" else slice(0, 3)


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.stream = 0
    found = emulated_gpu.Emulated(monkeypatch, CHIP)
    yield found
    found.close()


def draw(rng, shape, dtype):
    made = emulated_gpu.bits(rng.standard_normal(shape), dtype)
    return made, emulated_gpu.numbers(made, dtype)


def put(array, dtype):
    return torch.tensor(np.ascontiguousarray(array), getattr(torch, dtype))


def integers(values, dtype="int32"):
    return put(np.array(values, dtype), dtype)


def turn(array, layout):
    return array.swapaxes(1, 2) if layout == "bnhd" else array


def check(out, want, dtype):
    got = emulated_gpu.numbers(out.host, dtype)
    error = np.abs(got - want) / np.maximum(np.abs(want), 1)
    assert got.shape == want.shape
    assert np.isfinite(got).all() and error.max() <= TYPES[dtype], error.max()


def check_lse(lse, want):
    assert np.allclose(lse.host, want, atol=2e-3)


def lay_out(rng, rows, size, table, count, dtype):
    """A pool of `count` pages with `rows` (B, Hkv, M, D), NaN elsewhere."""
    pool = emulated_gpu.bits(
        np.full((count, rows.shape[1], size, rows.shape[3]), np.nan), dtype)
    for b, entries in enumerate(table):
        for i in range(-(-rows.shape[2] // size)):
            part = rows[b, :, i * size:(i + 1) * size]
            pool[entries[i], :, :part.shape[1]] = part
    return pool


def pad(rows, borders):
    """Sequences of (1, heads, T, size) as (S, heads, longest, size)."""
    lengths = np.diff(borders)
    padded = np.zeros((len(lengths), rows.shape[1], max(lengths), rows.shape[3]))
    for i, n in enumerate(lengths):
        padded[i, :, :n] = rows[0, :, borders[i]:borders[i + 1]]
    return padded


def pack(rows, borders):
    return np.concatenate([x[:, :n] for x, n in zip(rows, np.diff(borders))], 1)[None]


PAGES = [  # type, layout, page size, N, D, options of lattn and those of the oracle
    ("float16", "bhnd", 16, 5, 32, {"causal": True}, {}),
    ("bfloat16", "bnhd", 64, 20, 64, {"window": (30, 4)},
     {"window": (30, 4, None, 0, 0)}),
    ("float16", "bnhd", 16, 1, 64, {"causal": True}, {}),
    ("bfloat16", "bhnd", 64, 1, 32, {}, {}),
    # Windows that begin within a page.
    ("bfloat16", "bnhd", 16, 1, 64, {"window": (9, 2)},
     {"window": (9, 2, None, 0, 0)}),
    ("float16", "bhnd", 64, 1, 32, {"window": (70, 2)},
     {"window": (70, 2, None, 0, 0)}),
    ("float16", "bhnd", 48, 3, 40, {"offset": 7, "causal": True}, {}),
]


@pytest.mark.parametrize("case", PAGES[SOME], ids=lambda case: "-".join(map(str, case[:5])))
def test_pages(gpu, case):
    dtype, layout, size, n, d, options, others = case
    rng = np.random.default_rng(size + n)
    b, h, hkv, entries = 2, 4, 2, 4
    lengths = np.array([2 * size + 5, size], np.int64)
    count = 2 * entries + 1
    table = rng.permutation(count)[:b * entries].reshape(b, entries)
    q, q_values = draw(rng, (b, h, n, d), dtype)
    k, k_values = draw(rng, (b, hkv, 3 * size, d), dtype)
    v, v_values = draw(rng, (b, hkv, 3 * size, d), dtype)
    k, v = (lay_out(rng, x, size, table, count, dtype) for x in (k, v))
    table = table.astype(np.int32)
    table[0, 3:], table[1, 1:] = -7, 2 ** 30  # behind the lengths
    out, lse = lattn.attention(
        *(put(turn(x, layout), dtype) for x in (q, k, v)), pages=put(table, "int32"),
        kv_lengths=put(lengths, "int64"), layout=layout, return_lse=True, **options)
    gpu.check()
    want, want_lse = oracle.attention(
        q_values, k_values, v_values, kv_lengths=lengths, **{**options, **others})
    check(out, turn(want, layout), dtype)
    check_lse(lse, want_lse)
    # One query has a kernel of its own, which runs parts of the keys in parallel,
    # but not where windows have few keys.
    assert ("attention_split_0" in gpu.launched) == (
        n == 1 and "window" not in options)


def test_entries_and_lengths_out_of_range(gpu):
    """The emulator refuses accesses outside of arrays: entries stand for the nearest
    page, and no key is behind the table."""
    rng = np.random.default_rng(3)
    q, q_values = draw(rng, (2, 2, 17, 32), "float16")
    k, k_values = draw(rng, (3, 2, 16, 32), "float16")
    v, v_values = draw(rng, (3, 2, 16, 32), "float16")
    table = np.array([[-5, 2 ** 40, 1], [0, 3, -2 ** 62]], np.int64)
    nearest = np.clip(table, 0, 2)
    keys, values = (np.concatenate([x[nearest[:, i]] for i in range(3)], 2)
                    for x in (k_values, v_values))
    for lengths in ([1000, 40], [-3, 2 ** 40]):
        out = lattn.attention(
            *(put(x, "float16") for x in (q, k, v)), pages=put(table, "int64"),
            kv_lengths=integers(lengths, "int64"))
        gpu.check()
        want, _ = oracle.attention(q_values, keys, values, kv_lengths=lengths)
        check(out, want, "float16")


SEQUENCES = [  # type, layout, lengths of queries and keys, options, the oracle's
    ("float16", "bhnd", (3, 0, 40, 1, 70), (9, 5, 70, 1, 70), {"causal": True}, {}),
    ("bfloat16", "bnhd", (65, 17), (65, 17), {"window": (20, 3)},
     {"window": (20, 3, None, 0, 0)}),
    ("float16", "bnhd", (1, 1, 1), (30, 2, 90), {"causal": True}, {}),
    ("bfloat16", "bhnd", (33, 2), (5, 80), {}, {}),
    ("float16", "bhnd", (9, 30), (60, 30), {"causal": True, "offset": 2}, {}),
]


@pytest.mark.parametrize("case", SEQUENCES[SOME], ids=lambda case: "-".join(
    map(str, case[:4])))
def test_sequences(gpu, case):
    dtype, layout, queries, keys, options, others = case
    rng = np.random.default_rng(sum(queries))
    kinds = rng.choice(["int32", "int64"], 2)
    of_q, of_k = (np.cumsum([0, *x]) for x in (queries, keys))
    q, q_values = draw(rng, (1, 4, of_q[-1], 32), dtype)
    k, k_values = draw(rng, (1, 2, of_k[-1], 32), dtype)
    v, v_values = draw(rng, (1, 2, of_k[-1], 32), dtype)
    out, lse = lattn.attention(
        *(put(turn(x, layout), dtype) for x in (q, k, v)), layout=layout,
        cu_seqlens_q=integers(of_q, kinds[0]), cu_seqlens_k=integers(of_k, kinds[1]),
        return_lse=True, **options)
    gpu.check()
    at = {"offset": np.diff(of_k) - np.diff(of_q), **options, **others}
    want, want_lse = oracle.attention(
        pad(q_values, of_q), pad(k_values, of_k), pad(v_values, of_k),
        kv_lengths=np.diff(of_k), **at)
    check(out, turn(pack(want, of_q), layout), dtype)
    check_lse(lse, pack(want_lse, of_q))


def test_borders_out_of_range(gpu):
    """The emulator refuses accesses outside of arrays."""
    rng = np.random.default_rng(4)
    q, k, v = (draw(rng, (1, 2, 40, 32), "float16")[0] for _ in range(3))
    for of_q, of_k in (([-9, 20, 99], [5, -3, 2 ** 30]), ([30, 10, 40], [40, 0, 40])):
        lattn.attention(*(put(x, "float16") for x in (q, k, v)), causal=True,
                        cu_seqlens_q=integers(of_q), cu_seqlens_k=integers(of_k))
        gpu.check()


def test_rows_of_no_sequence(gpu):
    """Graphs that are captured once have arrays of more rows than a step needs."""
    rng = np.random.default_rng(8)
    q, q_values = draw(rng, (1, 2, 50, 32), "float16")
    out = put(np.full(q.shape, 7, np.float16), "float16")
    for borders in ([0, 0, 0], [0, 20, 33]):
        given = integers(borders)
        lattn.attention(*[put(q, "float16")] * 3, causal=True, cu_seqlens_q=given,
                        cu_seqlens_k=given, out=out)
        gpu.check()
        assert (out.host[:, :, borders[-1]:] == 7).all()
    padded = pad(q_values, borders)
    want, _ = oracle.attention(padded, padded, padded, kv_lengths=np.diff(borders),
                               offset=0, causal=True)
    assert np.allclose(out.host[:, :, :33], pack(want, borders), atol=4e-3)


@pytest.mark.parametrize("lengths, keys", [((3, 17), [30, 17]), ((7, 2), None)])
def test_sequences_of_queries_alone(gpu, lengths, keys):
    rng = np.random.default_rng(5)
    borders = np.cumsum([0, *lengths])
    q, q_values = draw(rng, (1, 4, borders[-1], 32), "float16")
    k, k_values = draw(rng, (2, 2, 30, 32), "float16")
    v, v_values = draw(rng, (2, 2, 30, 32), "float16")
    given = {} if keys is None else {"kv_lengths": integers(keys)}
    out = lattn.attention(*(put(x, "float16") for x in (q, k, v)), causal=True,
                          cu_seqlens_q=integers(borders), **given)
    gpu.check()
    keys = np.array(keys or [30, 30])
    want, _ = oracle.attention(pad(q_values, borders), k_values, v_values, causal=True,
                               kv_lengths=keys, offset=keys - np.diff(borders))
    check(out, pack(want, borders), "float16")


@pytest.mark.parametrize("n", [1, 20])
def test_sequences_of_keys_alone(gpu, n):
    rng = np.random.default_rng(n)
    borders = np.array([0, 25, 40])
    q, q_values = draw(rng, (2, 4, n, 32), "float16")
    k, k_values = draw(rng, (1, 2, 40, 32), "float16")
    v, v_values = draw(rng, (1, 2, 40, 32), "float16")
    out = lattn.attention(*(put(x, "float16") for x in (q, k, v)), causal=True,
                          cu_seqlens_k=integers(borders))
    gpu.check()
    want, _ = oracle.attention(
        q_values, pad(k_values, borders), pad(v_values, borders), causal=True,
        kv_lengths=np.diff(borders))
    check(out, want, "float16")


def test_sequences_over_pages(gpu):
    """A server's step: a sequence that decodes, and a new one."""
    rng = np.random.default_rng(6)
    borders, lengths = np.array([0, 1, 31]), np.array([40, 30])
    q, q_values = draw(rng, (1, 31, 4, 32), "bfloat16")
    k, k_values = draw(rng, (2, 2, 48, 32), "bfloat16")
    v, v_values = draw(rng, (2, 2, 48, 32), "bfloat16")
    table = rng.permutation(8)[:6].reshape(2, 3)
    pools = [turn(lay_out(rng, x, 16, table, 8, "bfloat16"), "bnhd") for x in (k, v)]
    table[1, 2] = 99
    out = lattn.attention(
        put(q, "bfloat16"), *(put(x, "bfloat16") for x in pools), layout="bnhd",
        causal=True, pages=integers(table), kv_lengths=integers(lengths),
        cu_seqlens_q=integers(borders))
    gpu.check()
    want, _ = oracle.attention(
        pad(turn(q_values, "bnhd"), borders), k_values, v_values, causal=True,
        kv_lengths=lengths, offset=lengths - np.diff(borders))
    check(out, turn(pack(want, borders), "bnhd"), "bfloat16")


def test_nothing_waits(gpu):
    """Nothing is copied to the host, and graphs can capture the call."""
    rng = np.random.default_rng(7)
    q, k, v = (put(draw(rng, shape, "float16")[0], "float16") for shape in (
        (2, 4, 1, 32), (5, 2, 16, 32), (5, 2, 16, 32)))
    table, lengths = integers([[0, 1], [2, 3]]), integers([20, 32])

    def call():
        lattn.attention(q, k, v, pages=table, kv_lengths=lengths, scale=0.5)
    call()
    torch.stream = fake_gpu.make_stream()
    fake_gpu.take_calls()
    fake_gpu.driver.fakeCudaSetCapturing(True)
    try:
        call()
    finally:
        fake_gpu.driver.fakeCudaSetCapturing(False)
    names = {c.split()[0] for c in fake_gpu.take_calls()}
    assert not any("Memcpy" in name or "Synchronize" in name for name in names), names


def test_errors(gpu):
    def tensors(*shapes):
        return [put(np.zeros(shape, np.float16), "float16") for shape in shapes]
    q, k, v = tensors((2, 4, 3, 32), (5, 2, 16, 32), (5, 2, 16, 32))
    table = np.zeros((2, 2), np.int32)
    with pytest.raises(ValueError, match="pages: expected an array on GPU 0, as q, "
                       "got one in the CPU's memory"):
        lattn.attention(q, k, v, pages=table)
    with pytest.raises(TypeError, match="pages: expected elements of int32 or int64"):
        lattn.attention(q, k, v, pages=put(table.astype(np.int16), "int16"))
    with pytest.raises(NotImplementedError, match="pages: pages of other than "
                       "multiples of 16 keys are not built for GPUs yet, got pages "
                       "of 7"):
        lattn.attention(q, *tensors((5, 2, 7, 32), (5, 2, 7, 32)),
                        pages=integers(table))
    with pytest.raises(ValueError, match="k: expected a pool of at least 1 page, "
                       "which the entries of pages name, got 0"):
        lattn.attention(q, *tensors((0, 2, 16, 32), (0, 2, 16, 32)),
                        pages=integers(table))
    q, k, v = tensors((1, 4, 9, 32), (1, 2, 9, 32), (1, 2, 9, 32))
    for side in "qk":
        with pytest.raises(ValueError, match=f"cu_seqlens_{side}: expected an array "
                           "on GPU 0, as q, got one in the CPU's memory"):
            lattn.attention(q, k, v, **{f"cu_seqlens_{side}": np.array([0, 9])})
    with pytest.raises(ValueError, match="cu_seqlens_q: expected at least 1 "
                       "sequence for 9 rows, got none"):
        lattn.attention(q, k, v, cu_seqlens_q=integers([0]),
                        cu_seqlens_k=integers([0]))
    with pytest.raises(ValueError, match="cu_seqlens_k: expected 1 sequences"):
        lattn.attention(q, k, v, cu_seqlens_q=integers([0, 9]),
                        cu_seqlens_k=integers([0, 3, 9]))
    host = [np.zeros((1, 2, 9, 32), np.float16)] * 3
    with pytest.raises(ValueError, match="cu_seqlens_q: expected an array in the "
                       "CPU's memory, as q, got one on GPU 0"):
        lattn.attention(*host, cu_seqlens_q=integers([0, 9]),
                        cu_seqlens_k=np.array([0, 9]))
