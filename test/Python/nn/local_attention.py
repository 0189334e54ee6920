# REQUIRES: slow
# RUN: %cached_pytest %s

# LocalAttention: what the package computed, and its gradients.

import warnings

import pytest
import torch

import golden
from lattn import nn
from lattn.nn import _eager, _gradients, _ops



@pytest.mark.parametrize("name", golden.names("local_attention"))
def test_golden(name):
    case = golden.Case(name)
    module = nn.LocalAttention(**case.options["ctor"]).eval()
    out = module(*(case.tensor(n) for n in "qkv"), mask=case.tensor("mask"),
                 attn_bias=case.tensor("attn_bias"), **case.options["forward"])
    assert out.dtype == case.dtype
    case.check("out", out)
    case.check_gradients(out)


@pytest.mark.parametrize("name", golden.names("local_attention"))
def test_eager(name, monkeypatch):
    # The definition in torch's operations, which gradients come from.
    monkeypatch.setattr(
        _ops, "local_attention",
        lambda *a: _eager.local_attention(*a[:7], _ops.Options(*a[7:])))
    test_golden(name)


def test_second_derivatives_warn_once():
    # Where no kernel computes them.
    _gradients.warn.cache_clear()
    module = nn.LocalAttention(4, dim=4, use_xpos=True, xpos_scale_base=0.2)

    def differentiate_twice():
        x = torch.randn(1, 12, 4, requires_grad=True)
        out = module(x, x, x).square().sum()
        once, = torch.autograd.grad(out, x, create_graph=True)
        once.sum().backward()
    with pytest.warns(UserWarning, match="no kernel for derivatives of xpos"):
        differentiate_twice()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        differentiate_twice()


@pytest.mark.parametrize("dropout", [0, 0.5])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_do_not_warn(biased, masked, dropout):
    _gradients.warn.cache_clear()
    module = nn.LocalAttention(4, dim=4, use_xpos=True, dropout=dropout)
    bias = torch.randn(1, 4, 12, requires_grad=True) if biased else None
    mask = torch.arange(8)[None] < 7 if masked else None
    x = torch.randn(1, 8, 4, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module(x, x, x, attn_bias=bias, mask=mask).sum().backward()


def test_one_tensor_for_all():
    # The gradient of x is the sum of those of q, k and v.
    module = nn.LocalAttention(4, causal=True, dim=4)
    x = torch.randn(1, 1, 8, 4, dtype=torch.float64, requires_grad=True)
    parts = [x.detach().clone().requires_grad_() for _ in "qkv"]
    module(x, x, x).square().sum().backward()
    module(*parts).square().sum().backward()
    assert torch.allclose(x.grad, sum(p.grad for p in parts))


def test_second_derivatives():
    module = nn.LocalAttention(2, causal=True, dim=2, exact_windowsize=True)
    q, k, v = (torch.randn(1, 4, 2, dtype=torch.float64, requires_grad=True)
               for _ in "qkv")
    assert torch.autograd.gradcheck(module, (q, k, v))
    assert torch.autograd.gradgradcheck(module, (q, k, v))


def test_learned_scale():
    scale = torch.nn.Parameter(torch.tensor(0.7, dtype=torch.float64))
    q, k, v = torch.randn(3, 1, 8, 4, dtype=torch.float64).unbind()
    fixed = nn.LocalAttention(4, scale=0.7)(q, k, v)
    learned = nn.LocalAttention(4, scale=scale)(q, k, v)
    torch.testing.assert_close(learned, fixed)
    learned.sum().backward()
    assert scale.grad.abs() > 0
