# REQUIRES: slow
# RUN: %cached_pytest %s

# Shapes, strides and types of LocalAttention against its definition in torch.

import functools

import pytest
import torch

from lattn import nn
from lattn.nn import _eager, _ops


def check(monkeypatch, module, *args, tolerance=1e-5, **options):
    """The result, which is also the definition's on contiguous inputs."""
    out = module(*args, **options)

    def eager(q, k, v, mask, bias, inv_freq, scales, *rest):
        q, k, v = (x.contiguous() for x in (q, k, v))
        return _eager.local_attention(q, k, v, mask, bias, inv_freq, scales,
                                      _ops.Options(*rest))
    with monkeypatch.context() as patch:
        patch.setattr(_ops, "local_attention", eager)
        expected = module(*args, **options)
    assert out.dtype == expected.dtype
    torch.testing.assert_close(out, expected, rtol=tolerance, atol=tolerance)
    return out


def tensors(*lead, length=8, size=4, value_size=4, dtype=torch.float32):
    torch.manual_seed(0)
    return [torch.randn(*lead, length, n, dtype=dtype)
            for n in (size, size, value_size)]


@pytest.mark.parametrize("lead", [(), (1,), (3,), (2, 3), (2, 3, 2), (0,),
                                  (2, 0), (0, 3)])
def test_leading_axes(monkeypatch, lead):
    q, k, v = tensors(*lead, value_size=3)
    module = nn.LocalAttention(4, dim=4)
    assert check(monkeypatch, module, q, k, v).shape == (*lead, 8, 3)


def test_different_leading_axes(monkeypatch):
    q, k, v = tensors(2, 3)
    module = nn.LocalAttention(4)
    expected = module(q, k, v)
    assert torch.equal(module(q, k.flatten(0, 1), v), expected)
    one = check(monkeypatch, module, q, k[:1, :1], v[:1, 0])
    assert torch.allclose(one, module(q, k[:1, :1].expand(2, 3, -1, -1),
                                      v[:1, :1].expand(2, 3, -1, -1)))


@pytest.mark.parametrize("rows", [1, 2, 3, 6])
@pytest.mark.parametrize("heads", [1, 2, 3, 6])
@pytest.mark.parametrize("lead", [(2, 3), (6,), (1, 6), (6, 1)])
def test_masks_and_heads_of_bias(monkeypatch, rows, heads, lead):
    q, k, v = tensors(*lead)
    module = nn.LocalAttention(4, causal=True)
    mask = torch.rand(rows, 8) < 0.7
    bias = torch.randn(heads, 4, 8)
    out = check(monkeypatch, module, q, k, v, mask=mask, attn_bias=bias)
    # Sequence s takes row s // (6 / rows) of the mask, head s mod heads.
    q, k, v = (x.reshape(6, 1, 8, 4) for x in (q, k, v))
    for s in range(6):
        row, head = s // (6 // rows), s % heads
        one = module(q[s], k[s], v[s], mask=mask[row:row + 1],
                     attn_bias=bias[head:head + 1])
        torch.testing.assert_close(out.reshape(6, 1, 8, 4)[s], one)


def test_empty_batch():
    q, k, v = tensors(0, 2)
    mask = torch.ones(0, 8, dtype=torch.bool)
    out = nn.LocalAttention(4)(q, k, v, mask=mask,
                               attn_bias=torch.zeros(2, 4, 12))
    assert out.shape == (0, 2, 8, 4)
    x = torch.zeros(0, 9, 8, requires_grad=True)
    module = nn.LocalMHA(dim=8, window_size=4, heads=2, causal=True)
    out, cache = module(x, mask=mask[:, :1].expand(0, 9), return_cache=True)
    out.sum().backward()
    assert out.shape == x.grad.shape == x.shape
    assert module(x[:, :1], cache=cache).shape == (0, 1, 8)


def test_mask_of_rank_3(monkeypatch):
    q, k, v = tensors(2, 3)
    mask = torch.rand(2, 8) < 0.5
    module = nn.LocalAttention(4)
    assert torch.equal(check(monkeypatch, module, q, k, v, mask=mask[:, None]),
                       module(q, k, v, input_mask=mask))


@pytest.mark.parametrize("bias", [(2, 4, 12), (2, 1, 12), (2, 4, 1), (1, 1, 1)])
def test_bias_repeats(monkeypatch, bias):
    check(monkeypatch, nn.LocalAttention(4), *tensors(2, 2),
          attn_bias=torch.randn(bias))


def test_lengths_that_pad_alike(monkeypatch):
    q, k, v = tensors(2, length=7)
    module = nn.LocalAttention(4, causal=True, autopad=True)
    for lengths in [(7, 6, 7), (5, 7, 6), (6, 5, 5)]:
        given = [x[:, :n] for x, n in zip((q, k, v), lengths)]
        out = check(monkeypatch, module, *given)
        assert out.shape == (2, lengths[0], 4)
    check(monkeypatch, module, q, k, v, mask=torch.rand(2, 6) < 0.7)


def test_strides(monkeypatch):
    packed = torch.randn(2, 9, 3, 4, 8)
    q, k, v = (x.transpose(1, 2) for x in packed.unbind(2))
    module = nn.LocalAttention(4, dim=8, autopad=True, causal=True)
    out = check(monkeypatch, module, q, k, v)
    # Heads merge without a copy.
    assert out.transpose(1, 2).is_contiguous()
    wide = torch.randn(2, 9, 16)[..., ::2]
    check(monkeypatch, module, wide, wide.flip(1), wide)
    expanded = wide[:1].expand(2, 9, 8)
    check(monkeypatch, module, expanded, expanded, expanded)


@pytest.mark.parametrize("dtype, tolerance", [
    (torch.float64, 1e-12), (torch.bfloat16, 1e-2), (torch.float16, 2e-3)])
@pytest.mark.parametrize("options", [
    {}, {"dim": 8}, {"dim": 8, "use_xpos": True, "shared_qk": True}], ids=str)
def test_types(monkeypatch, dtype, tolerance, options):
    module = nn.LocalAttention(4, **options).to(dtype)
    q, k, v = tensors(2, size=8, dtype=dtype)
    # A wider bias is rounded to the scores' type.
    wide = torch.float64 if len(options) == 1 else dtype
    bias = torch.randn(1, 4, 12, dtype=wide) if options else None
    out = check(monkeypatch, module, q, k, v, attn_bias=bias,
                tolerance=tolerance)
    assert out.dtype == dtype


def test_xpos_stays_finite(monkeypatch):
    # Also where positions are large: scales depend on differences.
    q, k, v = tensors(1, length=65536, dtype=torch.bfloat16)
    module = nn.LocalAttention(64, causal=True, dim=4, use_xpos=True)
    assert check(monkeypatch, module, q, k, v, tolerance=2e-2).isfinite().all()


@pytest.mark.parametrize("options", [{}, {"qk_rmsnorm": True}], ids=str)
def test_autocast(options):
    module = nn.LocalMHA(dim=8, window_size=4, dim_head=4, heads=2, causal=True,
                         prenorm=True, **options).eval()
    x = torch.randn(2, 9, 8)
    close = functools.partial(torch.testing.assert_close, rtol=4e-2, atol=4e-2)
    with torch.no_grad():
        expected = module(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = module(x)
            _, cache = module(x[:, :8], return_cache=True)
            last = module(x[:, 8:], cache=cache)
            heads = module.attn_fn(*torch.randn(3, 2, 9, 4).unbind())
        assert out.dtype == heads.dtype == cache.dtype == torch.bfloat16
        close(out.float(), expected)
        close(last.float(), expected[:, 8:])
        close(module.bfloat16()(x.bfloat16()).float(), expected)
