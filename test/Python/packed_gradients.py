# REQUIRES: slow, torch
# RUN: %cached_pytest %s

# Gradients and tangents of packed sequences, against torch's in float64 of one
# sequence after the other.

import numpy as np
import pytest
import torch

import lattn

LENGTHS = [([5, 0, 70, 17], [9, 4, 90, 17]), ([150], [150]), ([1, 1, 3], [0, 20, 2]),
           ([30, 30], [64, 64])]


def attend(q, k, v, slopes, sink, left):
    """One sequence; (heads, rows, size)."""
    group = q.shape[0] // k.shape[0]
    k, v = (x.repeat_interleave(group, 0) for x in (k, v))
    n, m = q.shape[1], k.shape[1]
    i, j = torch.arange(n)[:, None], torch.arange(m)
    scores = q @ k.transpose(1, 2) * q.shape[2] ** -0.5 + slopes[:, None, None] * (j - i)
    distance = i + m - n - j
    scores = scores.masked_fill((distance < 0) | (distance > left), -torch.inf)
    scores = torch.cat([scores, sink[:, None, None].expand(-1, n, 1)], 2)
    return scores.softmax(2)[..., :m] @ v, scores.logsumexp(2)


def expect(q, k, v, slopes, sink, lengths, keys, left):
    parts = [attend(*(x.squeeze(0) for x in rows), slopes, sink, left)
             for rows in zip(q.split(lengths, 2), k.split(keys, 2), v.split(keys, 2))]
    return tuple(torch.cat(x, 1)[None] for x in zip(*parts))


def get_borders(lengths, kind):
    return torch.tensor([0, *np.cumsum(lengths)], dtype=kind)


@pytest.mark.parametrize("layout", ["bhnd", "bnhd"])
@pytest.mark.parametrize("lengths, keys", LENGTHS)
@pytest.mark.parametrize("kind, tolerance", [(torch.float64, 1e-11),
                                             (torch.float32, 2e-4)])
def test_derivatives(lengths, keys, kind, tolerance, layout):
    torch.manual_seed(0)
    wide = torch.float64
    given = [torch.randn(1, 4, sum(lengths), 16, dtype=wide),
             torch.randn(1, 2, sum(keys), 16, dtype=wide),
             torch.randn(1, 2, sum(keys), 8, dtype=wide),
             torch.rand(4, dtype=wide), torch.randn(4, dtype=wide)]
    tangents = tuple(torch.randn_like(x) for x in given)

    def own(q, k, v, slopes, sink):
        def turn(x):
            return x.transpose(1, 2) if layout == "bnhd" else x

        output, lse = lattn.attention(
            turn(q), turn(k), turn(v), window=(20, 0), sink=sink, layout=layout,
            score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i),
            cu_seqlens_q=get_borders(lengths, torch.int32),
            cu_seqlens_k=get_borders(keys, torch.int64), return_lse=True)
        return turn(output), lse

    def oracle(*x):
        return expect(*x, lengths, keys, 20)

    found = []
    for function, element in ((own, kind), (oracle, wide)):
        x = tuple(t.to(element).requires_grad_() for t in given)
        results = function(*x)
        torch.manual_seed(1)
        weights = [torch.randn(y.shape, dtype=wide) for y in results]
        gradients = torch.autograd.grad(results, x,
                                        [w.to(element) for w in weights])
        _, tangent = torch.func.jvp(function, tuple(t.detach() for t in x),
                                    tuple(t.to(element) for t in tangents))
        found.append([*results, *gradients, *tangent])
    for i, (a, b) in enumerate(zip(*found)):
        torch.testing.assert_close(a.to(wide), b, rtol=tolerance, atol=tolerance,
                                   msg=lambda text, i=i: f"result {i}: {text}")


def test_dropout_drops_the_same():
    torch.manual_seed(0)
    q = torch.randn(1, 2, 50, 8, requires_grad=True)
    v = torch.eye(8).repeat(1, 2, 7, 1)[:, :, :50].contiguous().requires_grad_()
    borders = get_borders([20, 30], torch.int32)

    def attend(v):
        return lattn.attention(q, q, v, cu_seqlens_q=borders, cu_seqlens_k=borders,
                               dropout_p=0.4, seed=3)

    # The output is linear in v.
    output = attend(v)
    gradient, = torch.autograd.grad(output.sum(), v)
    torch.testing.assert_close((gradient * v).sum(), output.sum(), rtol=1e-4,
                               atol=1e-4)


def test_compiled_by_torch():
    """In one graph with its gradients, for any borders. The gradients of a tensor that
    is query, key and value are all there."""
    borders = [get_borders([4, 6], torch.int32), get_borders([1, 0, 9], torch.int32)]

    def attend(q, borders):
        return lattn.attention(q, q, q, cu_seqlens_q=borders, cu_seqlens_k=borders,
                               window=(3, 0))

    compiled = torch.compile(attend, backend="aot_eager", fullgraph=True,
                             dynamic=True)
    for some in borders:
        found = []
        for function in (attend, compiled):
            torch.manual_seed(0)
            q = torch.randn(1, 2, 10, 8, requires_grad=True)
            output = function(q, some)
            found.append((output, *torch.autograd.grad(output.square().sum(), q)))
        for a, b in zip(*found):
            torch.testing.assert_close(a, b)
