# REQUIRES: slow
# RUN: %pytest %s

# Cached decoding gives what the whole sequence gives, within the window's memory.

import copy
import itertools

import pytest
import torch

from lattn import nn
from lattn.nn import _cache

DIM, WINDOW, HEADS, SIZE = 8, 3, 2, 4
OPTIONS = [
    {}, {"exact_windowsize": False}, {"look_backward": 0}, {"look_backward": 3},
    {"exact_windowsize": False, "look_backward": 0},
    {"exact_windowsize": False, "look_backward": 2, "use_xpos": True},
    {"use_xpos": True}, {"use_xpos": True, "xpos_scale_base": 7},
    {"use_xpos": True, "xpos_scale_base": 0.05, "exact_windowsize": False},
    {"use_rotary_pos_emb": False}, {"qk_rmsnorm": True, "qk_scale": 3},
    {"shared_qk": True}, {"shared_qk": True, "use_rotary_pos_emb": False},
    {"shared_qk": True, "look_backward": 0},
    {"gate_values_per_head": True, "prenorm": True},
    {"qk_rmsnorm": True, "shared_qk": True, "use_xpos": True,
     "exact_windowsize": False}]


def make(dtype=torch.float32, **options):
    torch.manual_seed(0)
    module = nn.LocalMHA(dim=DIM, window_size=WINDOW, heads=HEADS,
                         dim_head=SIZE, causal=True, **options)
    return module.to(dtype).eval().requires_grad_(False)


def decode(module, x, prefill, bias=None, between=lambda cache: cache):
    """Outputs of all positions, those after `prefill` one by one."""
    out, cache = module(x[:, :prefill], attn_bias=bias, return_cache=True)
    outs, span = [out], module.attn_fn.look_backward * WINDOW
    for i in range(prefill, x.shape[1]):
        assert cache.shape[:3] == (2, len(x), HEADS)
        assert cache.shape[3] <= span + (1 if module.exact_windowsize else WINDOW)
        out, cache = module(x[:, i:i + 1], attn_bias=bias, return_cache=True,
                            cache=between(cache))
        outs.append(out)
    return torch.cat(outs, dim=1)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("biased", [False, True])
def test_equals_whole(options, biased):
    module = make(**options)
    slots = (module.attn_fn.look_backward + 1) * WINDOW
    bias = torch.randn(HEADS, WINDOW, slots) if biased else None
    x = torch.randn(2, 23, DIM)
    expected = module(x, attn_bias=bias)
    for prefill in (1, 2, 3, 7, 11):
        torch.testing.assert_close(decode(module, x, prefill, bias), expected,
                                   rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype, tolerance", [
    (torch.float64, 1e-12), (torch.bfloat16, 3e-2), (torch.float16, 4e-3)])
@pytest.mark.parametrize("options", [{}, {"use_rotary_pos_emb": False}], ids=str)
def test_types(dtype, tolerance, options):
    module = make(dtype, **options)
    x = torch.randn(1, 14, DIM, dtype=dtype)
    got = decode(module, x, 5)
    assert got.dtype == dtype
    torch.testing.assert_close(got, module(x), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_copied_caches(options):
    # A copy is as good, where the bias depends on distances only.
    module, x = make(**options), torch.randn(1, 17, DIM)
    slots = (module.attn_fn.look_backward + 1) * WINDOW
    bias = nn.DynamicPositionBias(4, HEADS)(WINDOW, slots).detach()
    for between in (torch.clone, tuple, copy.deepcopy):
        torch.testing.assert_close(
            decode(module, x, 4, bias, between), module(x, attn_bias=bias),
            rtol=1e-5, atol=1e-5)


def test_branches():
    # Two continuations of one cache; the older one is not written over.
    module, x = make(look_backward=3), torch.randn(1, 16, DIM)
    _, cache = module(x[:, :7], return_cache=True)
    _, cache = module(x[:, 7:8], cache=cache, return_cache=True)
    before = cache.clone()
    outs = []
    for first in (8, 12):
        tokens = torch.cat((x[:, :8], x[:, first:first + 4]), dim=1)
        branch = cache
        for i in range(8, 12):
            out, branch = module(tokens[:, i:i + 1], cache=branch,
                                 return_cache=True)
        torch.testing.assert_close(out, module(tokens)[:, -1:], rtol=1e-5,
                                   atol=1e-5)
        outs.append(out)
    assert torch.equal(cache, before)
    assert not torch.equal(*outs)


def test_no_copy_each_step():
    module, x = make(look_backward=4), torch.randn(1, 200, DIM)
    _, cache = module(x[:, :1], return_cache=True)
    buffers = set()
    for i in range(1, 200):
        _, cache = module(x[:, i:i + 1], cache=cache, return_cache=True)
        ring = _cache.get_state(cache).ring
        assert cache.untyped_storage().data_ptr() == ring.buffer.data_ptr()
        buffers.add(ring)
    longest = _cache.longest(ring.options)
    assert ring.buffer.shape[3] == 2 * longest
    assert len(buffers) <= 2 + 200 // longest


def test_gradients_through_a_cache():
    module = make(torch.float64).requires_grad_()
    x = torch.randn(1, 9, DIM, dtype=torch.float64)
    parts = []
    for out in (module(x), decode(module, x, 4)):
        module.zero_grad()
        out.square().sum().backward()
        parts.append([p.grad.clone() for p in module.parameters()])
    for got, expected in zip(*parts):
        torch.testing.assert_close(got, expected)


def test_modes():
    module, x = make(), torch.randn(1, 12, DIM)
    modes = itertools.cycle([torch.inference_mode, torch.no_grad])

    def step(i, cache):
        with next(modes)():
            return module(x[:, i:i + 1], cache=cache, return_cache=True)
    _, cache = module(x[:, :1], return_cache=True)
    for i in range(1, 12):
        out, cache = step(i, cache)
    torch.testing.assert_close(out, module(x)[:, -1:], rtol=1e-5, atol=1e-5)


def test_wrong_caches():
    module, x = make(), torch.randn(2, 4, DIM)
    _, cache = module(x, return_cache=True)
    for wrong in (cache[:, :1], cache.double(), cache[..., :2], cache[:1]):
        with pytest.raises(RuntimeError, match="cache: expected"):
            module(x[:, :1], cache=wrong)
    with pytest.raises(AssertionError):
        module(x[:, :2], cache=cache)
    with pytest.raises(AssertionError):
        module(x[:, :1], cache=cache, attn_bias=torch.zeros(HEADS, WINDOW, 4))
