"""Attention of CUDA tensors that require gradients, with torch's fake tensors,
which need no GPU: what is kept for the backward pass, and what is refused before it."""

# REQUIRES: torch, slow
# RUN: %pytest %s

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import lattn


@pytest.fixture
def tensors():
    with FakeTensorMode():
        yield [torch.randn(1, heads, 16, 32, device="cuda", dtype=torch.bfloat16,
                           requires_grad=True) for heads in (4, 2, 2)]


def test_forward_keeps_the_graph(tensors):
    out, lse = lattn.attention(*tensors, window=(3, 0), return_lse=True)
    assert out.is_cuda and out.requires_grad and lse.requires_grad
    with torch.no_grad():
        assert not lattn.attention(*tensors).requires_grad


def test_operator_of_gradients(tensors):
    lattn.attention(*tensors)  # which defines the operators
    assert torch._C._dispatch_has_kernel_for_dispatch_key(
        "lattn::attention_grad", "CUDA")
    assert not torch._C._dispatch_has_kernel_for_dispatch_key(
        "lattn::attention_grad_grad", "CUDA")


def test_refused(tensors):
    q, k, v = tensors
    row = torch.randn(1, 16, device="cuda", requires_grad=True)
    array = torch.randn(16, 16, device="cuda", requires_grad=True)
    for options, what in (({"bias": row}, "bias: gradients of an array that"),
                          ({"attn_mask": row}, "attn_mask: gradients of an array that"),
                          ({"bias": array, "attn_mask": array},
                           "attn_mask: gradients of a mask beside a bias")):
        with pytest.raises(NotImplementedError, match=f"lattn.attention: {what}"
                           ".* are not built for GPUs yet"):
            lattn.attention(q, k, v, **options)
        with torch.no_grad():
            lattn.attention(q, k, v, **options)
    primal = q.detach()
    with pytest.raises(NotImplementedError, match="tangents are not built for GPUs"):
        torch.func.jvp(lambda x: lattn.attention(x, k, v), (primal,), (primal,))


def test_local_attention(tensors):
    q, k, v = tensors
    bias = torch.randn(4, 8, 24, device="cuda", requires_grad=True)
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
