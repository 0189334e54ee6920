# REQUIRES: slow
# RUN: %cached_pytest %s

# Dropout: Philox's numbers, which weights they drop, and that torch's generator
# seeds them.

from types import SimpleNamespace

import pytest
import torch

from lattn import nn
from lattn.nn import _dropout, _eager, _multihead, _ops, _philox

WORD = 0xFFFFFFFF


@pytest.mark.parametrize("counter, key, expected", [
    # Known answers of the Random123 library.
    ((0, 0, 0, 0), (0, 0), (0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8)),
    ((WORD,) * 4, (WORD,) * 2,
     (0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd)),
    ((0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
     (0xa4093822, 0x299f31d0), (0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1)),
])
def test_philox(counter, key, expected):
    seed = key[0] | key[1] << 32
    seed = torch.tensor(seed - (seed >> 63 << 64))
    words = _philox.words(seed, counter[0],
                          *(torch.tensor(x) for x in counter[1:]))
    assert words.tolist() == list(expected)


def test_kept_weights():
    # Word j mod 4 of the counter (0, row, query, j / 4), as docs/spec.md says.
    seed, p = torch.tensor(12345), 0.3
    kept = _philox.keep(seed, p, torch.tensor(5), torch.arange(7)[:, None],
                        torch.arange(11))
    for i in range(7):
        for j in range(11):
            words = _philox.words(seed, 0, torch.tensor(5), torch.tensor(i),
                                  torch.tensor(j // 4))
            r = words[j % 4].item()
            assert kept[i, j] == ((r >> 8) * 2.0 ** -24 >= p)


def make(p):
    torch.manual_seed(0)
    return nn.LocalAttention(8, causal=True, dropout=p, dim=4)


def make_multihead(size=4):
    args = SimpleNamespace(multiway=False, xpos_rel_pos=False)
    torch.manual_seed(0)
    return nn.MultiheadAttention(args, size, 2, dropout=0.5,
                                 self_attention=True)


def test_local_attention():
    # Ones as values: outputs are the sums of the weights that stay.
    q, k = torch.randn(2, 2, 64, 4), torch.randn(2, 2, 64, 4)
    v = torch.ones(2, 2, 64, 4)
    module = make(0.25)
    out = module(q, k, v)
    assert abs(out.mean() - 1) < 0.05 and out.std() > 0.1
    torch.manual_seed(7)
    first, second = module(q, k, v), module(q, k, v)
    torch.manual_seed(7)
    assert torch.equal(module(q, k, v), first)
    assert not torch.equal(first, second)
    assert torch.allclose(module.eval()(q, k, v), v)


def test_masks_and_bias():
    # A row of the mask may end within a set of heads of the bias.
    module, v = make(0.5), torch.ones(6, 16, 4)
    mask = torch.ones(3, 16, dtype=torch.bool)
    out = module(v, v, v, mask=mask, attn_bias=torch.randn(6, 8, 16))
    assert out.shape == v.shape and out.std() > 0.1


def test_extremes():
    x = torch.randn(1, 16, 4, requires_grad=True)
    out = make(1.0)(x, x, x)
    assert (out == 0).all()
    out.sum().backward()
    assert (x.grad == 0).all()
    torch.testing.assert_close(make(1e-9)(x, x, x), make(0.0)(x, x, x))


def test_gradients():
    module = make(0.5)
    q, k, v = (torch.randn(1, 16, 4, dtype=torch.float64, requires_grad=True)
               for _ in "qkv")

    def seeded(*args):
        torch.manual_seed(1)
        return module(*args)
    assert torch.autograd.gradcheck(seeded, (q, k, v), fast_mode=True)


def test_kernels_drop_the_same():
    # What the backward pass recomputes is what the kernel did.
    q, k, v = torch.randn(3, 2, 3, 21, 8).unbind()
    bias, seed = torch.randn(21, 21), torch.tensor(-5)
    out = _multihead.attention(q, k, v, bias, None, seed, False, 0.4)
    stored = _multihead.weights(q, k, bias, None, False)
    expected = _dropout.weights(stored, 0.4, seed) @ v
    torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("options", [
    dict(causal=True, dim=8), dict(exact_windowsize=True, look_forward=2),
    dict(shared_qk=True, causal=True)])
@pytest.mark.parametrize("given", [(), ("mask",), ("mask", "bias")])
def test_local_kernels_drop_the_same(options, given):
    # Empty rows, padding, and slots before the sequence included.
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 4, 21, 8).unbind()
    o = nn.LocalAttention(4, autopad=True, **options).options(8)
    mask = bias = None
    if "mask" in given:
        mask = torch.rand(2, 21) < 0.5
        mask[0, 4:17] = mask[1] = False
    if "bias" in given:
        bias = torch.randn(2, 4, o.slots)
        bias[0, 1] = -torch.inf
    seed = torch.tensor(-5)
    out = _ops.local_attention(q, k, v, mask, bias, None, None, *o, seed,
                               0.4)
    expected = _eager.local_attention(q, k, v, mask, bias, None, None, o,
                                      _dropout.in_blocks(q, 0.4, seed))
    torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5,
                               equal_nan=True)


def test_multihead_attention():
    module = make_multihead(8)
    x = torch.randn(2, 6, 8)
    torch.manual_seed(3)
    first, weights = module(x, x, x)
    torch.manual_seed(3)
    assert torch.equal(module(x, x, x)[0], first)
    assert not torch.equal(module(x, x, x)[0], first)
    torch.manual_seed(3)
    x = x.requires_grad_()
    direction = torch.randn(2, 6, 8)
    step = 1e-2 * torch.randn(2, 6, 8)
    torch.manual_seed(3)
    (module(x, x, x)[0] * direction).sum().backward()
    values = []
    for sign in (1, -1):
        torch.manual_seed(3)
        moved = (x + sign * step).detach()
        values.append((module(moved, moved, moved)[0] * direction).sum().item())
    slope = (x.grad * step).sum().item() * 2
    assert abs(values[0] - values[1] - slope) < 1e-2 * (1e-2 + abs(slope))
    # The weights that are returned are those before dropout.
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 6))
    torch.testing.assert_close(module.eval()(x, x, x)[1], weights)


def test_local_mha_has_none():
    module = nn.LocalMHA(dim=8, window_size=4, dropout=0.9)
    x = torch.randn(1, 8, 8)
    assert torch.equal(module(x), module.eval()(x))
