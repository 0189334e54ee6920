# REQUIRES: jax, slow, torch
# RUN: env FIRST=%{slice}000 COUNT=9%{times100} %cached_pytest %s

# lattn.jax.attention of packed sequences: outputs against the oracle in float64,
# derivatives against torch's in float64 of the formula, transformations of JAX, and
# what it refuses.

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax.sharding import AxisType, PartitionSpec as P

import cases
import lattn
import lattn.jax
import oracle
from dense import dense
from sequences import get_borders, pack, pad

attention = lattn.jax.attention
jitted = jax.jit(attention, static_argnames=("layout", "window", "causal",
                                             "return_lse"))
FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 18)))
TYPES = [np.dtype(x) for x in cases.TYPES if x != "float64"]


def make_borders(lengths, kind="int32"):
    return get_borders(lengths).astype(kind)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_seed(seed):
    rng = np.random.default_rng(seed)
    dtype = TYPES[seed % 3]
    layout = "bnhd" if seed % 2 else "bhnd"
    count, kv_heads, group = (int(rng.integers(1, n)) for n in (7, 4, 4))
    d, dv = (int(x) for x in rng.choice([8, 13, 64], 2))
    lengths, keys = (rng.integers(0, rng.choice([2, 7, 70]), count) for _ in "qk")
    n, m, h = int(max(lengths)), int(max(keys)), kv_heads * group
    q, k, v = (rng.standard_normal(shape).astype(dtype) for shape in (
        (1, h, sum(lengths), d), (1, kv_heads, sum(keys), d),
        (1, kv_heads, sum(keys), dv)))
    options = {}
    if seed % 2:
        options["causal"] = True
    if seed % 3 == 1:
        options |= {"bias": rng.standard_normal((h, n, m)).astype("float32"),
                    "key_mask": rng.random((count, m)) < .8}
    if seed % 4 == 3:
        options |= {"attn_mask": rng.random((count, 1, n, m)) < .8,
                    "sink": rng.standard_normal(h).astype("float32"),
                    "offset": rng.integers(-3, 9, count).astype("int32")}
    window, bounds = (((9, 2), (9, 2, None, 0, 0)) if seed % 5 == 2 else
                      (None, (None, None, None, 0, 0)))
    expected, lse = (pack(x, lengths) for x in oracle.attention(
        *(np.nan_to_num(pad(x, lens)) for x, lens in (
            (q, lengths), (k, keys), (v, keys))),
        window=bounds, **{"offset": keys - lengths} | options, kv_lengths=keys))
    if layout == "bnhd":
        q, k, v, expected = (x.swapaxes(1, 2) for x in (q, k, v, expected))
    found = (jitted if seed % 2 else attention)(
        q, k, v, cu_seqlens_q=make_borders(lengths), cu_seqlens_k=make_borders(keys),
        layout=layout, window=window, return_lse=True, **options)
    cases.check(found[0], expected, dtype, f"seed {seed}", slack=3)
    np.testing.assert_allclose(found[1], lse, rtol=2e-5, atol=2e-5)


QUERIES, KEYS = (5, 0, 7, 1, 3), (6, 2, 7, 0, 4)


def make(lengths=QUERIES, keys=KEYS, heads=4, dtype="float32"):
    rng = np.random.default_rng(0)
    q = rng.standard_normal((1, heads, sum(lengths), 8)).astype(dtype)
    k, v = rng.standard_normal((2, 1, 2, sum(keys), 8)).astype(dtype)
    return dict(q=q, k=k, v=v, cu_seqlens_q=make_borders(lengths),
                cu_seqlens_k=make_borders(keys))


def of_formula(options):
    """One sequence after the other."""
    axis = 1 if options.get("layout") == "bnhd" else 2

    def run(q, k, v):
        parts = zip(q.split(QUERIES, axis), *(x.split(KEYS, axis) for x in (k, v)))
        found = [dense(*part, **options) for part in parts]
        return (torch.cat([x for x, _ in found], axis),
                torch.cat([x for _, x in found], 2))
    return run


@pytest.mark.parametrize("options, dtype, tolerance", [
    ({}, "float16", 8e-3), (dict(causal=True, layout="bnhd"), "bfloat16", 6e-2),
    (dict(window=(3, 1), softcap=2.0), "float32", 3e-5)],
    ids=["plain", "causal", "window"])
def test_derivatives(options, dtype, tolerance):
    """Gradients, tangents, and gradients of tangents by the directions."""
    given = make(dtype=dtype)
    rows = {name: given[name].swapaxes(1, 2) if "layout" in options else given[name]
            for name in "qkv"}
    borders = {name: x for name, x in given.items() if name not in rows}
    xs = tuple(jnp.asarray(x) for x in rows.values())
    rng = np.random.default_rng(1)
    tensors = [torch.as_tensor(x.astype("float64")) for x in rows.values()]
    results, torch_pull = torch.func.vjp(of_formula(options), *tensors)

    def ours(*xs):
        output, lse = attention(*xs, **borders, **options, return_lse=True)
        # -inf where a query sees no key
        return output, jnp.where(jnp.isfinite(lse), lse, 0)
    found, pull = jax.vjp(ours, *xs)
    weights = [rng.standard_normal(x.shape).astype(x.dtype) for x in found]
    is_empty = np.isinf(results[1].numpy())
    weights[1][is_empty] = 0
    wanted = torch_pull(tuple(torch.as_tensor(x.astype("float64")) for x in weights))
    for x, y in zip(pull(tuple(map(jnp.asarray, weights))), wanted):
        check(x, y, tolerance)
    along = [rng.standard_normal(x.shape).astype(x.dtype) for x in xs]
    _, expected = torch.func.jvp(of_formula(options), tuple(tensors), tuple(
        torch.as_tensor(x.astype("float64")) for x in along))
    push = jax.jit(lambda *along: jax.jvp(ours, xs, along)[1])
    tangents = push(*map(jnp.asarray, along))
    check(tangents[0], expected[0], tolerance)
    check(tangents[1], np.where(is_empty, 0, expected[1]), tolerance)
    if dtype != "float32":
        return
    gradients = jax.grad(lambda *along: sum(
        (x * w).sum() for x, w in zip(push(*along), weights)), (0, 1, 2))(*along)
    for x, y in zip(gradients, wanted):
        check(x, y, tolerance)


def check(found, expected, tolerance):
    expected = np.asarray(expected)
    np.testing.assert_allclose(np.asarray(found, "float64"), expected, rtol=0,
                               atol=tolerance * max(1, abs(expected).max()))


def test_options_of_pairs():
    """Gradients of a bias, score_mod with an array, and dropout."""
    given = make()
    rng = np.random.default_rng(3)
    slopes = rng.standard_normal(4).astype("float32")
    bias = rng.standard_normal((4, 7, 7)).astype("float32")
    more = dict(dropout_p=.3, seed=9, causal=True)
    ours = jax.grad(lambda b, s: (attention(
        **given, **more, bias=b,
        score_mod=lambda x, b, h, i, j: x + s[h] * (j - i))**2).sum(), (0, 1))(
            bias, slopes)
    leaves = [torch.tensor(x, requires_grad=True) for x in (bias, slopes)]
    tensors = {name: torch.as_tensor(x) for name, x in given.items()}
    (lattn.attention(
        **tensors, **more, bias=leaves[0],
        score_mod=lambda x, b, h, i, j: x + leaves[1][h] * (j - i))**2).sum().backward()
    for x, y in zip(ours, leaves):
        np.testing.assert_allclose(x, y.grad, atol=1e-5)


@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("keys", ["packed", "batch", "pages"])
def test_one_query_first(keys, layout):
    """Sequences of one query, then others, as servers have them: two kernels."""
    lengths, count = (1, 1, 1, 30, 0, 1, 5), np.array([9, 40, 1, 30, 3, 8, 5], "int32")
    rng = np.random.default_rng(2)
    q = rng.standard_normal((1, 4, sum(lengths), 8), np.float32)
    rows = [rng.standard_normal((2, 2, n, 8), np.float32) for n in count]
    options = dict(cu_seqlens_q=make_borders(lengths), window=(20, 0),
                   sink=rng.standard_normal(4, np.float32))
    if keys == "packed":
        k, v = np.concatenate(rows, 2)[:, None]
        options["cu_seqlens_k"] = make_borders(count)
    elif keys == "batch":
        k, v = np.stack([np.pad(x, ((0, 0), (0, 0), (0, 40 - x.shape[2]), (0, 0)))
                         for x in rows], 1)
        options |= dict(kv_lengths=count, offset=count - np.array(lengths, "int32"))
    else:
        k, v = np.concatenate([np.pad(x, ((0, 0), (0, 0), (0, 48 - x.shape[2]), (0, 0)))
                               for x in rows], 2).reshape(2, 2, 21, 16, 8).swapaxes(1, 2)
        options |= dict(kv_lengths=count,
                        pages=np.arange(21, dtype="int32").reshape(7, 3))
    q, k, v = (x.swapaxes(1, 2) if layout == "bnhd" else x for x in (q, k, v))
    found = jitted(q, k, v, layout=layout, return_lse=True, **options)
    q, output = (np.asarray(x).swapaxes(1, 2) if layout == "bnhd" else np.asarray(x)
                 for x in (q, found[0]))
    borders = options["cu_seqlens_q"]
    for i, (own, n) in enumerate(zip(rows, lengths)):
        part = slice(borders[i], borders[i] + n)
        expected = oracle.attention(q[:, :, part], own[:1], own[1:],
                                    window=(20, 0, None, 0, 0), sink=options["sink"])
        for x, y in zip((output[:, :, part], found[1][:, :, part]), expected):
            np.testing.assert_allclose(x, y, rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("lengths", [(1, 1, 1, 1), (2, 0, 1, 1), (1, 1, 0, 2)])
def test_as_many_queries_as_sequences(lengths, layout):
    """A batch, where each sequence has one query; only values say so."""
    given = make(lengths, (9, 5, 70, 1))
    run = jax.jit(lambda borders: attention(
        **given | dict(cu_seqlens_q=borders), layout=layout, return_lse=True,
        causal=True))
    if layout == "bnhd":
        given |= {name: given[name].swapaxes(1, 2).copy() for name in "qkv"}
    expected = lattn.attention(**given, layout=layout, return_lse=True, causal=True)
    for x, y in zip(run(given["cu_seqlens_q"]), expected):
        np.testing.assert_allclose(x, y, atol=2e-6)


def test_mixed_with_other_keys():
    """Packed queries of keys in pages or in a batch, and packed keys alone."""
    given = make((5, 1, 30, 0), (9, 5, 70, 1))
    rng = np.random.default_rng(1)
    lengths = np.array([20, 32, 30, 7], "int32")
    k, v = rng.standard_normal((2, 9, 2, 16, 8), np.float32)
    pages = rng.permutation(8).reshape(4, 2).astype(np.int32)
    for options in (
            dict(k=k, v=v, pages=pages, kv_lengths=lengths, cu_seqlens_k=None),
            dict(zip("kv", rng.standard_normal((2, 4, 2, 33, 8), np.float32))) | dict(
                cu_seqlens_k=None, kv_lengths=lengths),
            dict(q=rng.standard_normal((4, 4, 1, 8), np.float32), cu_seqlens_q=None)):
        options = given | options
        expected = lattn.attention(**options, causal=True)
        for run in attention, jitted:
            np.testing.assert_allclose(run(**options, causal=True), expected, atol=2e-6)


def test_wide_integers():
    given = make(dtype="float64")
    given |= {f"cu_seqlens_{x}": given[f"cu_seqlens_{x}"].astype("int64") for x in "qk"}
    with jax.enable_x64(True):
        np.testing.assert_allclose(attention(**given), lattn.attention(**given),
                                   atol=1e-12)


def test_transformations():
    given = make()
    q, borders = given.pop("q"), given.pop("cu_seqlens_q")
    run = lambda q, borders: attention(q, **given, cu_seqlens_q=borders)
    rows = np.stack([q, 2 * q])
    several = np.stack([borders, make_borders((4, 1, 6, 0, 5))])
    for x, y, z in zip(jax.vmap(run)(rows, several), rows, several):
        np.testing.assert_allclose(x, run(y, z), atol=1e-6)
    for x, y in zip(jax.vmap(run, (0, None))(rows, borders), rows):
        np.testing.assert_allclose(x, run(y, borders), atol=1e-6)
    mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Auto,))
    heads = P(None, "x")
    loss = lambda q, k, v: (attention(q, **given | dict(k=k, v=v),
                                      cu_seqlens_q=borders)**2).sum()
    gradients = lambda *xs: jax.grad(loss, (0, 1, 2))(*xs)
    xs = q, given["k"], given["v"]
    shards = jax.jit(jax.shard_map(
        gradients, mesh=mesh, in_specs=(heads,) * 3, out_specs=(heads,) * 3))(*xs)
    kept = jax.grad(jax.checkpoint(loss), (0, 1, 2))(*xs)
    for x, y, z in zip(gradients(*xs), shards, kept):
        np.testing.assert_allclose(x, y, atol=1e-5)
        np.testing.assert_allclose(x, z, atol=1e-5)


@pytest.mark.parametrize("change, names", [
    ({}, "cu_seqlens_q and cu_seqlens_k"),
    (dict(cu_seqlens_k=None, k=np.ones((5, 2, 7, 8), "f4"),
          v=np.ones((5, 2, 7, 8), "f4")), "cu_seqlens_q")])
def test_second_derivatives(change, names):
    given = make() | change
    q = given.pop("q")
    loss = lambda q: (attention(q, **given)**2).sum()
    message = f"{names}: second derivatives are not built for packed sequences yet"
    for run in (lambda: jax.jvp(jax.grad(loss), (q,), (q,)), lambda: jax.hessian(loss)(q),
                lambda: jax.grad(lambda q: jax.jvp(loss, (q,), (q,))[1])(q)):
        with pytest.raises(NotImplementedError, match=message):
            run()


@pytest.mark.parametrize("name", ["cu_seqlens_q", "cu_seqlens_k"])
@pytest.mark.parametrize("change, message", [
    (lambda x: x - 1, "expected the first sequence to begin with row 0, got -1 at"),
    (lambda x: x[[0, 2, 1, 3, 4]],
     r"expected numbers that do not decrease, at least \d+, got \d+ at \[2\]"),
    (lambda x: x - [0, 0, 0, 0, 1], r"expected the last sequence to end with the last "
     r"row, \d+, got \d+ at \[4\]"),
    (lambda x: x + [0, 0, 0, 0, 3], r"expected the last sequence to end with the last "
     r"row, \d+, got \d+ at \[4\]")])
@pytest.mark.parametrize("lengths", [(3, 2, 40, 1), (1, 1, 1, 1), (1, 2, 1, 3)])
def test_borders(name, change, message, lengths):
    """Known when the program runs."""
    given = make(lengths, (9, 5, 70, 1))
    given[name] = np.asarray(change(given[name]), "int32")
    for run in attention, jitted, jax.grad(
            lambda q, **given: attention(q, **given).sum()):
        with pytest.raises((ValueError, RuntimeError), match=f"{name}: {message}"):
            rest = dict(given)
            jax.block_until_ready(run(rest.pop("q"), **rest))


def test_rows_behind_single_queries():
    given = make((1, 1, 1, 5), (9, 5, 70, 1))
    given["cu_seqlens_q"] = make_borders((1, 1, 1, 1))
    for run in attention, jitted:
        with pytest.raises((ValueError, RuntimeError), match="cu_seqlens_q: expected "
                           r"the last sequence to end with the last row, 8, got 4"):
            jax.block_until_ready(run(**given))


@pytest.mark.parametrize("change, message", [
    (dict(bias=np.ones((39, 70), "f4")), "bias, attn_mask: expected 1 or 40 elements "
     "for the queries of the longest sequence, got 39"),
    (dict(attn_mask=np.ones((4, 1, 40, 71), bool)), "attn_mask: expected 1 or 70 "
     "elements for the keys of the longest sequence, got 71"),
    (dict(key_mask=np.ones((4, 1), bool)), "key_mask: expected 70 elements for the keys "
     "of the longest sequence, got 1")])
def test_pairs(change, message):
    given = make((3, 2, 40, 1), (9, 5, 70, 1)) | change
    for run in attention, jitted:
        with pytest.raises((ValueError, RuntimeError), match=message):
            jax.block_until_ready(run(**given))


@pytest.mark.parametrize("change, error, message", [
    (dict(cu_seqlens_q=np.zeros(6, np.float32)), TypeError,
     "cu_seqlens_q: expected elements of int32 or int64, got float32"),
    (dict(cu_seqlens_q=np.zeros((1, 6), np.int32)), ValueError,
     r"cu_seqlens_q: expected the shape \(S \+ 1\) = \(any\), got \(1, 6\)"),
    (dict(cu_seqlens_q=np.zeros(0, np.int32)), ValueError, "cu_seqlens_q: expected at "
     "least 1 entry, the 0 that the first sequence begins with, got none"),
    (dict(cu_seqlens_k=np.zeros(0, np.int32)), ValueError, "cu_seqlens_k: expected at "
     "least 1 entry, the 0 that the first sequence begins with, got none"),
    (dict(q=np.zeros((2, 4, 16, 8), np.float32)), ValueError,
     r"q: expected the shape \(1, H, T, D\) = \(1, any, any, any\), got"),
    (dict(cu_seqlens_k=np.array([0, 19], np.int32)), ValueError,
     "cu_seqlens_k: expected 5 sequences, as many as q has, got 1"),
    (dict(kv_lengths=np.zeros(5, np.int32)), ValueError,
     "kv_lengths: expected none with cu_seqlens_k, which says how long sequences are"),
    (dict(cu_seqlens_q=None), ValueError, "cu_seqlens_k: expected 1 sequences, as many "
     "as q has, got 5"),
    (dict(cu_seqlens_k=None), ValueError,
     r"k: expected the shape \(B, Hkv, M, D\) = \(5, any, any, 8\), got"),
    (dict(key_mask=np.ones((1, 7), bool)), ValueError,
     r"key_mask: expected the shape \(B, M\) = \(5, any\), got \(1, 7\)"),
    (dict(bias=np.ones((3, 7, 7), "f4")), ValueError, r"bias: expected a shape that "
     r"broadcasts to \(B, H, N, M\) = \(5, 4, any, any\), got \(3, 7, 7\)"),
    (dict(v=np.zeros((1, 2, 18, 8), np.float32)), ValueError,
     r"v: expected the shape \(1, Hkv, T, Dv\) = \(1, 2, 19, any\), got")])
def test_arguments(change, error, message):
    given = make() | change
    for run in attention, lambda **given: jax.jit(lambda: attention(**given))():
        with pytest.raises(error, match=message):
            run(**given)
