# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Tangents of lattn.attention by one kernel with everything that changes scores,
# in generated combinations, against torch's of the formula in float64.

import random

import pytest
import torch
from torch.autograd import forward_ad

import lattn
import lattn.math
from dense import dense
from lattn.nn import _attention_functions, _attention_operators, _tangents

TOLERANCES = {torch.float32: 3e-5, torch.float64: 1e-11, torch.bfloat16: 4e-2,
              torch.float16: 5e-3}
# (heads, key heads, queries, keys, head size, value size)
SHAPES = [(4, 2, 37, 50, 24, 40), (2, 2, 130, 131, 64, 64), (2, 1, 1, 70, 16, 16),
          (1, 1, 5, 3, 1, 1), (3, 3, 17, 300, 8, 7), (4, 1, 1, 33, 65, 5)]


@pytest.fixture
def calls(monkeypatch):
    """Of the kernels of tangents. Nothing may compute the output a second time."""
    found = []
    compute = _tangents.compute
    monkeypatch.setattr(_tangents, "compute",
                        lambda *x: found.append(x) or compute(*x))
    for module in (_attention_functions, _attention_operators):
        monkeypatch.setattr(module, "run", lambda *_: pytest.fail(
            "the output was computed without its tangent"))
    return found


def draw_options(pick, shape, dtype):
    """Constants, arrays that have tangents, and what makes a score_mod of those
    behind them: (constants, arrays, score arrays)."""
    h, _, n, m = shape[:4]
    constants, arrays, captured = {}, {}, {}
    maybe = lambda: pick.random() < 0.4
    if maybe():
        constants |= pick.choice([
            dict(causal=True), dict(window=(9, 2)), dict(window=(40, None)),
            dict(window=(3, 1), offset=-3)])
    if maybe():
        constants["softcap"] = 0.7
    if maybe():
        constants |= dict(dropout_p=0.3, seed=pick.randrange(2**40))
    if maybe():
        constants["key_mask"] = torch.rand(2, m) > 0.3
    if maybe():
        constants |= dict(q_segments=torch.arange(n).expand(2, n) // 20,
                          kv_segments=torch.arange(m).expand(2, m) // 20)
    if maybe():
        arrays["sink"] = torch.randn(h)
    if maybe():
        arrays["bias"] = torch.randn(pick.choice(
            [(h, n, m), (2, 1, n, m), (m,), (h, 1, 1), (n, 1), ()]))
    mask = pick.choice(["", "", "bool", "float"])
    if mask == "bool":
        constants["attn_mask"] = torch.rand(2, 1, n, m) > 0.2
    if mask == "float":
        arrays["attn_mask"] = torch.randn(pick.choice([(n, m), (2, h, n, m)]))
    if maybe():
        captured = dict(slopes=torch.rand(h), table=torch.randn(n, m))
    convert = lambda found: {name: x.to(dtype) for name, x in found.items()}
    return constants, convert(arrays), convert(captured)


def bind(function, constants, names, is_scored):
    def run(q, k, v, *others):
        options = dict(constants)
        options |= zip(names, others)
        if is_scored:
            slopes, table = others[len(names):]

            def score_mod(s, b, h, i, j):
                return s * slopes[h] + table[i, j] * s - slopes[h] * (i - j) * 0.01
            options["score_mod"] = score_mod
        return function(q, k, v, **options)
    return run


def to_double(x):
    return x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x


def compare(found, expected, tolerance):
    for a, b in zip(found, expected):
        b = torch.where(b.isnan(), 0, b)
        finite = torch.nan_to_num(b, posinf=0, neginf=0)
        torch.testing.assert_close(
            a.double(), b, rtol=tolerance,
            atol=tolerance * (1 + finite.abs().max()))


@pytest.mark.parametrize("seed", range(48))
def test_combinations(seed, calls):
    pick = random.Random(seed)
    torch.manual_seed(seed)
    shape = SHAPES[seed % len(SHAPES)]
    dtype = list(TOLERANCES)[seed // len(SHAPES) % 4]
    h, hk, n, m, d, dv = shape
    constants, arrays, captured = draw_options(pick, shape, dtype)
    sizes = (2, h, n, d), (2, hk, m, d), (2, hk, m, dv)
    xs = (*(torch.randn(size).to(dtype) for size in sizes), *arrays.values(),
          *captured.values())
    tangents = tuple(map(torch.randn_like, xs))
    # Some have none.
    chosen = [i for i in range(len(xs)) if pick.random() < 0.8] or [0]

    def run(function, xs, tangents):
        def of_some(*some):
            every = list(xs)
            for i, x in zip(chosen, some):
                every[i] = x
            return function(*every)
        primal, tangent = torch.func.jvp(
            of_some, tuple(xs[i] for i in chosen),
            tuple(tangents[i] for i in chosen))
        return (*primal, *tangent)
    is_scored = bool(captured)
    ours = bind(lattn.attention, constants | dict(return_lse=True), list(arrays),
                is_scored)
    theirs = bind(dense, {name: to_double(x) for name, x in constants.items()},
                  list(arrays), is_scored)
    expected = run(theirs, *([x.double() for x in y] for y in (xs, tangents)))
    compare(run(ours, xs, tangents), expected, TOLERANCES[dtype])
    assert len(calls) == 1


def draw(h, hk, n, m, d):
    torch.manual_seed(0)
    return tuple(torch.randn(1, *size, dtype=torch.float64)
                 for size in ((h, n, d), (hk, m, d), (hk, m, d)))


def test_only_others_have_tangents():
    xs = draw(2, 2, 9, 9, 8)
    for name, array in (("sink", torch.randn(2)), ("bias", torch.randn(9, 9)),
                        ("attn_mask", torch.randn(9, 9))):
        array = array.double()
        run = lambda function: torch.func.jvp(
            lambda x: function(*xs, **{name: x}), (array,), (array.cos(),))[1]
        compare(run(lambda *x, **o: lattn.attention(*x, return_lse=True, **o)),
                run(dense), 1e-11)


def test_empty_rows_keep_their_sink():
    xs = draw(2, 1, 6, 6, 8)
    sink = torch.tensor([0.5, -torch.inf]).double()
    mask = torch.zeros(1, 6, dtype=torch.bool)
    out, lse = torch.func.jvp(
        lambda *x: lattn.attention(*x[:3], sink=x[3], key_mask=mask,
                                   return_lse=True),
        (*xs, sink), (*xs, torch.ones(2).double()))[1]
    assert (out == 0).all()
    assert (lse[0, 0] == 1).all() and (lse[0, 1] == 0).all()


def test_no_keys_or_queries():
    q, k, v = draw(2, 2, 3, 4, 8)
    sink = torch.randn(2).double()
    run = lambda q, k, v: torch.func.jvp(
        lambda *x: lattn.attention(*x[:3], sink=x[3], return_lse=True),
        (q, k, v, sink), (q, k, v, sink.cos()))[1]
    out, lse = run(q, k[:, :, :0], v[:, :, :0])
    assert (out == 0).all()
    torch.testing.assert_close(lse, sink.cos()[:, None].expand(1, 2, 3))
    out, lse = run(q[:, :, :0], k, v)
    assert out.shape == (1, 2, 0, 8) and lse.shape == (1, 2, 0)


def test_captured_types():
    """Arrays of integers, of unsigned ones and of booleans beside floats."""
    xs = draw(2, 2, 7, 9, 8)
    weights = torch.rand(9).double()
    kinds = torch.arange(9, dtype=torch.uint8) * 25
    seen = torch.arange(9) % 3 > 0

    def scored(function, where):
        def score_mod(s, b, h, i, j):
            return where(seen[j], s * weights_of[0][j] + kinds[j] * 0.01, s)
        weights_of = [None]

        def run(q, w):
            weights_of[0] = w
            return function(q, *xs[1:], score_mod=score_mod)
        return torch.func.jvp(run, (xs[0], weights), (xs[0].cos(), weights.cos()))
    found = scored(lambda *x, **o: lattn.attention(*x, return_lse=True, **o),
                   lattn.math.where)
    compare(found[1], scored(dense, torch.where)[1], 1e-11)


def test_nested_transforms():
    xs = draw(2, 2, 5, 5, 4)
    slopes = torch.rand(2).double()
    ours, theirs = (lambda q, slopes, f=f: f(
        q, *xs[1:], score_mod=lambda s, b, h, i, j: s * slopes[h] + s * s) for f in (
            lattn.attention, lambda *x, **o: dense(*x, **o)[0]))
    both = torch.stack((xs[0], xs[0].sin()))
    for run in (lambda f: torch.func.jacfwd(f, (0, 1))(xs[0], slopes),
                lambda f: torch.func.vmap(lambda t: torch.func.jvp(
                    f, (xs[0], slopes), (t, slopes))[1])(both)):
        torch.testing.assert_close(run(ours), run(theirs))


def test_dual_tensors(calls):
    xs = draw(2, 1, 12, 12, 8)
    table = torch.randn(12, 12).double()
    run = lambda function: function(*map(forward_ad.make_dual, xs, xs),
                                    score_mod=lambda s, b, h, i, j: s * table[i, j])
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(run(lattn.attention)).tangent
        expected = forward_ad.unpack_dual(run(lambda *x, **o: dense(*x, **o)[0]))
    torch.testing.assert_close(found, expected.tangent)
    assert len(calls) == 1
