# REQUIRES: jax, slow, torch
# RUN: %cached_pytest %s

# Arrays that score_mod and mask_mod of lattn.jax.attention read: values,
# gradients, tangents, second derivatives and vmap, against torch's operations in
# float64.

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import lattn
import lattn.jax
from dense import dense

attention = lattn.jax.attention
B, H, N, M, D = 2, 4, 9, 13, 8
SIZES = {"slopes": (H,), "pairs": (B, N, M), "table": (N + M + 1, H), "gate": (B, H),
         "one": ()}
# (score_mod, what it reads); `np` is jax.numpy or torch.
MODS = {
    "slopes": lambda x, np: lambda s, b, h, i, j: s + x["slopes"][h] * (j - i),
    "pairs": lambda x, np: lambda s, b, h, i, j: s * x["pairs"][b, i, j],
    "table": lambda x, np: lambda s, b, h, i, j: s + x["table"][j - i + N, h],
    "gate": lambda x, np: lambda s, b, h, i, j: np.where(
        j > i, s * np.exp(x["gate"][b, h]), np.tanh(s) - x["gate"][b, h] * s * s),
    "one": lambda x, np: lambda s, b, h, i, j: x["one"] * np.tanh(s / 2),
    "two": lambda x, np: lambda s, b, h, i, j: (
        s * x["slopes"][h] + x["table"][x["buckets"][j - i + N], h]),
    "none": lambda x, np: lambda s, b, h, i, j: (x["slopes"][h], s)[1]}
READ = {name: [name] for name in MODS} | {"two": ["slopes", "table"],
                                          "none": ["slopes"]}
OPTIONS = [
    {}, dict(causal=True, softcap=2.0), dict(window=(4, 1), layout="bnhd"),
    dict(dropout_p=.3, seed=5, scale=.4), dict(mask=True), dict(sink=True, bias=True)]
CASES = [(name, {"bfloat16": "bfloat16", "float16": "float16"}.get(kind, "float32"), i)
         for i, (name, kind) in enumerate(
             [*((name, "float32") for name in MODS), ("slopes", "bfloat16"),
              ("two", "float16"), ("two", "float32")])]
TOLERANCES = {"float32": 5e-5, "float16": 5e-3, "bfloat16": 5e-2}


class Case:
    """`arrays` are differentiated by, `fixed` are not."""

    def __init__(self, name, dtype, seed):
        rng = self.rng = np.random.default_rng(seed)
        self.name, self.dtype = name, dtype
        self.options = dict(OPTIONS[seed % len(OPTIONS)])
        kinds = {"q": (B, H, N, D), "k": (B, 2, M, D), "v": (B, 2, M, 5)}
        if self.options.get("layout"):
            kinds = {x: (b, n, h, d) for x, (b, h, n, d) in kinds.items()}
        for x, shape in dict(sink=(H,), bias=(H, 1, M)).items():
            if self.options.pop(x, False):
                kinds[x] = shape
        self.arrays = {x: self.draw(*shape) for x, shape in kinds.items()}
        self.arrays |= {x: self.draw(*SIZES[x]) for x in READ[name]}
        self.buckets = rng.integers(0, N, N + M + 1).astype(np.uint8)
        self.seen = self.draw(B, M) if self.options.pop("mask", False) else None

    def draw(self, *shape):
        # float64 of numbers that the type has
        x = jnp.asarray(self.rng.standard_normal(shape), self.dtype)
        return np.asarray(x, np.float64)

    def run(self, function, library, convert, xs, **more):
        given = dict(zip(self.arrays, xs))
        read = {x: given.pop(x) for x in READ[self.name]}
        read["buckets"] = convert(self.buckets)
        if self.seen is not None:
            seen = convert(self.seen)
            more["mask_mod"] = lambda b, h, i, j: seen[b, j] < 1
        return function(**given, **self.options, **more,
                        score_mod=MODS[self.name](read, library))

    def ours(self, *xs):
        output, lse = self.run(attention, jnp, jnp.asarray, xs, return_lse=True)
        return output, lse

    def theirs(self, *xs):
        return self.run(dense, torch, lambda x: torch.as_tensor(x).to(
            torch.long if x.dtype == np.uint8 else torch.float64),
            xs)

    def to_jax(self, values):
        return [jnp.asarray(x, self.dtype) for x in values]

    def close(self, found, expected):
        for x, y in zip(found, expected, strict=True):
            y = np.asarray(y)
            assert x.shape == y.shape
            scale = max(1, np.abs(y).max(initial=0))
            np.testing.assert_allclose(np.asarray(x, np.float64), y, rtol=0,
                                       atol=scale * TOLERANCES[self.dtype])


def to_torch(values):
    return tuple(torch.as_tensor(x, dtype=torch.float64) for x in values)


@pytest.mark.parametrize("name, dtype, seed", CASES)
def test_derivatives(name, dtype, seed):
    case = Case(name, dtype, seed)
    values = [*case.arrays.values()]
    run = jax.jit(case.ours) if seed % 2 else case.ours
    found, pull = jax.vjp(run, *case.to_jax(values))
    expected, expected_pull = torch.func.vjp(case.theirs, *to_torch(values))
    case.close(found, expected)
    given = [case.draw(*x.shape) for x in expected]
    case.close(pull(tuple(jnp.asarray(x, y.dtype) for x, y in zip(given, found))),
               expected_pull(to_torch(given)))
    tangents = [case.draw(*x.shape) for x in values]
    _, found = jax.jvp(run, case.to_jax(values), case.to_jax(tangents))
    _, expected = torch.func.jvp(case.theirs, to_torch(values), to_torch(tangents))
    case.close(found, expected)


@pytest.mark.parametrize("name", MODS)
def test_only_captures(name):
    """Neither gradients nor tangents of other arrays."""
    case = Case(name, "float32", 7)
    values = [*case.arrays.values()]
    count = len(READ[name])
    others, read = case.to_jax(values[:-count]), case.to_jax(values[-count:])

    def loss(*read):
        return (case.ours(*others, *read)[0]**2).sum()

    def expected_loss(*read):
        return (case.theirs(*to_torch(values[:-count]), *read)[0]**2).sum()
    every = tuple(range(count))
    case.close(jax.grad(loss, every)(*read), torch.func.grad(
        expected_loss, every)(*to_torch(values[-count:])))
    case.close([jax.jvp(loss, read, read)[1]], [torch.func.jvp(
        expected_loss, *(to_torch(values[-count:]),) * 2)[1]])


@pytest.mark.parametrize("name, seed", [("gate", 3), ("two", 5)])
def test_second_derivatives(name, seed):
    """Times a vector: forward over reverse, reverse twice, and along captured
    arrays alone."""
    case = Case(name, "float32", seed)
    values = [*case.arrays.values()]
    vectors = [case.draw(*x.shape) for x in values]
    weights = [case.draw(*x.shape) for x in case.theirs(*to_torch(values))]

    def make(run, convert):
        return lambda *xs: sum((x**2 * convert(w)).sum()
                               for x, w in zip(run(*xs), weights))
    ours, theirs = make(case.ours, jnp.asarray), make(case.theirs, torch.as_tensor)
    every = tuple(range(len(values)))
    _, expected = torch.func.jvp(torch.func.grad(theirs, every), to_torch(values),
                                 to_torch(vectors))
    xs, vs = case.to_jax(values), case.to_jax(vectors)
    case.close(jax.jvp(jax.grad(ours, every), xs, vs)[1], expected)
    case.close(jax.grad(lambda *xs: sum(
        (x * v).sum() for x, v in zip(jax.grad(ours, every)(*xs), vs)), every)(*xs),
        expected)
    def slope(f):
        return lambda *xs: (jax if f is ours else torch.func).jvp(
            f, xs[:len(vs)], xs[len(vs):])[1]
    case.close(jax.grad(slope(ours), every)(*xs, *vs), expected)
    vs2 = tuple(jnp.sin(v) for v in vs)
    case.close([jax.jvp(slope(ours), (*xs, *vs), (*vs2, *vs))[1]], [torch.func.jvp(
        slope(theirs), (*to_torch(values), *to_torch(vectors)),
        to_torch([*map(np.asarray, vs2), *vectors]))[1]])
    # The gradient of queries, along captured arrays; no bias, no gradient of them.
    count = len(READ[name])
    along = [np.zeros_like(x) for x in vectors[:-count]] + vectors[-count:]
    _, expected = torch.func.jvp(torch.func.grad(theirs), to_torch(values),
                                 to_torch(along))
    found = jax.jvp(lambda *read: jax.grad(ours)(*xs[:-count], *read),
                    xs[-count:], vs[-count:])[1]
    case.close([found], [expected])


def few(*shape, seed=0):
    return jnp.asarray(np.random.default_rng(seed).standard_normal(shape),
                       jnp.float32)


Q, K, V = few(B, H, N, D), few(B, 2, M, D), few(B, 2, M, 5)


@pytest.mark.parametrize("axes", [(0, None), (None, 0), (0, 1), (1, 0)])
def test_vmap(axes):
    """Of queries and captured arrays, as one call after the other."""
    q, slopes = few(3, *Q.shape), few(3, H, seed=1)
    q = q[0] if axes[0] is None else jnp.moveaxis(q, 0, axes[0])
    slopes = slopes[0] if axes[1] is None else jnp.moveaxis(slopes, 0, axes[1])

    def run(q, slopes):
        return attention(q, K, V, score_mod=lambda s, b, h, i, j:
                         s * slopes[h] + (j - i) * slopes[0])

    def gradient(q, slopes):
        return jax.grad(lambda *xs: (run(*xs)**2).sum(), (0, 1))(q, slopes)

    def tangent(q, slopes):
        return jax.jvp(run, (q, slopes), (q + 1, slopes - 1))[1]
    for function in run, gradient, tangent:
        found = jax.jit(jax.vmap(function, axes))(q, slopes)
        for row in range(3):
            expected = function(*(x if axis is None else jnp.take(x, row, axis)
                                  for x, axis in zip((q, slopes), axes)))
            for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(expected)):
                np.testing.assert_allclose(x[row], y, rtol=0, atol=1e-4)


@pytest.mark.parametrize("reads_batch", [False, True])
def test_vmap_in_one_call(reads_batch):
    """Unless a score depends on the number of its batch."""
    slopes = few(B)

    def run(q, k):
        return attention(q, k, V, score_mod=lambda s, b, h, i, j:
                         s * slopes[b if reads_batch else 1] + j)
    xs = few(3, *Q.shape), few(3, *K.shape)
    np.testing.assert_allclose(
        jax.vmap(run)(*xs), jnp.stack([run(*x) for x in zip(*xs)]), rtol=0, atol=1e-6)
    assert ("scan" in str(jax.make_jaxpr(jax.vmap(run))(*xs))) == reads_batch


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16",
                                   "int32", "uint32"])
def test_whole_numbers(dtype):
    """The same bits as lattn.attention; no gradients."""
    x = np.asarray([0, 1, 1, 1 if dtype == "bool" else 100]).astype(dtype)
    if dtype[0] == "u":
        x[3] = -3 % 2**(8 * x.itemsize)  # as a signed number it is less than 0

    def run(library, q, k, v, x):
        return library.attention(q, k, v, score_mod=lambda s, b, h, i, j:
                                 s + x[h] * 1e-3 * j)
    found = jax.jit(lambda *xs: run(lattn.jax, *xs))(Q, K, V, x)
    expected = run(lattn, *map(np.asarray, (Q, K, V, x)))
    np.testing.assert_array_equal(found, expected)
    grad = jax.grad(lambda q: (run(lattn.jax, q, K, V, x)**2).sum())(Q)
    assert np.isfinite(grad).all() and np.abs(grad).max() > 0


def test_training_of_a_bias():
    """Scan over steps under jit: the loss of a learned table falls."""
    wanted = attention(Q, K, V, score_mod=lambda s, b, h, i, j: s - 0.5 * (j - i))

    def loss(slopes):
        found = attention(Q, K, V, score_mod=lambda s, b, h, i, j:
                          s + slopes[h] * (j - i))
        return ((found - wanted)**2).mean()

    @jax.jit
    def train(slopes):
        def step(slopes, _):
            value, gradient = jax.value_and_grad(loss)(slopes)
            return slopes - gradient, value
        return jax.lax.scan(step, slopes, length=100)
    slopes, values = train(jnp.zeros(H))
    assert values[-1] < 0.05 * values[0]
    assert (slopes < 0).all()


def test_far_from_zero():
    # 1 / (1 + exp(-x)) and its derivatives, also where exp overflows. One key: the
    # log-sum-exp is the score.
    x = np.float32([-3e38, -1e4, -100, -88.5, -60, -1, 0, 1, 60, 88.5, 100, 3e38])
    one = jnp.ones((1, 1, 1, 1))
    wide = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = torch.sigmoid(wide)
    wanted = torch.autograd.grad(y.sum(), wide)[0].numpy()
    for function in (jax.nn.sigmoid, lambda s: 1 / (1 + jnp.exp(-s))):
        def f(q):
            return attention(q, one, one, scale=1.0, return_lse=True,
                             score_mod=lambda s, b, h, i, j: function(s))[1]
        q = jnp.asarray(x)[None, None, :, None]
        value, tangent = jax.jvp(f, (q,), (jnp.ones_like(q),))
        gradient = jax.grad(lambda q: f(q).sum())(q)
        for got, expected in ((value, y.detach()), (tangent, wanted),
                              (gradient[..., 0], wanted)):
            np.testing.assert_allclose(got[0, 0], expected, rtol=1e-5, atol=1e-7)
