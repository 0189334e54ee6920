# REQUIRES: slow, torch
# RUN: %cached_pytest %s

# LocalTransformer's feed-forward network under torch.func's transforms and torch.vmap,
# of rows for kernels and of few rows, against torch's formula in float64.

import lattn.nn  # noqa: F401
import pytest
import torch
from lattn.nn import _feed_forward, _linear
from torch.func import (functional_call, grad, hessian, jacrev, jvp, linearize, vjp,
                        vmap)
from torch.nn import functional as F

pytestmark = pytest.mark.filterwarnings("ignore")
DIM = 32
ROWS = [(2, 150), (3, 4)]


def formula(parameters, x):
    gain, bias, up, down = parameters
    values, gates = (F.layer_norm(x, (DIM,), gain, bias) @ up.mT).chunk(2, -1)
    return (values * F.gelu(gates)) @ down.mT


@pytest.fixture(params=ROWS, ids=str)
def case(request):
    """The network as a function of its parameters and x, these, and the same in
    float64."""
    torch.manual_seed(0)
    network = _feed_forward.feed_forward(DIM)
    torch.nn.init.normal_(network[0].bias)
    names = [name for name, _ in network.named_parameters()]
    xs = [p.detach() for p in network.parameters()], torch.randn(*request.param, DIM)

    def run(parameters, x):
        return functional_call(network, dict(zip(names, parameters)), (x,))
    return run, xs, ([p.double() for p in xs[0]], xs[1].double())


def close(found, expected):
    flat = torch.utils._pytree.tree_leaves
    for x, y in zip(flat(found), flat(expected), strict=True):
        torch.testing.assert_close(x.double(), y, rtol=2e-4,
                                   atol=2e-4 * (1 + y.abs().max().item()))


def draw_like(xs):
    generator = torch.Generator().manual_seed(1)
    return [torch.randn(x.shape, generator=generator) for x in xs]


def of_both(case, transform):
    """`transform` takes a function and its arguments."""
    run, xs, wide = case
    close(transform(run, *xs), transform(formula, *wide))


def test_grad(case):
    def loss(function):
        return lambda parameters, x: function(parameters, x).sin().sum()
    of_both(case, lambda f, *xs: grad(loss(f), argnums=(0, 1))(*xs))
    # of gradients
    of_both(case, lambda f, *xs: grad(lambda parameters, x: sum(
        g.square().sum() for g in grad(loss(f))(parameters, x)), argnums=(0, 1))(*xs))


def test_vjp_and_jvp(case):
    def tangents(parameters, x):
        *made, of_x = draw_like([*parameters, x])
        return [t.to(x.dtype) for t in made], of_x.to(x.dtype)
    of_both(case, lambda f, *xs: jvp(f, xs, tangents(*xs)))
    of_both(case, lambda f, *xs: linearize(f, *xs)[1](*tangents(*xs)))

    def pull(f, *xs):
        out, function = vjp(f, *xs)
        return function(draw_like([out])[0].to(out.dtype))
    of_both(case, pull)


def test_vmap(case):
    """Over rows, over networks, and of gradients."""
    def stack(parameters):
        return [torch.stack((p, p * 0.5, p + 0.1)) for p in parameters]
    of_both(case, lambda f, parameters, x: vmap(f, (None, 0))(parameters, x))
    of_both(case, lambda f, parameters, x: vmap(f, (0, None))(stack(parameters), x))
    of_both(case, lambda f, parameters, x: vmap(
        grad(lambda p, x: f(p, x).sin().sum()), (None, 0))(parameters, x))
    of_both(case, lambda f, parameters, x: vmap(
        lambda p, t: jvp(lambda x: f(p, x), (x,), (t,))[1], (0, 0))(
            stack(parameters), torch.stack((x, x * 2, x - 1))))


def test_jacobians():
    torch.manual_seed(0)
    network = _feed_forward.feed_forward(DIM).requires_grad_(False)
    parameters = [p.double() for p in network.parameters()]
    x = torch.randn(1, DIM)
    close(jacrev(network)(x), jacrev(lambda x: formula(parameters, x))(x.double()))
    close(hessian(lambda x: network(x).sin().sum())(x),
          hessian(lambda x: formula(parameters, x).sin().sum())(x.double()))


@pytest.mark.parametrize("kind, tolerance", [
    (torch.float32, 1e-4), (torch.bfloat16, 3e-2), (torch.float16, 4e-3)], ids=str)
def test_training(kind, tolerance, monkeypatch):
    """Gradients by kernels, without a transform."""
    calls = []
    compute = _linear._linear
    monkeypatch.setattr(_linear, "_linear",
                        lambda *xs: calls.append(xs) or compute(*xs))
    torch.manual_seed(0)
    network = _feed_forward.feed_forward(DIM).to(kind)
    x = torch.randn(2, 150, DIM).to(kind).requires_grad_()
    xs = [x, *network.parameters()]
    wide = [t.detach().double().requires_grad_() for t in xs]
    found, expected = network(x), formula(wide[1:], wide[0])
    assert len(calls) == 2
    grad = torch.randn_like(found)
    pairs = [(found, expected), *zip(
        torch.autograd.grad(found, xs, grad),
        torch.autograd.grad(expected, wide, grad.double()))]
    for a, b in pairs:
        assert a.dtype == kind
        torch.testing.assert_close(a.double(), b, rtol=tolerance,
                                   atol=tolerance * (1 + b.abs().max().item()))
