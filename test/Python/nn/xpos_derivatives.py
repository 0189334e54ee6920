# REQUIRES: slow
# RUN: %cached_pytest %s

# All derivatives up to the second order of local attention with xpos, beside the
# formula in float64, over sequences in which scales overflow and over short ones.

import pytest
import torch
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.func import grad, hessian, jvp, vjp, vmap

from lattn import nn
from lattn.nn import _eager, _gradients, _segments

WIDE, NARROW = torch.float64, torch.float16
TOLERANCES = {WIDE: 1e-6, torch.float32: 1e-4, torch.bfloat16: 5e-2, NARROW: 1e-2}


@pytest.fixture(autouse=True)
def does_not_warn(recwarn, capfd):
    _gradients.warn.cache_clear()
    yield
    assert capfd.readouterr().err == ""
    assert not [w for w in recwarn if "lattn" in str(w.message)]


def derive(f, arrays, tangents, g):
    every = tuple(range(len(arrays)))
    pull = grad(lambda *x: (f(*x) * g).sum(), every)
    push = lambda *x: jvp(f, x, tangents)[1]
    yield jvp(f, arrays, tangents)
    yield jvp(pull, arrays, tangents)[1]
    yield grad(lambda *x: (push(*x) * g).sum(), every)(*arrays)
    yield jvp(push, arrays, tangents)
    given = [x.clone().requires_grad_() for x in (*arrays, g)]
    first = torch.autograd.grad(f(*given[:-1]), given[:-1], given[-1],
                                create_graph=True)
    yield torch.autograd.grad(
        sum((x * y).sum() for x, y in zip(first, tangents)), given)


def near(found, expected, tolerance):
    for x, y in zip(found, expected, strict=True):
        assert (x.double() - y).abs().max() < tolerance * y.abs().max()


# Blocks of 4 have a base of 2: the kernels take 110 positions at once.
@pytest.mark.parametrize("dtype, window, length, given, options", [
    (torch.float32, 4, 108, (), {"causal": True}),
    (torch.float32, 4, 403, ("mask", "bias"), {"autopad": True}),
    (WIDE, 4, 403, ("bias",), {"autopad": True, "shared_qk": True}),
    (WIDE, 4, 396, ("mask", "call"), {"autopad": True, "causal": True}),
    (WIDE, 8, 640, (), {"look_backward": 2, "xpos_scale_base": -6.,
                        "exact_windowsize": True}),
    (torch.bfloat16, 16, 700, (), {"autopad": True}),
    (NARROW, 16, 700, ("bias",), {"autopad": True, "causal": True})], ids=str)
def test_all(dtype, window, length, given, options):
    torch.manual_seed(0)
    module = nn.LocalAttention(window, dim=8, use_xpos=True, **options)
    call = 6 if "call" in given else None
    o = module.options(8, call)
    q, k, *tangents = torch.randn(4, 2, 2, length, 8).to(dtype)
    v, t, g = torch.randn(3, 2, 2, length, 12).to(dtype)
    arrays, tangents = [q, k, v], [*tangents, t]
    mask = torch.rand(2, length) > 0.3 if "mask" in given else None
    if "bias" in given:
        for x in arrays, tangents:
            x.append(torch.randn(1, o.call_window_size, o.slots))

    def run(q, k, v, bias=None):
        return module(q, k, v, mask=mask, attn_bias=bias, window_size=call)

    def formula(q, k, v, bias=None):
        return _eager.local_attention(q, k, v, mask, bias, *module.rotary_buffers(), o)
    wide = [tuple(x.double() for x in xs) for xs in (arrays, tangents)]
    for found, expected in zip(derive(run, tuple(arrays), tuple(tangents), g),
                               derive(formula, *wide, g.double())):
        near(found, expected, TOLERANCES[dtype])


def test_transforms():
    torch.manual_seed(0)
    module = nn.LocalAttention(4, causal=True, dim=8, use_xpos=True)
    x, t = torch.randn(2, 3, 240, 8, dtype=WIDE)
    run = lambda x: module(x, x * 0.5, x + 1)
    loss = lambda x: run(x).square().sum()
    formula = lambda x: _eager.local_attention(
        *(x[None, :, :] for x in (x, x * 0.5, x + 1)), None, None,
        *module.rotary_buffers(), module.options(8))[0]
    for by in (grad(loss), lambda x: vjp(run, x)[1](t[:1])[0],
               lambda x: jvp(run, (x,), (x * 2,))[1]):
        rows = torch.stack([by(x[i:i + 1]) for i in range(3)])
        torch.testing.assert_close(vmap(by)(x[:, None]), rows)
    with forward_ad.dual_level():
        out = forward_ad.unpack_dual(run(forward_ad.make_dual(x, t)))
    near([out.tangent], [jvp(formula, (x,), (t,))[1]], 1e-6)
    # By a row around which segments meet.
    whole = lambda row, f: f(torch.cat((x[:1, :103], row, x[:1, 104:]), 1))[
        :, 100:112].square().sum()
    near([hessian(lambda row: whole(row, run))(x[:1, 103:104])],
         [hessian(lambda row: whole(row, formula))(x[:1, 103:104])], 1e-6)


def test_segments():
    module = nn.LocalAttention(4, dim=8, use_xpos=True, autopad=True)
    count = lambda length, dropped=False, call=None: _segments.longest(
        module.options(8, call), length, dropped)
    assert count(108) == 108 and count(107) == 108
    # 110 less a block before and one after
    assert count(113) == 100 and count(113, call=6) == 84
    assert count(108, dropped=True) == 108 and count(113, dropped=True) == 0
    module.rel_pos.scale_base = 0.1
    assert count(8) == 0


@pytest.mark.parametrize("use_xpos, length", [(False, 8), (True, 8), (True, 200)])
def test_recorded(use_xpos, length):
    # A recorded program computes the second derivatives of other arrays.
    torch.manual_seed(0)
    module = nn.LocalAttention(4, causal=True, dim=8, use_xpos=use_xpos)
    bias = torch.randn(2, 4, 8)
    x, other = torch.randn(2, 1, 2, length, 8)

    def twice(x, bias):
        given = [y.detach().requires_grad_() for y in (x, bias)]
        out = module(*given[:1] * 3, attn_bias=given[1])
        first, = torch.autograd.grad(out.square().sum(), given[:1], create_graph=True)
        return torch.autograd.grad(first.square().sum(), given)
    graph = make_fx(twice)(x, bias)
    torch.testing.assert_close(graph(other, bias), twice(other, bias))


def test_operator():
    o = nn.LocalAttention(4, causal=True, dim=8).options(8)
    x, bias = torch.randn(1, 2, 8, 8), torch.randn(2, 4, 8)
    for by_bias, given in (True, bias), (False, None):
        torch.library.opcheck(
            torch.ops.lattn.local_attention_grad_grad.default,
            ([x, x, x, bias, *[None] * 4], x, [x, None, x, given], by_bias, *o, 0.0),
            test_utils=("test_schema", "test_faketensor"))
