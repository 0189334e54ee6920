# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Second derivatives of lattn.attention with score functions and the arrays that they
# read, segments, and masks of numbers, against autograd of the formula in float64.

import pytest
import torch

import lattn
from dense import F64, dense, inputs, leaf

torch.manual_seed(11)
SLOPES = torch.rand(4, dtype=F64)
TABLE = torch.randn(7, 9, dtype=F64)
WEIGHTS = torch.rand(2, 9, dtype=F64)
SEGMENTS = torch.arange(2 * 9).view(2, 9) // 4
MASK = torch.randn(2, 1, 7, 9, dtype=F64)

# Options by (what is read, a library of functions).
CASES = {
    "numbers": ((), lambda m: dict(
        score_mod=lambda s, b, h, i, j: s * s + m.tanh(s) * 0.3, causal=True,
        offset=torch.tensor([2, -2]))),
    "arrays": ((SLOPES, TABLE), lambda m, slopes, table: dict(
        score_mod=lambda s, b, h, i, j: s * slopes[h] + table[i, j] * s * s,
        window=(3, 1), softcap=0.7)),
    "read twice": ((WEIGHTS,), lambda m, w: dict(
        score_mod=lambda s, b, h, i, j: s * m.exp(w[b, j] * w[b, i]))),
    "mask_mod": ((SLOPES,), lambda m, slopes: dict(
        score_mod=lambda s, b, h, i, j: s * slopes[h] * slopes[h],
        mask_mod=lambda b, h, i, j: (j + b) % 3 != 1)),
    "segments": ((), lambda m: dict(q_segments=SEGMENTS[:, :7], kv_segments=SEGMENTS,
                                    layout="bnhd")),
    "arrays of integers": ((SLOPES,), lambda m, slopes: dict(
        score_mod=lambda s, b, h, i, j: s * slopes[h] + s * s,
        attn_mask=torch.arange(63).view(7, 9) % 4 > 0,
        q_segments=SEGMENTS[:, :7], kv_segments=SEGMENTS)),
    "attn_mask": ((MASK,), lambda m, mask: dict(attn_mask=mask, window=(4, 2))),
    "attn_mask of heads": ((MASK[0, 0, :1],), lambda m, mask: dict(attn_mask=mask)),
    "all": ((MASK, SLOPES), lambda m, mask, slopes: dict(
        attn_mask=mask, dropout_p=0.3, seed=5, sink=SLOPES.flip(0),
        score_mod=lambda s, b, h, i, j: s * slopes[h] * s)),
}


class Torch:
    """lattn.math by torch's names."""

    tanh, exp, where = torch.tanh, torch.exp, torch.where


def make(name):
    """The arrays, and functions of them: ours and the formula."""
    read, options = CASES[name]
    layout = options(Torch, *read).get("layout", "bhnd")
    arrays = inputs(layout=layout)

    def bind(function, library):
        def run(*xs):
            out, lse = function(*xs[:3], **options(library, *xs[3:]))
            return out.sin().sum() + torch.where(lse.isinf(), 0, lse).square().sum()
        return run
    return [*arrays, *read], (
        bind(lambda *x, **o: lattn.attention(*x, return_lse=True, **o), lattn.math),
        bind(dense, Torch))


def draw_like(xs):
    torch.manual_seed(5)
    return tuple(torch.randn_like(x) for x in xs)


@pytest.mark.parametrize("name", CASES)
def test_reverse_twice(name):
    xs, functions = make(name)
    found = []
    for function in functions:
        leaves = [leaf(x) for x in xs]
        first = torch.autograd.grad(function(*leaves), leaves, create_graph=True)
        product = sum((x * t).sum() for x, t in zip(first, draw_like(xs)))
        found.append(torch.autograd.grad(product, leaves))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("name", CASES)
def test_forward_and_reverse(name):
    xs, functions = make(name)
    xs, tangents, places = tuple(xs), draw_like(xs), tuple(range(len(xs)))
    found = []
    for function in functions:
        def slope(xs, tangents):
            return torch.func.jvp(function, xs, tangents)[1]
        found.append((
            torch.func.jvp(torch.func.grad(function, places), xs, tangents),
            torch.func.grad(slope, (0, 1))(xs, tangents)))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("name", CASES)
def test_tangents_of_tangents(name):
    xs, functions = make(name)
    xs, first = tuple(xs), draw_like(xs)
    second = tuple(x.sin() for x in first)
    both = tuple(x.cos() for x in first)
    found = []
    for function in functions:
        def slope(*xs_and_tangents):
            count = len(xs)
            return torch.func.jvp(function, xs_and_tangents[:count],
                                  xs_and_tangents[count:])[1]
        found.append(torch.func.jvp(slope, (*xs, *first), (*second, *both)))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("name", ["arrays", "attn_mask"])
@pytest.mark.parametrize("of", [0, 3])
def test_of_one(name, of):
    """Only q, and only what the score reads."""
    xs, functions = make(name)
    tangent = draw_like(xs)[of]
    found = []
    for function in functions:
        def run(x):
            return function(*xs[:of], x, *xs[of + 1:])
        x = leaf(xs[of])
        first, = torch.autograd.grad(run(x), x, create_graph=True)
        found.append((
            torch.autograd.grad((first * tangent).sum(), x),
            torch.func.jvp(torch.func.grad(run), (xs[of],), (tangent,)),
            torch.func.grad(lambda x: torch.func.jvp(run, (x,), (tangent,))[1])(
                xs[of])))
    torch.testing.assert_close(*found)


def test_mixed():
    """Derivatives by q of those by what the score reads, and the other way round."""
    xs, functions = make("arrays")
    found = []
    for function in functions:
        def run(q, table):
            return function(q, *xs[1:4], table)
        found.append([torch.func.jacrev(torch.func.grad(run, first), second)(
            xs[0], xs[4]) for first, second in ((0, 1), (1, 0))])
    torch.testing.assert_close(*found)
    one, other = found[0]
    torch.testing.assert_close(one, other.permute(2, 3, 4, 5, 0, 1))


def test_hessian():
    slopes = SLOPES[:2]
    q, k, v = inputs(3, 4, 2, 2, 2, 1, 1)
    found = [torch.func.hessian(lambda slopes: function(
        q, k, v, score_mod=lambda s, b, h, i, j: s * slopes[h] + s * s)[0].sin().sum())(
            slopes) for function in (
                lambda *x, **o: lattn.attention(*x, return_lse=True, **o), dense)]
    torch.testing.assert_close(*found)


def test_many_blocks():
    """Each of several blocks of rows adds to the gradient of the whole mask."""
    q, k, v = inputs(200, 300, 4, 4, 2, 1, 2)
    mask = torch.randn(2, 2, 200, 300, dtype=F64)
    found = []
    for function in (lattn.attention, lambda *x, **o: dense(*x, **o)[0]):
        leaves = [leaf(x) for x in (q, mask)]
        out = function(leaves[0], k, v, attn_mask=leaves[1])
        first = torch.autograd.grad(out.sin().sum(), leaves, create_graph=True)
        found.append(torch.autograd.grad(sum(x.sin().sum() for x in first), leaves))
    torch.testing.assert_close(*found)


def test_numpy_arrays():
    """A score reads an array that is no tensor."""
    xs, table = inputs(), TABLE.numpy()
    found = []
    for function, read in ((lambda *x, **o: lattn.attention(*x, **o), table),
                           (lambda *x, **o: dense(*x, **o)[0], TABLE)):
        leaves = [leaf(x) for x in xs]
        slopes = leaf(SLOPES)
        out = function(*leaves, score_mod=lambda s, b, h, i, j: s * slopes[h]
                       + read[i, j] * s * s)
        wanted = [*leaves, slopes]
        first = torch.autograd.grad(out.sin().sum(), wanted, create_graph=True)
        found.append(torch.autograd.grad(sum(x.cos().sum() for x in first), wanted))
    torch.testing.assert_close(*found)
