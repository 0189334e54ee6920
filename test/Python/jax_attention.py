# REQUIRES: jax, slow, torch
# RUN: env FIRST=%{slice}000 COUNT=8%{times100} %cached_pytest %s

# lattn.jax against torch's operations in float64: outputs, log-sum-exps,
# gradients and tangents, over random options with a fixed seed; and under the
# transformations of JAX.

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax.sharding import AxisType, PartitionSpec as P

import lattn
import lattn.jax
from dense import dense

attention = lattn.jax.attention
# Sums in float32 of at most 40 products; bfloat16 keeps 8 bits of a result.
TOLERANCES = {"float32": 3e-5, "float16": 4e-3, "bfloat16": 4e-2}
FLOATS = "bias", "attn_mask", "sink"
FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 16)))


def make(generator, case):
    """(q, k, v), arrays and numbers among the options."""
    def pick(*choices):
        return choices[generator.integers(len(choices))]

    def normal(*shape):
        return generator.standard_normal(shape).astype(np.float32)

    b, (h, hkv) = pick(1, 2, 3), pick((4, 2), (3, 1), (2, 2))
    n, m = generator.integers(1, 41, 2)
    if case % 5 == 0:
        n = 1
    d, dv = generator.integers(1, 41, 2)
    pairs = pick(b, 1), pick(h, 1), pick(n, 1), pick(m, 1)
    layout = pick("bhnd", "bnhd")
    arrays = [normal(b, h, n, d), normal(b, hkv, m, d), normal(b, hkv, m, dv)]
    if layout == "bnhd":
        arrays = [x.swapaxes(1, 2).copy() for x in arrays]
    every = dict(
        window=pick((int(pick(0, 3, 9)), 2), (None, 4), (5, None),
                    lattn.Window(bucket=4, back=1)),
        causal=True, scale=0.3, softcap=2.0, bias=normal(*pairs),
        attn_mask=pick(generator.random(pairs) < .7, normal(*pairs[2:])),
        key_mask=generator.random((b, m)) < .8, sink=normal(h),
        kv_lengths=generator.integers(0, m + 1, b).astype(np.int32),
        offset=pick(int(generator.integers(-3, 9)),
                    generator.integers(-3, 9, b).astype(np.int32)),
        dropout_p=0.3)
    chosen = {name: x for name, x in every.items() if generator.random() < .35}
    if "dropout_p" in chosen:
        chosen["seed"] = int(generator.integers(2**32))
    return arrays, chosen | dict(layout=layout)


def split(arrays, options):
    """Values by name that have gradients, and the rest."""
    floats = {name: x for name, x in options.items()
              if name in FLOATS and x.dtype != bool}
    return (dict(zip("qkv", arrays)) | floats,
            {name: x for name, x in options.items() if name not in floats})


def close(found, expected, dtype="float32"):
    expected = np.asarray(expected)
    scale = max(1, np.abs(expected[np.isfinite(expected)]).max(initial=0))
    np.testing.assert_allclose(
        np.asarray(found, np.float64), expected, rtol=0,
        atol=scale * TOLERANCES[dtype])


def to_torch(options):
    return {name: torch.as_tensor(x) if isinstance(x, np.ndarray) else x
            for name, x in options.items()}


def expect(floats, others):
    """The formula as a function of tensors, and these."""
    names, others = list(floats), to_torch(others)

    def function(*xs):
        given = dict(zip(names, xs))
        q, k, v = (given.pop(name) for name in "qkv")
        return dense(q, k, v, **given, **others)
    return function, [torch.as_tensor(x).double() for x in floats.values()]


def make_pair(case):
    """Ours, the formula, arrays by name and tensors."""
    floats, others = split(*make(np.random.default_rng(case), case))

    def ours(floats):
        given = dict(floats)
        q, k, v = (given.pop(name) for name in "qkv")
        return attention(q, k, v, return_lse=True, **given, **others)
    return ours, *expect(floats, others), floats


@pytest.mark.parametrize("case", range(FIRST, FIRST + COUNT))
def test_random_options(case):
    generator = np.random.default_rng(case)
    ours, function, tensors, floats = make_pair(case)
    run = jax.jit(ours) if case % 2 else ours
    found, pull = jax.vjp(run, floats)
    expected, torch_pull = torch.func.vjp(function, *tensors)
    for x, y in zip(found, expected):
        close(x, y)
    tangents = [generator.standard_normal(x.shape).astype(np.float32)
                for x in (*expected, *floats.values())]
    cotangents, tangents = tangents[:2], tangents[2:]
    gradients, = pull(tuple(map(jnp.asarray, cotangents)))
    wanted = torch_pull(tuple(torch.as_tensor(x).double() for x in cotangents))
    for x, y in zip((gradients[name] for name in floats), wanted):
        close(x, y)
    values, found = jax.jvp(run, (floats,), (dict(zip(floats, tangents)),))
    _, expected = torch.func.jvp(function, tuple(tensors), tuple(
        torch.as_tensor(x).double() for x in tangents))
    seen = np.isfinite(values[1])
    close(found[0], expected[0])
    close(np.where(seen, found[1], 0), np.where(seen, expected[1], 0))


@pytest.mark.parametrize("case", range(FIRST + 200, FIRST + 201 + COUNT // 16))
def test_second_derivatives(case):
    """Times a vector: forward over reverse, and reverse twice."""
    ours, function, tensors, floats = make_pair(case)
    generator = np.random.default_rng(case)
    weights = [generator.standard_normal(x.shape).astype(np.float32)
               for x in ours(floats)]
    vectors = {name: generator.standard_normal(x.shape).astype(np.float32)
               for name, x in floats.items()}

    def loss(floats):
        output, lse = ours(floats)
        return (output**2 * weights[0]).sum() + jnp.where(
            jnp.isfinite(lse), lse * weights[1], 0).sum()

    def expected_loss(*xs):
        output, lse = function(*xs)
        w = [torch.as_tensor(x) for x in weights]
        return (output**2 * w[0]).sum() + torch.where(
            torch.isfinite(lse), lse * w[1], 0).sum()
    every = tuple(range(len(tensors)))
    _, expected = torch.func.jvp(
        torch.func.grad(expected_loss, every), tuple(tensors),
        tuple(torch.as_tensor(x).double() for x in vectors.values()))
    _, forward = jax.jvp(jax.grad(loss), (floats,), (vectors,))
    twice = jax.grad(lambda floats: sum(
        (x * vectors[name]).sum()
        for name, x in jax.grad(loss)(floats).items()))(floats)
    def slope(floats, vectors):
        return jax.jvp(loss, (floats,), (vectors,))[1]
    of_tangents = jax.grad(slope)(floats, vectors)
    for name, x in zip(floats, expected):
        close(forward[name], x)
        close(twice[name], x)
        close(of_tangents[name], x)
    # Tangents of tangents, where the vectors have tangents, too.
    def expected_slope(*xs):
        return torch.func.jvp(expected_loss, xs[:len(tensors)], xs[len(tensors):])[1]
    along = [{name: np.cos(m * x) for name, x in vectors.items()} for m in (1, 2)]
    found = jax.jvp(slope, (floats, vectors), tuple(along))[1]
    _, expected = torch.func.jvp(
        expected_slope, (*tensors, *(torch.as_tensor(x).double()
                                     for x in vectors.values())),
        tuple(torch.as_tensor(x).double() for y in along for x in y.values()))
    np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("case", range(100, 104))
def test_types(dtype, case):
    """The same bits as lattn.attention."""
    arrays, options = make(np.random.default_rng(case), case)
    if "bias" in options:  # JAX's sum of both is a bias
        options.pop("attn_mask", None)
    arrays = [jnp.asarray(x, dtype) for x in arrays]
    found = jax.jit(lambda *xs: attention(*xs, **options))(*arrays)
    assert found.dtype == dtype
    expected = lattn.attention(*map(np.asarray, arrays), **options)
    assert np.asarray(found).tobytes() == expected.tobytes()


def few(*shape, seed=0):
    return jnp.asarray(np.random.default_rng(seed).standard_normal(shape),
                       jnp.float32)


Q, K, V = few(2, 4, 9, 8), few(2, 2, 11, 8), few(2, 2, 11, 5)
MAPPED = {
    "queries": (0, dict(), lambda x: attention(x, K, V, window=(3, 1)),
                few(3, *Q.shape)),
    "all": ((0, 1, 2), dict(), lambda q, k, v: attention(q, k, v, causal=True),
            few(3, *Q.shape), jnp.moveaxis(few(3, *K.shape), 0, 1),
            jnp.moveaxis(few(3, *V.shape), 0, 2)),
    "bias": (0, dict(), lambda q, x: attention(q, K, V, bias=x),
             few(3, *Q.shape), few(3, 9, 11)),
    "keys alone": (0, dict(), lambda k: attention(Q, k, V), few(3, *K.shape)),
    "shared bias": (0, dict(), lambda q: attention(
        q, K, V, bias=few(1, 4, 9, 11), key_mask=few(2, 11) < .5),
        few(3, *Q.shape)),
    "sink": (0, dict(), lambda q, x: attention(q, K, V, sink=x),
             few(3, *Q.shape), few(3, 4)),
    "lengths": (0, dict(), lambda q, x: attention(q, K, V, kv_lengths=x),
                few(3, *Q.shape), jnp.asarray([[1, 2], [3, 4], [0, 11]])),
    "offset": (0, dict(), lambda q, x: attention(
        q, K, V, causal=True, offset=x), few(3, *Q.shape), jnp.arange(3)),
    "dropout": (0, dict(), lambda q, x: attention(
        q, K, V, dropout_p=.4, seed=x), few(3, *Q.shape), jnp.arange(3)),
    "score_mod": (0, dict(), lambda q: attention(
        q, K, V, score_mod=lambda s, b, h, i, j: s * (b + 1)),
        few(3, *Q.shape)),
}


@pytest.mark.parametrize("name", MAPPED)
def test_vmap(name):
    """As one call after the other, gradients and tangents too."""
    axes, _, function, *arrays = MAPPED[name]
    axes = axes if isinstance(axes, tuple) else (axes,) * len(arrays)
    rows = [[jnp.take(x, i, axis) for x, axis in zip(arrays, axes)]
            for i in range(3)]

    def gradient(*xs):
        return jax.grad(lambda x: (function(x, *xs[1:])**2).sum())(xs[0])

    def tangent(*xs):
        return jax.jvp(lambda x: function(x, *xs[1:]), xs[:1], (xs[0] + 1,))[1]
    for run in function, gradient, tangent:
        found = jax.jit(jax.vmap(run, axes))(*arrays)
        for x, row in zip(found, rows):
            np.testing.assert_allclose(x, run(*row), rtol=0, atol=3e-5)


def test_no_calls():
    assert jax.vmap(lambda q: attention(q, K, V))(few(0, *Q.shape)).shape == (
        0, 2, 4, 9, 5)


@pytest.mark.parametrize("specs", [P("x"), P(None, "x")])
def test_shard_map(specs):
    """Over batches and heads, with gradients: the same bits."""
    mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Auto,))
    sharded = jax.shard_map(lambda *xs: attention(*xs, causal=True), mesh=mesh,
                            in_specs=(specs,) * 3, out_specs=specs)

    def gradients(function):
        return jax.jit(jax.grad(lambda *xs: (function(*xs)**2).sum(),
                                argnums=(0, 1, 2)))(Q, K, V)
    whole = lambda *xs: attention(*xs, causal=True)
    np.testing.assert_array_equal(jax.jit(sharded)(Q, K, V), whole(Q, K, V))
    for x, y in zip(gradients(sharded), gradients(whole)):
        np.testing.assert_array_equal(x, y)


def test_shard_map_with_all_keys():
    """Keys that every device has: their gradient is the sum."""
    mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Auto,))
    q, rows = few(2, 4, 10, 8), P(None, None, "x")
    run = jax.shard_map(lambda q, k: attention(q, k, V), mesh=mesh,
                        in_specs=(rows, P()), out_specs=rows)
    found = jax.grad(lambda k: (run(q, k)**2).sum())(K)
    expected = jax.grad(lambda k: (attention(q, k, V)**2).sum())(K)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_other_transformations():
    def loss(q):
        return attention(q, K, V, dropout_p=.2, seed=3).sum()
    expected = jax.grad(loss)(Q)
    np.testing.assert_array_equal(jax.grad(jax.checkpoint(loss))(Q), expected)
    step = lambda q, _: (attention(q, K, V[..., :1].repeat(8, -1)), None)
    found, _ = jax.jit(lambda q: jax.lax.scan(step, q, length=3))(Q)
    once = Q
    for _ in range(3):
        once, _ = step(once, None)
    np.testing.assert_array_equal(found, once)
    whole = jax.hessian(lambda q: (attention(q, K[:1], V[:1])**2).sum())(
        Q[:1, :, :1])
    flat = np.asarray(whole).reshape(32, 32)
    np.testing.assert_allclose(flat, flat.T, rtol=0, atol=1e-5)
    rows = jax.jacfwd(lambda q: attention(q, K[:1], V[:1])[0, 0, 0])(Q[:1, :, :1])
    columns = jax.jacrev(lambda q: attention(q, K[:1], V[:1])[0, 0, 0])(
        Q[:1, :, :1])
    np.testing.assert_allclose(rows, columns, rtol=0, atol=1e-6)


def test_score_mod():
    slopes = few(4)
    segments = jnp.asarray(np.random.default_rng(0).integers(0, 3, (2, 11)))

    def run(library, slopes, q, k, v, segments):
        return library.attention(
            q, k, v, q_segments=segments[:, :9], kv_segments=segments,
            mask_mod=lambda b, h, i, j: (i + j) % 3 != 0,
            score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i))
    found = jax.jit(lambda *xs: run(lattn.jax, *xs))(slopes, Q, K, V, segments)
    expected = run(lattn, *map(np.asarray, (slopes, Q, K, V, segments)))
    np.testing.assert_array_equal(found, expected)
    tangents = few(*Q.shape, seed=1)

    def formula(q):
        scores = q @ K.repeat(2, 1).swapaxes(2, 3) / 8**.5
        scores += slopes[:, None, None] * (jnp.arange(11) - jnp.arange(9)[:, None])
        return jax.nn.softmax(scores) @ V.repeat(2, 1)

    def ours(q):
        return attention(q, K, V, score_mod=lambda s, b, h, i, j:
                         s + slopes[h] * (j - i))
    for order in (lambda f: f), (lambda f: jax.grad(lambda q: (f(q)**3).sum())):
        x, y = (jax.jvp(order(f), (Q,), (tangents,))[1] for f in (ours, formula))
        np.testing.assert_allclose(x, y, rtol=0, atol=5e-5)


X, Y, Z = few(2, 9, 4, 8), few(2, 9, 2, 8), few(2, 9, 2, 8, seed=1)
LENGTHS = jnp.asarray([4, 9], jnp.int32)


@pytest.mark.parametrize("options", [
    {}, dict(is_causal=True), dict(local_window_size=3), dict(scale=.2),
    dict(local_window_size=(4, 1), bias=few(1, 4, 9, 9)),
    dict(mask=(few(2, 1, 9, 9) < .5) | jnp.eye(9, dtype=bool)),
    dict(query_seq_lengths=LENGTHS, key_value_seq_lengths=LENGTHS),
    dict(return_residual=True, is_causal=True)], ids=lambda x: ",".join(x))
def test_dot_product_attention(options):
    """That of jax.nn, with its gradients."""
    def run(function, *xs):
        return jax.vjp(lambda *xs: function(*xs, **options), *xs)
    for xs in (X, Y, Z), (X[0], Y[0], Z[0]):
        given = {name: x[:1] if x is LENGTHS and xs[0].ndim == 3 else x
                 for name, x in options.items()}
        if xs[0].ndim == 3 and "mask" in given:
            continue  # two batches
        options = given
        found, pull = run(lattn.jax.dot_product_attention, *xs)
        expected, wanted = run(jax.nn.dot_product_attention, *xs)
        for x, y in zip(jax.tree.leaves((found, pull(expected))),
                        jax.tree.leaves((expected, wanted(expected)))):
            np.testing.assert_allclose(x, y, rtol=0, atol=2e-5)


def test_rows_without_keys():
    found, lse = lattn.jax.dot_product_attention(
        X, Y, Z, mask=jnp.zeros((1, 1, 9, 9), bool), return_residual=True)
    assert not found.any() and (lse == -jnp.inf).all()
