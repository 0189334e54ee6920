# REQUIRES: slow
# RUN: %cached_pytest %s

# torch.func's transforms, and forward-mode derivatives, of modules.

from types import SimpleNamespace

import pytest
import torch
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.func import (functional_call, grad, hessian, jacfwd, jacrev, jvp,
                        linearize, vjp, vmap)

from lattn import nn
from lattn.nn import _multihead, _rotary

pytestmark = pytest.mark.filterwarnings("ignore")


def local_attention():
    torch.manual_seed(0)
    module = nn.LocalAttention(4, causal=True, dim=8, use_xpos=True)
    return lambda x: module(x, x * 0.5, x + 1), torch.randn(2, 8, 8)


def blocks(**options):
    torch.manual_seed(0)
    module = nn.LocalAttention(4, dim=8, look_forward=0, **options)
    mask = torch.rand(2, 8) > 0.3
    bias = torch.randn(1, 4, 8)

    def run(x):
        rows = mask[:x.shape[0], :x.shape[1]]
        return module(x[:, None], x[:, None] * 0.5, x[:, None] + 1, mask=rows,
                      attn_bias=bias)[:, 0]
    return run, torch.randn(2, 8, 8)


def local_mha(**options):
    torch.manual_seed(0)
    module = nn.LocalMHA(dim=16, window_size=4, dim_head=16, heads=2, **options)
    return module, torch.randn(2, 6, 16)


def few_rows():  # the kernel of few rows, which has no derivatives
    module, x = local_mha(prenorm=True, causal=True)
    return module.requires_grad_(False), x


def many_rows():  # the kernel of blocks of rows
    module, x = local_mha(prenorm=True, qk_rmsnorm=True)
    return module.requires_grad_(False), x.repeat(50, 1, 1)


def transformer(streams):
    torch.manual_seed(0)
    module = nn.LocalTransformer(
        num_tokens=None, max_seq_len=16, dim=16, depth=1, dim_head=16, heads=2,
        local_attn_window_size=4, num_residual_streams=streams)
    return module.requires_grad_(False), torch.randn(2, 6, 16)


def multihead(**options):
    class Args:
        multiway, layernorm_eps, xpos_scale_base = False, 1e-5, 512
        xpos_rel_pos = True
    torch.manual_seed(0)
    module = nn.MultiheadAttention(Args, 16, 2, self_attention=True, **options)
    return lambda x: module(x, x, x)[0], torch.randn(2, 6, 16)


CASES = {
    "local_attention": local_attention, "local_mha": local_mha,
    "mask, bias": lambda: blocks(causal=True, exact_windowsize=True),
    "shared_qk": lambda: blocks(shared_qk=True),
    "gates": lambda: local_mha(gate_values_per_head=True),
    "few_rows": few_rows, "many_rows": many_rows,
    "transformer": lambda: transformer(1), "streams": lambda: transformer(4),
    "multihead": multihead, "subln": lambda: multihead(subln=True)}


@pytest.fixture(params=CASES)
def case(request):
    function, x = CASES[request.param]()
    return function, x, torch.randn(x.shape,
                                    generator=torch.Generator().manual_seed(1))


def differences(function, x, t, step=1e-3):
    """Along t, in float32 as the modules compute."""
    with torch.no_grad():
        return (function(x + step * t) - function(x - step * t)) / (2 * step)


def close(got, expected):
    torch.testing.assert_close(got, expected, rtol=2e-2, atol=5e-3)


def test_jvp(case):
    function, x, t = case
    out, tangent = jvp(function, (x,), (t,))
    torch.testing.assert_close(out, function(x), rtol=1e-4, atol=1e-4)
    close(tangent, differences(function, x, t))
    torch.testing.assert_close(linearize(function, x)[1](t), tangent)
    with torch.no_grad():
        torch.testing.assert_close(jvp(function, (x,), (t,))[1], tangent)


def test_dual_tensors(case):
    function, x, t = case
    with forward_ad.dual_level():
        out = forward_ad.unpack_dual(function(forward_ad.make_dual(x, t)))
    close(out.tangent, differences(function, x, t))
    assert forward_ad.unpack_dual(function(x)).tangent is None


def test_forward_is_reverse(case):
    # <w, J t> = <J^T w, t>, without rounding of differences.
    function, x, t = case
    tangent = jvp(function, (x,), (t,))[1]
    weights = torch.randn_like(tangent)
    (pulled,) = vjp(function, x)[1](weights)
    torch.testing.assert_close((weights * tangent).sum(), (pulled * t).sum(),
                               rtol=1e-3, atol=1e-3)
    loss = lambda x: (function(x) * weights).sum()
    torch.testing.assert_close(grad(loss)(x), pulled, rtol=1e-3, atol=1e-4)


def test_vmap(case):
    function, x, t = case
    both = torch.stack((x, t))
    expected = torch.stack((function(x), function(t)))
    torch.testing.assert_close(vmap(function)(both), expected, rtol=1e-4,
                               atol=1e-4)
    push = lambda t: jvp(function, (x,), (t,))[1]
    torch.testing.assert_close(vmap(push)(both),
                               torch.stack((push(x), push(t))))
    loss = lambda x: function(x).square().sum()
    torch.testing.assert_close(vmap(grad(loss))(both),
                               torch.stack((grad(loss)(x), grad(loss)(t))),
                               rtol=1e-3, atol=1e-3)
    # Transforms the other way around.
    sums = lambda both: vmap(loss)(both).sum()
    torch.testing.assert_close(grad(sums)(both), vmap(grad(loss))(both),
                               rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(jvp(vmap(function), (both,), (both,))[1],
                               vmap(lambda x: jvp(function, (x,), (x,))[1])(
                                   both))


# Not with a layer norm: torch's own jacrev(jacfwd(layer_norm)) is wrong.
@pytest.mark.parametrize("name", ["local_attention", "local_mha", "mask, bias",
                                  "shared_qk", "multihead"])
def test_jacobians(name):
    function, x = CASES[name]()
    x = x[:1, :4]
    one = lambda row: function(torch.cat((row, x[:, 1:]), 1))[0, :, :2]
    row = x[:, :1]
    torch.testing.assert_close(jacfwd(one)(row), jacrev(one)(row), rtol=1e-3,
                               atol=1e-4)
    loss = lambda row: one(row).square().sum()
    both = hessian(loss)(row)
    assert both.abs().max() > 1e-3
    torch.testing.assert_close(both, jacrev(jacrev(loss))(row), rtol=1e-3,
                               atol=1e-3)
    torch.testing.assert_close(both, jacrev(jacfwd(loss))(row), rtol=1e-3,
                               atol=1e-3)


def test_tangents_of_parameters():
    module, x = local_mha(prenorm=True)
    parameters = {n: p.detach() for n, p in module.named_parameters()}
    call = lambda p: functional_call(module, p, (x,))
    for name in parameters:
        t = {n: torch.ones_like(p) if n == name else torch.zeros_like(p)
             for n, p in parameters.items()}
        tangent = jvp(call, (parameters,), (t,))[1]
        step = {n: p + 1e-3 * t[n] for n, p in parameters.items()}
        back = {n: p - 1e-3 * t[n] for n, p in parameters.items()}
        with torch.no_grad():
            close(tangent, (call(step) - call(back)) / 2e-3)


@pytest.mark.parametrize("upstream", [False, True])
def test_cached_steps(upstream):
    module, x = local_mha(causal=True, upstream_cache=upstream)
    module.requires_grad_(False)
    step = torch.randn(2, 1, 16)

    def run(x):
        cache = module(x, return_cache=True)[1]
        return module(step, cache=cache, return_cache=True)[0]
    close(jvp(run, (x,), (x,))[1], differences(run, x, x))
    both = torch.stack((x, x + 1))
    torch.testing.assert_close(vmap(run)(both),
                               torch.stack((run(x), run(x + 1))))


def test_second_derivatives_have_kernels(recwarn):
    # Dropout drops the same in all of them.
    module = nn.LocalAttention(4, causal=True, dim=8, dropout=0.3)
    x, t, g = torch.randn(3, 2, 8, 8).unbind()

    def run(x):
        torch.manual_seed(3)
        return module(x, x * 0.5, x + 1)
    pull = lambda x: vjp(run, x)[1](g)[0]
    push = lambda x: (jvp(run, (x,), (t,))[1] * g).sum()
    step = 1e-2
    with torch.no_grad():
        expected = (pull(x + step * t) - pull(x - step * t)) / (2 * step)
    again = x.clone().requires_grad_()
    (first,) = torch.autograd.grad(run(again), again, g, create_graph=True)
    twice = torch.autograd.grad((first * t).sum(), again)[0]
    close(twice, expected)
    torch.testing.assert_close(jvp(pull, (x,), (t,))[1], twice)
    torch.testing.assert_close(grad(push)(x), twice)
    assert not [w for w in recwarn if "lattn" in str(w.message)]
    with pytest.raises(NotImplementedError, match="third derivatives"):
        grad(lambda x: jvp(pull, (x,), (t,))[1].sum())(x)


def test_first_call_inside():
    # What the first call keeps is no tensor of the transform.
    _rotary._expected.cache_clear()
    module, x = local_mha(causal=True)
    loss = lambda x: module(x).square().sum()
    inside = jvp(grad(loss), (x,), (x,))[0]
    torch.testing.assert_close(grad(loss)(x), inside)
    torch.testing.assert_close(vmap(grad(loss))(x[None])[0], inside)


def test_second_derivatives_of_multihead(recwarn):
    # Beside the same formula in torch's operations.
    q, k, v, t, g = torch.randn(5, 2, 3, 6, 8, dtype=torch.float64)
    bias, of_bias = torch.randn(2, 6, 6, dtype=torch.float64)
    mask = torch.rand(2, 6) > 0.3
    mask[:, 0] = True
    seed = torch.tensor(7)
    others = (mask, seed, True, 0.3)
    run = lambda q, k, v, bias: _multihead.attention(q, k, v, bias, *others)
    formula = lambda q, k, v, bias: _multihead._recompute(q, k, v, bias, *others)
    primals, tangents = (q, k, v, bias), (t, g, t, of_bias)
    every = (0, 1, 2, 3)

    def derive(f):
        pull = grad(lambda *x: (f(*x) * g).sum(), every)
        push = lambda *x: jvp(f, x, tangents)[1]
        yield jvp(pull, primals, tangents)[1]
        yield grad(lambda *x: (push(*x) * g).sum(), every)(*primals)
        yield jvp(push, primals, tangents)[1]
        given = [x.clone().requires_grad_() for x in (*primals, g)]
        first = torch.autograd.grad(f(*given[:4]), given[:4], given[4],
                                    create_graph=True)
        yield torch.autograd.grad(
            sum((x * y).sum() for x, y in zip(first, tangents)), given)
    # The formula's softmax is in float32.
    for got, expected in zip(derive(run), derive(formula)):
        torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-5)
    # Rows without weights are NaN, and so are their tangents.
    mask[1] = False
    out, tangent = jvp(run, primals, tangents)
    assert out[1].isnan().all() and tangent[1].isnan().all()
    assert not tangent[0].isnan().any()
    assert not [w for w in recwarn if "lattn" in str(w.message)]


@pytest.mark.parametrize("has_bias", [True, False])
def test_recorded_second_derivatives_of_multihead(has_bias):
    """A recorded program computes those of other arrays."""
    torch.manual_seed(0)
    args = SimpleNamespace(multiway=False, xpos_rel_pos=False, layernorm_eps=1e-5)
    module = nn.MultiheadAttention(args, 16, 2, self_attention=True)
    module.requires_grad_(False)
    x, other = torch.randn(2, 3, 5, 16)
    bias = torch.randn(5, 5)

    def twice(x, bias):
        given = [y.detach().requires_grad_() for y in (x, bias)][:1 + has_bias]
        out, _ = module(*given[:1] * 3, attn_mask=given[1] if has_bias else None)
        first, = torch.autograd.grad(out.square().sum(), given[:1], create_graph=True)
        return torch.autograd.grad(first.square().sum(), given)
    graph = make_fx(twice)(x, bias)
    torch.testing.assert_close(graph(other, bias), twice(other, bias))


def test_dropout():
    module, x = local_mha()
    module.attn_fn.dropout.p = 0.5
    t = torch.ones_like(x)
    torch.manual_seed(3)
    tangent = jvp(module, (x,), (t,))[1]

    def same_drops(x):
        torch.manual_seed(3)
        return module(x)
    close(tangent, differences(same_drops, x, t))
