# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Gradients of lattn.attention where something is wrong or unusual about what
# backward gets.

import pytest
import torch

import lattn
from dense import F64, dense, inputs, leaf


def make():
    q, k, v = (leaf(x) for x in inputs())
    bias = leaf(torch.linspace(-1, 1, 63, dtype=F64).view(7, 9))
    return q, k, v, bias


G = torch.linspace(-1, 1, 2 * 4 * 7 * 8, dtype=F64).view(2, 4, 7, 8)
# Of the output, as values and as they lie in memory.
COTANGENTS = {
    "expanded": G[:, :1, :, :1].expand(2, 4, 7, 8), "one": G[1, 2, 3, 4].expand(
        2, 4, 7, 8),
    "transposed": G.view(7, 8, 2, 4).permute(2, 3, 0, 1),
    "part": torch.cat((G, G), 3)[..., ::2], "flipped": G.flip(1),
    "float32": G.float(), "integers": (9 * G).long(),
    "negative bit": torch.complex(G, G).conj().imag}


@pytest.mark.parametrize("g", COTANGENTS.values(), ids=COTANGENTS)
def test_cotangents(g):
    xs = make()
    out = lattn.attention(*xs[:3], bias=xs[3], causal=True)
    expected, _ = dense(*xs[:3], bias=xs[3], causal=True)
    wanted = torch.autograd.grad(expected, xs, g.to(F64))
    torch.testing.assert_close(torch.autograd.grad(out, xs, g), wanted)


def test_bad_cotangents():
    q, k, v, bias = make()
    out = lattn.attention(q, k, v, bias=bias)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        torch.autograd.grad(out, q, G[:, :, 1:], retain_graph=True)
    with pytest.raises(RuntimeError, match="expected device cpu but got meta"):
        torch.autograd.grad(out, q, G.to("meta"), retain_graph=True)
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        torch.autograd.grad(out, q, retain_graph=True)
    out.sum().backward()
    with pytest.raises(RuntimeError, match="a second time"):
        out.sum().backward()


def test_changed_in_place():
    q, k, v, bias = make()
    mask, slopes = leaf(bias), torch.rand(4, dtype=F64)
    sink, lengths = leaf(slopes), torch.tensor([9, 5])
    for changed in (q, v, bias, mask, slopes, sink, lengths, None):
        out, lse = lattn.attention(
            q, k, v, bias=bias, attn_mask=mask, sink=sink, kv_lengths=lengths,
            score_mod=lambda s, b, h, i, j: s * slopes[h], return_lse=True)
        with torch.no_grad():
            (lse if changed is None else changed).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace"):
            out.sum().backward()


def test_no_calls():
    q, k, v, _ = make()
    with pytest.raises(ValueError, match="vmap: expected at least one call"):
        torch.vmap(lambda q: lattn.attention(q, k, v))(q[None][:0])
