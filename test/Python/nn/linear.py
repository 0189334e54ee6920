# REQUIRES: torch, slow
# RUN: %cached_pytest %s

"""Linear layers with gradients: products of the compiler, against torch's in
float64."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

import lattn
from lattn.nn import LocalMHA, MultiheadAttention, _linear
from lattn.nn._feed_forward import FeedForward, feed_forward

# Rounding of results (bfloat16 2^-9, float16 2^-12), and sums in float32 in
# another order; relative to the largest element.
TOLERANCE = {torch.float32: 2e-6, torch.bfloat16: 6e-3, torch.float16: 1e-3}


def make(rows, width, columns, dtype, bias=False):
    torch.manual_seed(0)
    layer = nn.Linear(width, columns, bias=bias, dtype=dtype)
    return torch.randn(*rows, width, dtype=dtype, requires_grad=True), layer


def check(found, expected, dtype):
    difference = (found.double() - expected).abs().max()
    assert difference <= TOLERANCE[dtype] * expected.abs().max()


def draw_shapes(count):
    random = np.random.default_rng(7)
    for _ in range(count):
        yield (int(random.integers(256, 700)), int(random.integers(1, 300)),
               int(random.integers(1, 300)))


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("rows, width, columns",
                         [(256, 1, 1), (300, 512, 96), (777, 85, 170),
                          *draw_shapes(4)])
def test_values_and_gradients(rows, width, columns, dtype):
    x, layer = make((1, rows), width, columns, dtype)
    assert _linear.fits(x, layer)
    y = _linear.apply(x, layer)
    # A gradient with its axes in another order.
    grad = torch.randn(columns, rows, dtype=dtype).t()[None]
    d_x, d_weight = torch.autograd.grad(y, (x, layer.weight), grad)
    wide = [t.detach().double() for t in (x, layer.weight, grad)]
    check(y, wide[0] @ wide[1].t(), dtype)
    check(d_x, wide[2] @ wide[1], dtype)
    check(d_weight, wide[2][0].t() @ wide[0][0], dtype)


def test_gradients_of_one_of_both():
    x, layer = make((300,), 32, 48, torch.float32)
    expected = torch.autograd.grad(F.linear(x, layer.weight).sum(),
                                   (x, layer.weight))
    for i, kept in enumerate((x, layer.weight)):
        for t in (x, layer.weight):
            t.requires_grad_(t is kept)
        # The gradient of a sum has strides of 0.
        grads = torch.autograd.grad(_linear.apply(x, layer).sum(), kept)
        torch.testing.assert_close(grads[0], expected[i], rtol=1e-5, atol=1e-4)


def test_kernels_compute_them():
    x, layer = make((300,), 32, 48, torch.float32)
    y = _linear.apply(x, layer)
    assert "lattn_linear" in type(y.grad_fn).__name__
    few = _linear.apply(x[:8], layer)
    assert "lattn" not in type(few.grad_fn).__name__
    with torch.autocast("cpu"):
        assert not _linear.fits(x, layer)
    assert not _linear.fits(x, nn.Linear(32, 48, dtype=torch.float64))


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_bias(dtype):
    x, layer = make((2, 300), 33, 47, dtype, bias=True)
    y = _linear.apply(x, layer)
    grad = torch.randn(1, 300, 47, dtype=dtype).expand(2, -1, -1)
    found = torch.autograd.grad(y, (x, layer.weight, layer.bias), grad)
    wide = [t.detach().double().requires_grad_()
            for t in (x, layer.weight, layer.bias)]
    expected = F.linear(*wide)
    check(y, expected.detach(), dtype)
    for a, b in zip(found, torch.autograd.grad(expected, wide, grad.double())):
        check(a, b, dtype)
    with torch.no_grad():
        assert torch.equal(_linear.apply(x, layer), y)
    layer.requires_grad_(False)
    layer.bias.requires_grad_(True)
    d_bias, = torch.autograd.grad(_linear.apply(x.detach(), layer), layer.bias,
                                  grad)
    assert torch.equal(d_bias, found[2])


def test_multihead_attention_uses_them(monkeypatch):
    torch.manual_seed(4)
    args = SimpleNamespace(multiway=False, xpos_rel_pos=False)
    module = MultiheadAttention(args, 64, 4, self_attention=True)
    x, calls = torch.randn(1, 300, 64, requires_grad=True), []
    inputs = (x, *module.parameters())

    def run():
        out, _ = module(x, x, x, need_weights=False)
        return torch.autograd.grad(out.pow(2).sum(), inputs)
    found = run()
    fits = _linear.fits
    monkeypatch.setattr(_linear, "fits",
                        lambda *a: calls.append(fits(*a)) or False)
    for a, b in zip(found, run()):
        torch.testing.assert_close(a, b, rtol=2e-4, atol=2e-4)
    assert calls == [True] * 4


def test_hooks_run():
    x, layer = make((300,), 32, 48, torch.float32)
    calls = []
    layer.register_forward_hook(lambda *_: calls.append(1))
    _linear.apply(x, layer)
    assert calls == [1]


def test_second_derivatives():
    x, layer = make((256,), 3, 2, torch.float32)

    def second(run):
        y = run(x, layer.weight)
        first, = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True)
        return torch.autograd.grad(first.pow(2).sum(), (x, layer.weight))
    found = second(lambda x, _: _linear.apply(x, layer))
    for a, b in zip(found, second(F.linear)):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)


def test_transforms():
    x, layer = make((256,), 8, 4, torch.float32)
    x, weight = x.detach(), layer.weight.detach()
    out, tangent = torch.func.jvp(lambda x: _linear.apply(x, layer), (x,),
                                  (torch.ones_like(x),))
    torch.testing.assert_close(out, F.linear(x, weight))
    torch.testing.assert_close(tangent, F.linear(torch.ones_like(x), weight))


def test_threads_do_not_change_bits():
    x, layer = make((1000,), 130, 70, torch.float32)
    grad = torch.randn(1000, 70)
    before, results = lattn.get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            lattn.set_num_threads(threads)
            y = _linear.apply(x, layer)
            results.append((y, *torch.autograd.grad(y, (x, layer.weight), grad)))
    finally:
        lattn.set_num_threads(before)
    for result in results[1:]:
        assert all(map(torch.equal, results[0], result))


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_feed_forward_has_the_gradients_of_its_parts(dropout):
    torch.manual_seed(1)
    module = feed_forward(64, dropout=dropout)
    x = torch.randn(1, 300, 64, requires_grad=True)

    def run(call):
        torch.manual_seed(2)
        out = call(module, x)
        return out, *torch.autograd.grad(out.pow(2).sum(),
                                         (x, *module.parameters()))
    found = run(FeedForward.forward)
    node = found[0].grad_fn
    assert "lattn_linear" in type(node).__name__
    for a, b in zip(found, run(nn.Sequential.forward)):
        torch.testing.assert_close(a, b, rtol=2e-4, atol=2e-4)


def test_a_module_has_the_gradients_of_torch():
    torch.manual_seed(3)
    module = LocalMHA(dim=64, window_size=32, heads=2, dim_head=32, causal=True,
                      prenorm=True)
    x = torch.randn(1, 320, 64, requires_grad=True)
    inputs = (x, *(p for p in module.parameters() if p.requires_grad))

    def run(fits):
        original, _linear.fits = _linear.fits, fits
        try:
            return torch.autograd.grad(module(x).pow(2).sum(), inputs)
        finally:
            _linear.fits = original
    for a, b in zip(run(_linear.fits), run(lambda *_: False)):
        torch.testing.assert_close(a, b, rtol=2e-4, atol=2e-4)
