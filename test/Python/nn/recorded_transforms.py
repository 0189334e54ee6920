# REQUIRES: slow
# RUN: %cached_pytest %s

# torch.func's transforms in programs that torch records: they contain lattn's
# operators, and compute what a dense formula gives in f64.

import pytest
import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap
from torch.fx.experimental.proxy_tensor import make_fx

import lattn
from lattn import nn
from lattn.nn import _gradients, _multihead

B, H, N, D, WINDOW = 2, 2, 8, 4, 4


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(0)
    torch._dynamo.reset()
    _gradients.warn.cache_clear()


def attend(q, k, v, hidden, bias=0.0):
    scores = q @ k.transpose(-1, -2) * D ** -0.5 + bias
    return scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v


def local(dtype):
    """Its module, and the formula."""
    module = nn.LocalAttention(WINDOW, causal=True)
    bias = torch.randn(H, WINDOW, 2 * WINDOW, dtype=dtype)
    row, column = torch.arange(N)[:, None], torch.arange(N)
    hidden = (column > row) | (column < row // WINDOW * WINDOW - WINDOW)
    slot = (column - row // WINDOW * WINDOW + WINDOW).clamp(0, 2 * WINDOW - 1)
    full = bias[:, row % WINDOW, slot]
    return (lambda x: module(x, x * 0.5, x + 1, attn_bias=bias),
            lambda x: attend(x, x * 0.5, x + 1, hidden, full))


class Args:
    multiway, layernorm_eps, xpos_rel_pos = False, 1e-5, False


def multihead(dtype):
    module = nn.MultiheadAttention(Args, D, 1, self_attention=True)
    module.requires_grad_(False).to(dtype)
    padding = torch.zeros(B, N, dtype=torch.bool)
    padding[0, 2] = True
    linears = module.q_proj, module.k_proj, module.v_proj, module.out_proj

    def formula(x):
        *qkv, last = linears
        q, k, v = (linear(x) for linear in qkv)
        return last(attend(q, k, v, padding[:, None]))

    def run(x):
        return module(x, x, x, key_padding_mask=padding, need_weights=False)[0]
    return run, formula


def plain(dtype):
    hidden = torch.ones(N, N, dtype=torch.bool).triu(1)
    return (lambda x: lattn.attention(x, x * 0.5, x + 1, causal=True),
            lambda x: attend(x, x * 0.5, x + 1, hidden))


FUNCTIONS = {"attention": plain, "local_attention": local,
             "multihead_attention": multihead}


def make(name, dtype):
    """An argument for the function."""
    heads = () if name == "multihead_attention" else (H,)
    return torch.randn(B, *heads, N, D, dtype=dtype)


GRAD, JVP = "_grad", "_jvp"
TWICE, TANGENTS = "_grad_grad", "_jvp_jvp"


def of_two(function, x):
    """As a function of two elements of x."""
    rest = x.flatten()[2:]
    return lambda part: function(torch.cat((part, rest)).view_as(x))


def loss_of(f):
    return lambda x: f(x).square().sum()


# What is computed of a function and its argument, and the operator that does it.
TRANSFORMS = {
    "grad": (lambda f, x: grad(loss_of(f))(x), GRAD),
    "vjp": (lambda f, x: vjp(f, x)[1](x + 1)[0], GRAD),
    "jvp": (lambda f, x: jvp(f, (x,), (x + 1,))[1], JVP),
    "vmap grad": (lambda f, x: vmap(grad(loss_of(f)))(torch.stack((x, x + 1))), GRAD),
    "hessian": (lambda f, x: hessian(of_two(loss_of(f), x))(x.flatten()[:2]), TWICE),
    "jacfwd": (lambda f, x: jacfwd(of_two(f, x))(x.flatten()[:2]), JVP),
    "jacrev": (lambda f, x: jacrev(lambda y: of_two(f, x)(y).flatten()[:3])(
        x.flatten()[:2]), GRAD),
    "jvp of grad": (lambda f, x: jvp(grad(loss_of(f)), (x,), (x + 1,))[1], TWICE),
    "grad of grad": (lambda f, x: grad(loss_of(grad(loss_of(f))))(x), TWICE),
    "grad of jvp": (lambda f, x: grad(loss_of(
        lambda y: jvp(f, (y,), (x + 1,))[1]))(x), TWICE),
    "jvp of jvp": (lambda f, x: jvp(
        lambda y: jvp(f, (y,), (y + 1,))[1], (x,), (x - 1,))[1], TANGENTS)}


def compile_with(graphs):
    def keep(graph, _):
        graphs.append(graph)
        return make_boxed_func(graph.forward)
    return aot_autograd(fw_compiler=keep)


def check_graphs(graphs, operator):
    nodes = [node for graph in graphs for node in graph.graph.nodes]
    targets = {str(node.target) for node in nodes}
    assert f"lattn.{operator}.default" in targets
    assert not any("softmax" in target or ".exp." in target for target in targets)
    for node in nodes:
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and "lattn" not in str(node.target):
            assert value.shape[-2:] != (N, N)


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_transforms(name, transform, recwarn):
    derive, suffix = TRANSFORMS[transform]
    function, formula = FUNCTIONS[name](torch.float64)
    x, other = make(name, torch.float64), make(name, torch.float64)
    graphs = []
    compiled = torch.compile(lambda x: derive(function, x), fullgraph=True,
                             backend=compile_with(graphs))
    recorded = make_fx(lambda x: derive(function, x))(x)
    for y in x, other:
        expected = derive(formula, y)
        assert expected.abs().max() > 1e-3
        for run in compiled, recorded:
            torch.testing.assert_close(run(y), expected, rtol=1e-5, atol=1e-5)
    check_graphs(graphs, name + suffix)
    check_graphs([recorded], name + suffix)
    assert not [w for w in recwarn if "lattn" in str(w.message)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_inductor(name):
    function, formula = FUNCTIONS[name](torch.float32)
    x = make(name, torch.float32)
    for derive in (TRANSFORMS[one][0] for one in ("vmap grad", "jvp")):
        compiled = torch.compile(lambda x: derive(function, x), fullgraph=True)
        torch.testing.assert_close(compiled(x), derive(formula, x), rtol=1e-4,
                                   atol=1e-4)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_recorded_again(name):
    """What is recorded has derivatives itself."""
    function, formula = FUNCTIONS[name](torch.float64)
    x = make(name, torch.float64)
    derive = TRANSFORMS["grad"][0]
    recorded = make_fx(lambda x: derive(function, x))(x)
    for then in "vmap grad", "jvp":
        again = TRANSFORMS[then][0]
        torch.testing.assert_close(
            again(recorded, x), again(lambda x: derive(formula, x), x), rtol=1e-5,
            atol=1e-5)
    twice = make_fx(lambda x: TRANSFORMS["grad of grad"][0](function, x))(x)
    with pytest.raises(NotImplementedError, match="third derivatives"):
        twice(x.clone().requires_grad_()).sum().backward()


def test_changed_buffers():
    """A program computes with what the buffers hold when it runs."""
    def make_module(theta):
        module = nn.LocalAttention(WINDOW, causal=True, dim=D)
        module.rel_pos = nn.SinusoidalEmbeddings(D, theta=theta)
        return module
    module, other = make_module(10000), make_module(500)
    call = lambda module: lambda x: module(x, x * 0.5, x + 1)
    x = make("local_attention", torch.float64)
    derive = lambda function, x: [TRANSFORMS[one][0](function, x) for one in (
        "grad", "jvp", "grad of grad", "jvp of jvp")]
    compiled = torch.compile(lambda x: derive(call(module), x), fullgraph=True,
                             backend="aot_eager")
    before = compiled(x)
    torch.testing.assert_close(before, derive(call(module), x))
    module.rel_pos.inv_freq.copy_(other.rel_pos.inv_freq)
    after, expected = compiled(x), derive(call(other), x)
    torch.testing.assert_close(after, expected, rtol=1e-5, atol=1e-5)
    for one, changed in zip(before, after):
        assert (one - changed).abs().max() > 1e-3
    given = x.clone().requires_grad_()
    pull = torch.compile(call(module), fullgraph=True, backend="aot_eager")
    (found,) = torch.autograd.grad(pull(given).square().sum(), given)
    torch.testing.assert_close(found, expected[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("transform", ["grad", "jvp", "grad of grad", "jvp of jvp"])
def test_dropout(transform):
    """All derivatives drop the same."""
    seed = torch.tensor(7)
    x = torch.randn(1, H, N, D, dtype=torch.float64)
    arguments = lambda x: (x, x * 0.5, x + 1, None, None, seed, False, 0.3)
    derive = TRANSFORMS[transform][0]
    compiled = torch.compile(
        lambda x: derive(lambda x: _multihead.attention(*arguments(x)), x),
        fullgraph=True, backend="aot_eager")
    # The formula's softmax is in float32.
    expected = derive(lambda x: _multihead._recompute(*arguments(x)), x)
    torch.testing.assert_close(compiled(x), expected, rtol=1e-4, atol=1e-4)
