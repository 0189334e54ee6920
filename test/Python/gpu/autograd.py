"""Attention of CUDA tensors that is differentiated, with torch's fake tensors, which need
no GPU. They have no backward pass: test/Python/tiles.py has the numbers."""

# REQUIRES: torch, slow
# RUN: %pytest %s

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad

import lattn


@pytest.fixture
def tensors():
    with FakeTensorMode():
        yield [torch.randn(1, heads, 16, 32, device="cuda:1", dtype=torch.bfloat16,
                           requires_grad=True) for heads in (4, 2, 2)]


def test_forward_keeps_the_graph(tensors):
    out, lse = lattn.attention(*tensors, window=(3, 0), return_lse=True)
    assert out.is_cuda and out.requires_grad and lse.requires_grad
    with torch.no_grad():
        assert not lattn.attention(*tensors).requires_grad


OPERATORS = ["", "_grad", "_jvp", "_grad_grad", "_jvp_jvp"]


@pytest.mark.parametrize("suffix", OPERATORS)
def test_operators(tensors, suffix):
    lattn.attention(*tensors)  # which defines them
    assert torch._C._dispatch_has_kernel_for_dispatch_key(
        f"lattn::attention{suffix}", "CUDA")


def check(found, *like):
    for x, y in zip(found, like, strict=True):
        assert (x.shape, x.dtype, x.device) == (y.shape, y.dtype, y.device)


def test_results_of_operators(tensors):
    """Their places and types, as torch.compile sees them."""
    q, k, v = (x.detach() for x in tensors)
    bias = torch.randn(16, 16, device="cuda:1")
    lattn.attention(q, k, v)
    arrays = [q, k, v, bias, *[None] * 10]
    options = [None, None, None, None, 0, 0, True, None, "bhnd", 0.0, 0.0]
    operators = torch.ops.lattn
    lse, none = torch.empty(1, 4, 16, device="cuda:1"), q.new_empty(0)
    results = operators.attention(*arrays, *options)
    check(results, q, lse)
    made = operators.attention_grad(*arrays, *options, *results, *results, True, False)
    check(made, q, k, v, none, bias, none)
    given = [q, k, v, None, bias, None]
    check(operators.attention_jvp(*arrays, *options, *given), q, lse, q, lse)
    check(operators.attention_grad_grad(*arrays, *options, *results, *results, False,
                                        *given),
          q, k, v, none, bias, none, q, lse, q, lse)
    check(operators.attention_jvp_jvp(*arrays, *options, *given * 3), q, lse)


def test_transforms(tensors):
    q, k, v = (x.detach() for x in tensors)

    def attend(q, k, v):
        return lattn.attention(q, k, v, causal=True)
    many = torch.stack([q] * 3)
    check([torch.func.vmap(attend, (0, None, None))(many, k, v)], many)
    check(torch.func.jvp(attend, (q, k, v), (q, k, v)), q, q)

    def slope(q, k):
        return torch.func.jvp(attend, (q, k, v), (q, k, v))[1]
    check(torch.func.jvp(slope, (q, k), (q, k)), q, q)
    with forward_ad.dual_level():
        found = attend(forward_ad.make_dual(q, q), k, v)
        check(forward_ad.unpack_dual(found), q, q)


def test_compiled(tensors):
    """One graph, of the operator."""
    graphs = []

    def keep(graph, _):
        graphs.append(graph)
        return graph
    torch.compile(lambda q, k, v: lattn.attention(q, k, v, window=(3, 0)) + 1,
                  backend=keep, fullgraph=True)(*tensors)
    [graph] = graphs
    assert "lattn.attention" in graph.code


def test_biases(tensors):
    """Also those whose gradients have no kernel."""
    row = torch.randn(1, 16, device="cuda:1", requires_grad=True)
    array = torch.randn(16, 16, device="cuda:1", requires_grad=True)
    for options in {"bias": row}, {"attn_mask": row}, {"bias": array, "attn_mask": array}:
        assert lattn.attention(*tensors, **options).requires_grad


def test_local_attention(tensors):
    q, k, v = tensors
    bias = torch.randn(4, 8, 24, device=q.device, requires_grad=True)
    out = lattn.local_attention(q, k, v, window_size=8, dim=32, attn_bias=bias)
    assert out.is_cuda and out.shape == q.shape and out.requires_grad
    gradients = torch.ops.lattn.local_attention_grad
    options = 8, 8, 1, 1, False, False, False, False, 32, 10000.0, False, 4.0, 0.2, 0.0
    with torch.no_grad():
        found = gradients([q, q, q, bias, None, None, None, None], [out, out, out[..., 0]],
                          out, False, *options)
    assert [x.shape for x in found] == [q.shape] * 3
    assert all(x.is_cuda and x.dtype == q.dtype for x in found)
    for what in ("CPU", "CUDA"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key(
            "lattn::local_attention_grad", what)
