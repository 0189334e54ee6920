# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Tangents of lattn.attention that one kernel gives, against torch's of the
# formula in float64, with generated options.

import pytest
import torch
from torch.autograd import forward_ad

import lattn
from dense import dense
from lattn.nn import _tangents

TOLERANCES = {torch.float32: 2e-5, torch.float64: 1e-11, torch.bfloat16: 3e-2,
              torch.float16: 4e-3}
# (heads, key heads, queries, keys, head size, value size)
SHAPES = [(4, 4, 130, 130, 64, 64), (4, 2, 37, 50, 24, 40), (2, 1, 1, 70, 16, 16),
          (1, 1, 5, 3, 1, 1), (3, 3, 17, 300, 256, 7), (2, 2, 65, 128, 65, 33)]
OPTIONS = [
    {}, dict(causal=True), dict(window=(20, 3)), dict(window=(3, 1), offset=-3),
    dict(window=(16, 0), scale=0.3, layout="bnhd"),
    dict(key_mask=True, kv_lengths=True, causal=True),
    dict(window=(40, None), offset=torch.tensor([3, -2])),
    dict(window=lattn.Window(bucket=16, back=1))]


@pytest.fixture
def calls(monkeypatch):
    """What the kernel is called for."""
    found = []
    compute = _tangents.compute
    monkeypatch.setattr(_tangents, "compute",
                        lambda *x: found.append(x) or compute(*x))
    return found


def make(shape, options, dtype, seed):
    torch.manual_seed(seed)
    h, hk, n, m, d, dv = shape
    options = dict(options)
    sizes = (h, n, d), (hk, m, d), (hk, m, dv)
    if options.get("layout") == "bnhd":
        sizes = tuple((n, h, d) for h, n, d in sizes)
    if "key_mask" in options:
        options |= dict(key_mask=torch.rand(2, m) > 0.3,
                        kv_lengths=torch.tensor([m, max(0, m - 2)]))
    draw = lambda: tuple(torch.randn(2, *size).to(dtype) for size in sizes)
    return draw(), draw(), options


def check(xs, tangents, options, tolerance):
    found = torch.func.jvp(
        lambda *x: lattn.attention(*x, return_lse=True, **options), xs, tangents)
    expected = torch.func.jvp(
        lambda *x: dense(*x, **options), tuple(x.double() for x in xs),
        tuple(x.double() for x in tangents))
    for a, b in zip((*found[0], *found[1]), (*expected[0], *expected[1])):
        # Rows that see nothing: the formula's tangents are NaN.
        b = torch.where(b.isnan(), 0, b)
        torch.testing.assert_close(a.double(), b, rtol=tolerance, atol=tolerance * (
            1 + torch.nan_to_num(b, posinf=0, neginf=0).abs().max()))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options, calls):
    for i, shape in enumerate(SHAPES):
        dtype = list(TOLERANCES)[(i + OPTIONS.index(options)) % 4]
        xs, tangents, given = make(shape, options, dtype, i)
        check(xs, tangents, given, TOLERANCES[dtype])
    assert len(calls) == len(SHAPES)


def test_large_scores():
    """The maximum grows from tile to tile, and falls."""
    for sign in (1, -1):
        xs, tangents, _ = make((1, 1, 70, 300, 16, 16), {}, torch.float64, 0)
        growing = torch.arange(300.0)[:, None] * sign
        xs = (xs[0].abs(), xs[1].abs() * growing, xs[2])
        check(xs, tangents, {}, 1e-10)


@pytest.mark.parametrize("names", ["q", "k", "v", "qv", "kv", "qk"])
def test_some_have_tangents(names, calls):
    xs, tangents, _ = make(SHAPES[1], {}, torch.float64, 0)
    chosen = ["qkv".index(x) for x in names]

    def bind(function):
        def run(*some):
            every = list(xs)
            for i, x in zip(chosen, some):
                every[i] = x
            return function(*every)
        return torch.func.jvp(run, tuple(xs[i] for i in chosen),
                              tuple(tangents[i] for i in chosen))[1]
    torch.testing.assert_close(
        bind(lambda *x: lattn.attention(*x, causal=True, return_lse=True)),
        bind(lambda *x: dense(*x, causal=True)))
    assert len(calls) == 1


def test_hidden_is_not_read():
    xs, tangents, _ = make((2, 2, 40, 90, 16, 16), {}, torch.float32, 0)
    options = dict(window=(7, 0), key_mask=torch.arange(90).expand(2, 90) % 5 > 0)
    run = lambda xs, tangents: torch.func.jvp(
        lambda *x: lattn.attention(*x, **options), xs, tangents)
    expected = run(xs, tangents)
    for arrays in (xs, tangents):
        for x, bad in ((arrays[1], float("nan")), (arrays[2], float("inf"))):
            x[:, :, ::5] = bad  # key_mask
            x[:, :, :40] = bad  # before the window
    torch.testing.assert_close(run(xs, tangents), expected, rtol=0, atol=0)


def test_strides():
    xs, tangents, _ = make(SHAPES[0], {}, torch.float64, 0)
    tangents = (tangents[0].mT.contiguous().mT, tangents[1][:, :1].expand(
        -1, 4, -1, -1), tangents[2].flip(2))
    check(xs, tangents, dict(window=(20, 3)), 1e-11)


def test_threads():
    xs, tangents, _ = make((4, 2, 500, 500, 64, 64), {}, torch.float32, 0)

    def run(threads):
        before = torch.get_num_threads()
        torch.set_num_threads(threads)
        try:
            return torch.func.jvp(lambda *x: lattn.attention(
                *x, window=(100, 3), return_lse=True), xs, tangents)
        finally:
            torch.set_num_threads(before)
    for a, b in zip(*map(torch.utils._pytree.tree_leaves, (run(1), run(3)))):
        assert torch.equal(a, b)


def test_dual_tensors(calls):
    xs, tangents, _ = make(SHAPES[0], {}, torch.float64, 0)
    with forward_ad.dual_level():
        duals = map(forward_ad.make_dual, xs, tangents)
        found = forward_ad.unpack_dual(lattn.attention(*duals)).tangent
    expected = torch.func.jvp(lambda *x: dense(*x)[0], xs, tangents)[1]
    torch.testing.assert_close(found, expected)
    assert len(calls) == 1


def test_inside_of_others(calls):
    """Other transforms, and gradients."""
    xs, tangents, _ = make((2, 2, 9, 9, 8, 8), {}, torch.float64, 0)
    torch.testing.assert_close(
        torch.func.jacfwd(lattn.attention)(*xs),
        torch.func.jacfwd(lambda *x: dense(*x)[0])(*xs))
    assert len(calls) == xs[0].numel()
    q = xs[0].clone().requires_grad_()
    out, tangent = torch.func.jvp(lattn.attention, (q, *xs[1:]), tangents)
    out.sum().backward()
    assert q.grad is not None
    assert len(calls) == xs[0].numel() + 1
