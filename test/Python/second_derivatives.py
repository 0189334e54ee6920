# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Tangents and second derivatives of lattn.attention, against autograd of the
# formula in float64.

import pytest
import torch
from torch.autograd import forward_ad

import lattn
from dense import F64, dense, inputs, leaf

OPTIONS = {
    "window": dict(window=(3, 1), scale=0.3),
    "empty rows": dict(window=(1, 0), offset=-3),
    "bnhd": dict(layout="bnhd", causal=True, softcap=0.7),
    "arrays": dict(
        causal=True, key_mask=torch.arange(18).view(2, 9) % 4 > 0,
        kv_lengths=torch.tensor([5, 9]), offset=torch.tensor([3, -2])),
    "sink": dict(sink=torch.randn(4, dtype=F64), window=(2, 0), offset=-3,
                 attn_mask=torch.arange(63).view(7, 9) % 3 > 0),
    "bias": dict(bias=torch.randn(4, 7, 9, dtype=F64), dropout_p=0.4, seed=7),
    "numbers": dict(attn_mask=torch.randn(2, 1, 7, 9, dtype=F64), bias=torch.randn(
        1, 9, dtype=F64))}


def get_floats(options):
    """What is differentiated by, and functions of that: (output, lse)."""
    names = [name for name in ("sink", "bias") if name in options]
    arrays = inputs(layout=options.get("layout", "bhnd"))

    def bind(function, **more):
        return lambda *xs: function(
            *xs[:3], **options | dict(zip(names, xs[3:])), **more)
    return ([*arrays, *(options[name] for name in names)],
            bind(lattn.attention, return_lse=True), bind(dense))


def of_visible(function):
    """No sum of ours reads the log-sum-exp of rows that see nothing: -inf."""
    def run(*xs):
        out, lse = function(*xs)
        return out, torch.where(lse.isinf(), 0, lse)
    return run


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_options(options):
    xs, ours, theirs = get_floats(options)
    ours, theirs = of_visible(ours), of_visible(theirs)
    torch.manual_seed(2)
    tangents = [torch.randn_like(x) for x in xs]
    found = torch.func.jvp(ours, tuple(xs), tuple(tangents))
    expected = torch.func.jvp(theirs, tuple(xs), tuple(tangents))
    torch.testing.assert_close(found[0], expected[0])
    torch.testing.assert_close(*(torch.nan_to_num(x[1][0]) for x in (
        found, expected)))

    def twice(function):
        leaves = [leaf(x) for x in xs]
        out, lse = function(*leaves)
        first = torch.autograd.grad(out.sin().sum() + lse.square().sum(), leaves,
                                    create_graph=True)
        product = sum((x * t).sum() for x, t in zip(first, tangents))
        return torch.autograd.grad(product, leaves)
    if "offset" not in options or not isinstance(options["offset"], int):
        torch.testing.assert_close(twice(ours), twice(theirs))
    else:  # the formula's are NaN in empty rows
        assert all(x.isfinite().all() for x in twice(ours))


@pytest.mark.parametrize("name", OPTIONS)
def test_tangents_of_tangents(name):
    xs, *functions = get_floats({
        x: y for x, y in OPTIONS[name].items() if x != "offset"})
    torch.manual_seed(4)
    first, second, both = (tuple(torch.randn_like(x) for x in xs) for _ in range(3))
    found = []
    for function in functions:
        def slope(*xs):
            return torch.func.jvp(of_visible(function), xs[:len(first)],
                                  xs[len(first):])[1]
        found.append(torch.func.jvp(slope, (*xs, *first), (*second, *both)))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("name", ["bnhd", "sink", "bias", "arrays"])
def test_forward_and_reverse(name):
    """Tangents of gradients, and gradients of tangents by both."""
    options = {x: y for x, y in OPTIONS[name].items() if x != "offset"}
    xs, *functions = get_floats(options)
    torch.manual_seed(3)
    tangents = tuple(torch.randn_like(x) for x in xs)
    places = tuple(range(len(xs)))
    found = []
    for function in functions:
        def total(*xs):
            out, lse = of_visible(function)(*xs)
            return out.sin().sum() + lse.square().sum()

        def slope(xs, tangents):
            return torch.func.jvp(total, xs, tangents)[1]
        gradients = torch.func.jvp(torch.func.grad(total, places), tuple(xs), tangents)
        found.append([*gradients[0], *gradients[1], *(
            x for both in torch.func.grad(slope, (0, 1))(tuple(xs), tangents)
            for x in both)])
    torch.testing.assert_close(*found)


def test_hessian():
    q, k, v = inputs(3, 4, 2, 2, 2, 1, 1)
    expected = torch.func.hessian(lambda q: dense(q, k, v)[0].sin().sum())(q)

    def function(q):
        return lattn.attention(q, k, v).sin().sum()
    for make in (torch.func.hessian,
                 lambda f: torch.func.jacfwd(torch.func.jacfwd(f)),
                 lambda f: torch.func.jacrev(torch.func.jacfwd(f))):
        torch.testing.assert_close(make(function)(q), expected)


def test_linear_in_d_output():
    """Tangents of gradients by the cotangent alone."""
    xs = inputs()
    out, back = torch.func.vjp(lambda *x: lattn.attention(*x, causal=True), *xs)
    found = torch.func.jvp(back, (out.sin(),), (out.cos(),))[1]
    torch.testing.assert_close(found, back(out.cos()))


def test_dual_tensors_with_gradients():
    xs = [leaf(x) for x in inputs()]
    tangents = [x.detach().cos() for x in xs]
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x, t) for x, t in zip(xs, tangents)]
        tangent = forward_ad.unpack_dual(lattn.attention(*duals)).tangent
        found = torch.autograd.grad(tangent.sin().sum(), xs)
    expected = torch.func.grad(lambda *x: torch.func.jvp(
        lambda *x: dense(*x)[0], x, tuple(tangents))[1].sin().sum(), (0, 1, 2))(
            *(x.detach() for x in xs))
    torch.testing.assert_close(found, expected)


def test_dual_tensors():
    xs = inputs()
    with forward_ad.dual_level():
        duals = [forward_ad.make_dual(x, x.cos()) for x in xs]
        found = forward_ad.unpack_dual(lattn.attention(*duals)).tangent
    expected = torch.func.jvp(lambda *x: dense(*x)[0], tuple(xs),
                              tuple(x.cos() for x in xs))[1]
    torch.testing.assert_close(found, expected)


def test_types():
    xs = [x.float() for x in inputs(70, 70, 16, 16)]
    tangents = tuple(torch.randn_like(x) for x in xs)
    run = lambda function: torch.func.jvp(function, tuple(xs), tangents)[1]
    torch.testing.assert_close(
        run(lambda *x: lattn.attention(*x, window=(20, 3))),
        run(lambda *x: dense(*x, window=(20, 3))[0]), rtol=1e-4, atol=1e-5)


def test_numerically():
    xs = [leaf(x) for x in inputs(5, 6, 4, 4)]
    function = lambda *x: lattn.attention(*x, causal=True, return_lse=True)
    torch.autograd.gradcheck(function, xs, check_forward_ad=True,
                             check_backward_ad=False)
    torch.autograd.gradgradcheck(function, xs)


def test_of_torch_func():
    q, k, v = inputs(4, 5)
    jacobian, twice = ([f(lambda q: function(q, k, v)) for function in (
        lambda *x: lattn.attention(*x).sin(), lambda *x: dense(*x)[0].sin())]
        for f in (torch.func.jacfwd, lambda f: torch.func.jacrev(
            torch.func.grad(lambda q: f(q).sum()))))
    for ours, theirs in (jacobian, twice):
        torch.testing.assert_close(ours(q), theirs(q))


def test_third_derivatives():
    q = inputs(4, 4)[0]
    x = leaf(q)
    first, = torch.autograd.grad(lattn.attention(x, x, x).sin().sum(), x,
                                 create_graph=True)
    second, = torch.autograd.grad(first.sin().sum(), x, create_graph=True)
    with pytest.raises(NotImplementedError, match="third derivatives"):
        second.sum().backward()
    with pytest.raises(NotImplementedError, match="third derivatives"):
        torch.func.jacfwd(torch.func.hessian(
            lambda q: lattn.attention(q, q, q).sum()))(q[:1, :2, :, :2])
