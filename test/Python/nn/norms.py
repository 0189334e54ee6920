# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Norms as kernels: values and gradients against torch in float64.

import lattn
import pytest
import torch
from lattn.nn import _norms
from torch import nn
from torch.nn import functional as F

TOLERANCES = {torch.float32: 1e-5, torch.bfloat16: 2e-2, torch.float16: 2e-3}
SHAPES = [(300, 512), (1, 7), (3, 130, 48), (2, 5, 1), (260, 33)]


def make(shape, kind, biased, seed):
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.randn(shape, generator=generator).to(kind).requires_grad_()
    # The mean is larger than the differences from it.
    x = (draw(*shape).detach() + 5).requires_grad_()
    return x, draw(shape[-1]), draw(shape[-1]) if biased else None


def formula(x, gain, bias, centered, added):
    if centered:
        return F.layer_norm(x, x.shape[-1:], gain + added, bias, 1e-3)
    y = F.rms_norm(x, x.shape[-1:], gain + added, 1e-3)
    return y if bias is None else y + bias


def close(found, expected, kind):
    for x, y in zip(found, expected, strict=True):
        assert x.dtype == kind
        tolerance = TOLERANCES[kind]
        torch.testing.assert_close(x.double(), y, rtol=tolerance, atol=tolerance * (
            1 + y.abs().max().item()))


@pytest.mark.parametrize("kind", TOLERANCES, ids=str)
@pytest.mark.parametrize("number, centered, added, biased", [
    (0, False, 0.0, False), (1, False, 1.0, False), (2, True, 0.0, True),
    (3, True, 0.0, False), (4, False, 0.5, True)])
def test_gradients(kind, number, centered, added, biased):
    number += list(TOLERANCES).index(kind)
    for seed in number, number + 2:
        shape = SHAPES[seed % len(SHAPES)]
        xs = [x for x in make(shape, kind, biased, seed) if x is not None]
        wide = [x.detach().double().requires_grad_() for x in xs]
        assert _norms.fits(*xs)
        out = _norms.compute(xs[0], xs[1], 1e-3, bias=xs[2] if biased else None,
                             centered=centered, added=added)
        expected = formula(wide[0], wide[1], wide[2] if biased else None, centered,
                           added)
        grad = torch.randn(shape, generator=torch.Generator().manual_seed(9))
        close([out], [expected], kind)
        found = torch.autograd.grad(out, xs, grad.to(kind))
        close(found, torch.autograd.grad(expected, wide, grad.to(kind).double()),
              kind)
        with torch.no_grad():
            again = _norms.compute(
                xs[0], xs[1], 1e-3, bias=xs[2] if biased else None,
                centered=centered, added=added)
        assert torch.equal(again, out)


def test_some_gradients():
    x, gain, bias = make((64, 32), torch.float32, True, 0)
    every = torch.autograd.grad(
        _norms.compute(x, gain, 1e-3, bias=bias, centered=True).sin().sum(),
        (x, gain, bias))
    for i in range(3):
        given = [t if i == j else t.detach() for j, t in enumerate((x, gain, bias))]
        out = _norms.compute(*given[:2], 1e-3, bias=given[2], centered=True)
        found, = torch.autograd.grad(out.sin().sum(), given[i])
        torch.testing.assert_close(found, every[i])


def test_order_of_axes():
    """Heads that were split and swapped with positions, as of a projection."""
    x, gain, _ = make((2, 9, 4, 16), torch.float32, False, 0)
    out = _norms.compute(x.transpose(1, 2), gain, 1e-3)
    assert out.stride() == x.transpose(1, 2).stride()
    expected = F.rms_norm(x.transpose(1, 2), (16,), gain, 1e-3)
    torch.testing.assert_close(out, expected)
    torch.testing.assert_close(torch.autograd.grad(out.sin().sum(), (x, gain)),
                               torch.autograd.grad(expected.sin().sum(), (x, gain)))


def test_second_derivatives():
    x, gain, bias = make((5, 8), torch.float32, True, 0)
    for centered in (False, True):
        def twice(function, xs):
            first = torch.autograd.grad(function(*xs).sin().sum(), xs,
                                        create_graph=True)
            return torch.autograd.grad(sum(g.square().sum() for g in first), xs)
        found = twice(lambda x, g, b: _norms.compute(
            x, g, 1e-3, bias=b, centered=centered), (x, gain, bias))
        wide = [t.detach().double().requires_grad_() for t in (x, gain, bias)]
        expected = twice(lambda x, g, b: formula(x, g, b, centered, 0.0), wide)
        for a, b in zip(found, expected):
            torch.testing.assert_close(a.double(), b, rtol=1e-3, atol=1e-3)


def test_threads():
    """The same bits for each number of threads."""
    before, found = lattn.get_num_threads(), []
    x, gain, bias = make((3000, 96), torch.float32, True, 0)
    for count in (1, 2, 3):
        lattn.set_num_threads(count)
        out = _norms.compute(x, gain, 1e-3, bias=bias, centered=True)
        found.append((out, *torch.autograd.grad(out.sin().sum(), (x, gain, bias))))
    lattn.set_num_threads(before)
    for other in found[1:]:
        assert all(map(torch.equal, found[0], other))


@pytest.mark.parametrize("kind", TOLERANCES, ids=str)
def test_modules(kind, monkeypatch):
    """Layer norms of narrow types are kernels; torch computes what it computes faster,
    and layers with hooks."""
    calls = []
    compute = _norms.compute
    monkeypatch.setattr(_norms, "compute",
                        lambda *xs, **o: calls.append(xs) or compute(*xs, **o))
    layer = nn.LayerNorm(64).to(kind)
    nn.init.normal_(layer.bias)
    x = torch.randn(2, 256, 64).to(kind).requires_grad_()
    out = _norms.apply(x, layer)
    assert len(calls) == (kind != torch.float32)
    close([out], [layer.double()(x.double())], kind)
    layer.to(kind).register_forward_hook(lambda *_: torch.zeros(()))
    calls.clear()
    assert _norms.apply(x, layer).shape == () and not calls
