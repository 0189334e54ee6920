# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Scores as large as finite numbers are, against the formula in float64: outputs,
# log-sum-exps, gradients, tangents and second derivatives. Masks made of the
# smallest number of a type are the usual way to meet them. (lattn-sweep has such
# scores in generated problems.)

import ml_dtypes
import numpy as np
import pytest
import torch

import lattn
from dense import dense
from pools import lay_out

F32_MIN = float(np.finfo(np.float32).min)
DTYPES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16,
          "f16": torch.float16}
TOLERANCES = {"f32": 3e-5, "f64": 1e-11, "bf16": 3e-2, "f16": 4e-3}
# Numbers of queries that have kernels of their own.
QUERIES = [1, 5, 300]


def draw(dtype, n, m=300, d=40, heads=4, kv_heads=2):
    torch.manual_seed(n)
    return [torch.randn(1, h, x, d).to(DTYPES[dtype])
            for h, x in ((heads, n), (kv_heads, m), (kv_heads, m))]


def biases(n, m, dtype):
    """Keys of each row that no finite number can bring back, or that win."""
    low = float(torch.finfo(DTYPES[dtype]).min)
    zeros = torch.zeros(1, m, dtype=torch.float64)
    first = zeros.clone()
    first[:, :m // 3] = low  # whole tiles before any other
    causal = torch.full((n, m), low, dtype=torch.float64).triu(m - n + 1)
    one = zeros.clone()
    one[:, 5] = min(1e10, -low)
    mixed = zeros.clone()
    mixed[0, ::3], mixed[0, 1::3], mixed[0, 7] = low, 0.7 * low, -low
    return {"first": first, "causal": causal, "one": one, "mixed": mixed}


def agree(found, expected, dtype):
    for a, b in zip(found, expected):
        torch.testing.assert_close(a.double(), b, rtol=TOLERANCES[dtype],
                                   atol=TOLERANCES[dtype], equal_nan=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", QUERIES)
@pytest.mark.parametrize("kind", ["first", "causal", "one", "mixed"])
def test_gradients(kind, n, dtype):
    xs = draw(dtype, n)
    bias = biases(n, 300, dtype)[kind].to(DTYPES[dtype])
    leaves = [x.requires_grad_() for x in xs]
    wide = [x.detach().double().requires_grad_() for x in xs]
    found = lattn.attention(*leaves, bias=bias, return_lse=True)
    expected = dense(*wide, bias=bias.double())
    agree(found, expected, dtype)
    d_out = torch.randn(expected[0].shape)
    agree(torch.autograd.grad(found[0], leaves, d_out.to(found[0].dtype)),
          torch.autograd.grad(expected[0], wide,
                              d_out.to(found[0].dtype).double()), dtype)


@pytest.mark.parametrize("kind", ["first", "one", "mixed"])
@pytest.mark.parametrize("n", QUERIES)
def test_tangents(n, kind):
    xs, bias = draw("f32", n), biases(n, 300, "f32")[kind].float()
    tangents = [torch.randn_like(x) for x in xs]
    found = torch.func.jvp(
        lambda *x: lattn.attention(*x, bias=bias, return_lse=True), tuple(xs),
        tuple(tangents))
    expected = torch.func.jvp(
        lambda *x: dense(*x, bias=bias.double()),
        tuple(x.double() for x in xs), tuple(x.double() for x in tangents))
    agree((*found[0], *found[1]), (*expected[0], *expected[1]), "f32")


@pytest.mark.parametrize("kind", ["first", "mixed"])
def test_second_derivatives(kind):
    xs, bias = draw("f64", 20, m=30, d=8), biases(20, 30, "f32")[kind]

    def product(function):
        def loss(*x):
            return (function(*x, bias=bias)**2).sum()
        return torch.autograd.functional.vhp(
            loss, tuple(xs), tuple(torch.ones_like(x) for x in xs))[1]
    agree(product(lattn.attention), product(lambda *x, **o: dense(*x, **o)[0]),
          "f64")


@pytest.mark.parametrize("dtype", ["float32", "float64", ml_dtypes.bfloat16])
@pytest.mark.parametrize("n", QUERIES)
@pytest.mark.parametrize("size", [2.0**12, 2.0**34, 2.0**63])
def test_products(size, n, dtype):
    """Scores that are products, far apart or equal, also of keys in pages."""
    rng = np.random.default_rng(n)
    q, k = np.zeros((1, 2, n, 32)), np.zeros((1, 1, 300, 32))
    q[..., 0] = rng.choice([-size, size], q.shape[:3])
    k[..., 0] = rng.choice([0, -size, size], k.shape[:3])
    v = rng.standard_normal((1, 1, 300, 32))
    xs = [x.astype(dtype) for x in (q, k, v)]
    s = q @ np.swapaxes(k, 2, 3) / 32**0.5
    weights = np.exp(s - s.max(-1, keepdims=True))
    sums = weights.sum(-1)
    expected = weights @ xs[2].astype("f8") / sums[..., None], s.max(-1) + np.log(sums)
    table = np.arange(10)[None].astype("i4")
    pools = [lay_out(rng, x, 32, table, 10, "bhnd") for x in xs[1:]]
    lengths = np.array([300])
    for found in (lattn.attention(*xs, return_lse=True),
                  lattn.attention(xs[0], *pools, pages=table, kv_lengths=lengths,
                                  return_lse=True)):
        tolerance = 1.2e-2 if dtype is ml_dtypes.bfloat16 else 2e-5
        for a, b in zip(found, expected):
            np.testing.assert_allclose(a.astype("f8"), b, tolerance, tolerance)


def test_score_functions():
    """What a function adds, and a mask of numbers."""
    q, k, v = draw("f32", 300)
    low = torch.zeros(300).index_fill(0, torch.arange(100), F32_MIN)
    expected = dense(q.double(), k.double(), v.double(), bias=low.double())[0]
    for options in (dict(score_mod=lambda s, b, h, i, j: s + low[j]),
                    dict(attn_mask=low.expand(300, 300))):
        torch.testing.assert_close(
            lattn.attention(q, k, v, **options).double(), expected, rtol=3e-5,
            atol=3e-5)


@pytest.mark.parametrize("n", QUERIES)
def test_infinite_scores(n):
    """+inf is NaN, as the formula says; rows that do not see it stay."""
    q, k, v = draw("f32", n)
    bias = torch.zeros(n, 300)
    bias[0, 7] = torch.inf
    found = lattn.attention(q, k, v, bias=bias)
    assert found[:, :, 0].isnan().all() and not found[:, :, 1:].isnan().any()
