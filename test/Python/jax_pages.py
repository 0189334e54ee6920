# REQUIRES: jax, slow
# RUN: %cached_pytest %s

# lattn.jax.attention over keys in pages: random problems against the oracle in float64,
# transformations of JAX, and what it refuses.

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, PartitionSpec as P

import cases
import lattn
import lattn.jax
import oracle
from pools import lay_out, make_table

attention = lattn.jax.attention
jitted = jax.jit(attention, static_argnames=("layout", "window", "causal"))
TYPES = [np.dtype(x) for x in cases.TYPES if x != "float64"]


@pytest.mark.parametrize("size", [7, 16, 64])
@pytest.mark.parametrize("seed", range(9))
def test_seed(seed, size):
    rng = np.random.default_rng((seed, size))
    dtype = TYPES[seed % 3]
    layout = "bnhd" if seed % 2 else "bhnd"
    b, kv_heads, group = (int(rng.integers(1, 4)) for _ in range(3))
    n, m = int(rng.choice([1, 5, 17])), int(rng.choice([1, size, size + 1, 130]))
    d, dv = (int(x) for x in rng.choice([8, 13, 64], 2))
    h = kv_heads * group
    q, k, v = (rng.standard_normal(shape).astype(dtype) for shape in (
        (b, h, n, d), (b, kv_heads, m, d), (b, kv_heads, m, dv)))
    needed = -(-m // size)
    entries = needed + int(rng.integers(3))
    table, count = make_table(rng, b, needed, entries, "int32")
    keys = entries * size
    options = {"kv_lengths": rng.integers(0, m + 1, b).astype("int32")}
    if seed % 2:
        options["causal"] = True
    if seed % 3:
        options |= {"key_mask": rng.random((b, keys)) < .8,
                    "bias": rng.standard_normal((h, n, keys)).astype("float32")}
    window, bounds = (((9, 2), (9, 2, None, 0, 0)) if seed % 4 == 2 else
                      (None, (None, None, None, 0, 0)))
    pools = [lay_out(rng, x, size, table, count, layout) for x in (k, v)]
    expected, lse = oracle.attention(q, *(np.concatenate(
        [x, np.zeros((b, kv_heads, keys - m, x.shape[3]), dtype)], 2)
        for x in (k, v)), window=bounds, **options)
    if layout == "bnhd":
        q, expected = q.swapaxes(1, 2), expected.swapaxes(1, 2)
    found = (jitted if seed % 2 else attention)(
        q, *pools, pages=table, layout=layout, window=window, **options)
    cases.check(found, expected, dtype, f"seed {seed}")
    output, found = attention(q, *pools, pages=table, layout=layout, window=window,
                              return_lse=True, **options)
    cases.check(output, expected, dtype, f"seed {seed}")
    np.testing.assert_allclose(found, lse, rtol=2e-5, atol=2e-5)


def make(kind="int32"):
    rng = np.random.default_rng(0)
    q = rng.standard_normal((2, 4, 3, 8), np.float32)
    k, v = rng.standard_normal((2, 6, 2, 16, 8), np.float32)
    return dict(q=q, k=k, v=v, pages=np.array([[5, 0, 2], [1, 4, 3]], kind),
                kv_lengths=np.array([48, 33], kind))


@pytest.mark.parametrize("change, message", [
    (dict(pages=np.array([[5, 0, 2], [1, 4, 6]], "int32")),
     r"pages: expected one of the pool's 6 pages, got 6 at \[1, 2\]"),
    (dict(pages=np.array([[5, 0, 2], [1, -1, 3]], "int32")),
     r"pages: expected one of the pool's 6 pages, got -1 at \[1, 1\]"),
    (dict(pages=np.array([[5, 0, 7], [1, 4, 3]], "int32"), kv_lengths=None),
     r"pages: expected one of the pool's 6 pages, got 7 at \[0, 2\]"),
    (dict(kv_lengths=np.array([48, 49], "int32")), "kv_lengths: expected at most 48 "
     "keys, those of 3 pages of 16, got 49 for batch 1")])
def test_values(change, message):
    """Known when the program runs."""
    for run in attention, jitted:
        with pytest.raises((ValueError, RuntimeError), match=message):
            jax.block_until_ready(run(**make() | change))


@pytest.mark.parametrize("change, error, message", [
    (dict(pages=np.zeros((2, 3), np.float32)), TypeError,
     "pages: expected elements of int32 or int64, got float32"),
    (dict(pages=[[1]]), TypeError, "pages: expected an array of JAX or NumPy, got list"),
    (dict(pages=np.zeros(3, np.int32)), ValueError,
     r"pages: expected the shape \(B, P\) = \(2, any\), got \(3,\)"),
    (dict(pages=np.zeros((3, 3), np.int32)), ValueError,
     r"pages: expected the shape \(B, P\) = \(2, any\), got \(3, 3\)"),
    (dict(v=np.zeros((6, 2, 8, 8), np.float32)), ValueError,
     r"v: expected the shape \(pages, Hkv, S, Dv\) = \(6, 2, 16, any\), got"),
    (dict(k=np.zeros((6, 2, 16, 9), np.float32)), ValueError,
     r"k: expected the shape \(pages, Hkv, S, D\) = \(any, any, any, 8\), got"),
    (dict(k=np.zeros((6, 16, 2, 9), np.float32), layout="bnhd"), ValueError,
     r"k: expected the shape \(pages, S, Hkv, D\) = \(any, any, any, 8\), got"),
    (dict(k=np.zeros((6, 2, 0, 8), np.float32), v=np.zeros((6, 2, 0, 8), np.float32)),
     ValueError, "k: expected pages of at least 1 key, got 0"),
    (dict(key_mask=np.ones((2, 47), bool)), ValueError,
     r"key_mask: expected the shape \(B, M\) = \(2, 48\), got \(2, 47\)"),
    (dict(cu_seqlens_k=np.zeros(3, np.int32)), ValueError,
     "cu_seqlens_k: expected none with pages, whose kv_lengths say how long")])
def test_arguments(change, error, message):
    given = make() | change
    for run in attention, lambda **given: jax.jit(lambda: attention(**given))():
        with pytest.raises(error, match=message):
            run(**given)


def test_largest_table():
    table = jax.ShapeDtypeStruct((2, 2**27), jnp.int32)
    with pytest.raises(ValueError, match=r"q, k: expected less than 2\*\*31 posi"):
        jax.eval_shape(attention, **make() | dict(pages=table))


def test_unread_entries():
    given = make() | dict(kv_lengths=np.array([48, 32], "int32"))
    expected = lattn.attention(**given)
    given["pages"][1, 2] = 1 << 30
    for run in attention, jitted:
        np.testing.assert_allclose(run(**given), expected, atol=1e-6)


def test_wide_integers():
    given = make("int64")
    with jax.enable_x64(True):
        np.testing.assert_allclose(attention(**given), lattn.attention(**given),
                                   atol=1e-6)


def test_derivatives():
    given = make()
    for name in "qkv":
        def loss(x):
            return attention(**given | {name: x}).sum()
        for run in (lambda: jax.grad(loss)(given[name]), lambda: jax.jvp(
                loss, (given[name],), (given[name],))):
            with pytest.raises(NotImplementedError, match="pages: derivatives are "
                               "not built for paged keys yet"):
                run()


def test_vmap():
    """Calls that share a pool are batches of one."""
    given = make()
    q = np.stack([given["q"] * x for x in (1, 2, 3)])
    del given["q"]
    run = jax.vmap(lambda q: attention(q, **given))
    assert "scan" not in str(jax.make_jaxpr(run)(q))
    for x, y in zip(run(q), q):
        np.testing.assert_allclose(x, lattn.attention(y, **given), atol=1e-6)
    tables = np.stack([given["pages"], 5 - given["pages"]])
    run = jax.vmap(lambda q, pages: attention(q, **given | dict(pages=pages)))
    assert "scan" not in str(jax.make_jaxpr(run)(q[:2], tables))
    for x, y, pages in zip(run(q[:2], tables), q, tables):
        np.testing.assert_allclose(
            x, lattn.attention(y, **given | dict(pages=pages)), atol=1e-6)
    keys = np.stack([given["k"], 2 * given["k"]])
    found = jax.vmap(lambda q, k: attention(q, **given | dict(k=k)))(q[:2], keys)
    for x, y, k in zip(found, q, keys):
        np.testing.assert_allclose(x, lattn.attention(y, **given | dict(k=k)), atol=1e-6)


def test_shards():
    """Of heads."""
    given = make()
    pages, lengths = given["pages"], given["kv_lengths"]
    mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Auto,))
    heads = P(None, "x")
    run = jax.shard_map(
        lambda q, k, v: attention(q, k, v, pages=pages, kv_lengths=lengths),
        mesh=mesh, in_specs=(heads,) * 3, out_specs=heads)
    np.testing.assert_allclose(jax.jit(run)(*(given[x] for x in "qkv")),
                               lattn.attention(**given), atol=1e-6)
