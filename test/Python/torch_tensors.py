# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# torch's tensors in and out.

import ml_dtypes
import numpy as np
import pytest
import torch

import lattn
import oracle

RNG = np.random.default_rng(2)
ARRAYS = [RNG.standard_normal((2, 4, 11, 8)).astype("f4") for _ in range(3)]
Q, K, V = (torch.from_numpy(x) for x in ARRAYS)


@pytest.mark.parametrize("dtype, tolerance", [
    (torch.float32, 3e-6), (torch.float64, 1e-12), (torch.float16, 1.5e-3),
    (torch.bfloat16, 1.2e-2)])
def test_types(dtype, tolerance):
    q, k, v = (x.to(dtype) for x in (Q, K, V))
    result, lse = lattn.attention(q, k, v, causal=True, return_lse=True)
    assert result.dtype == dtype and isinstance(result, torch.Tensor)
    assert lse.dtype == (torch.float64 if dtype == torch.float64 else
                         torch.float32)
    expected, _ = oracle.attention(*(x.double() for x in (q, k, v)),
                                   causal=True)
    np.testing.assert_allclose(result.double(), expected, rtol=tolerance,
                               atol=tolerance)


def test_views():
    packed = torch.from_numpy(
        RNG.standard_normal((2, 11, 3, 4, 8)).astype("f4"))
    q, k, v = packed.unbind(2)
    result = lattn.attention(q, k, v, layout="bnhd")
    expected, _ = oracle.attention(q, k, v, layout="bnhd")
    np.testing.assert_allclose(result, expected, rtol=3e-6, atol=3e-6)
    k = Q[:, :1].expand(2, 4, 11, 8)
    np.testing.assert_array_equal(
        lattn.attention(Q, k, V), lattn.attention(Q, k.contiguous(), V))


def test_kind_of_results():
    # That of q; arrays of other kinds go with it.
    assert isinstance(lattn.attention(Q, *ARRAYS[1:]), torch.Tensor)
    assert isinstance(lattn.attention(ARRAYS[0], K, V), np.ndarray)
    q = Q.bfloat16()
    mixed = lattn.attention(q, *(x.astype(ml_dtypes.bfloat16)
                                 for x in ARRAYS[1:]))
    assert torch.equal(mixed, lattn.attention(q, K.bfloat16(), V.bfloat16()))


def test_options():
    options = dict(key_mask=torch.rand(2, 11) < 0.7,
                   attn_mask=torch.rand(11, 11) < 0.9,
                   kv_lengths=torch.tensor([9, 4]),
                   offset=torch.tensor([2, -1], dtype=torch.int32))
    expected, _ = oracle.attention(
        *ARRAYS, **{k: v.numpy() for k, v in options.items()})
    np.testing.assert_allclose(lattn.attention(Q, K, V, **options), expected,
                               rtol=3e-6, atol=3e-6)


def test_out():
    out = torch.empty_like(Q)
    assert lattn.attention(Q, K, V, out=out) is out
    assert torch.equal(out, lattn.attention(Q, K, V))
    with pytest.raises(ValueError, match="out: .*overlaps k"):
        lattn.attention(Q, K, V, out=K)


def test_gradients():
    q = Q.clone().requires_grad_()
    assert lattn.attention(q, K, V).requires_grad
    for guard in (torch.no_grad(), torch.inference_mode()):
        with guard:
            result = lattn.attention(q, K, V)
        assert not result.requires_grad
        assert torch.equal(result, lattn.attention(Q, K, V))
    parameter = torch.nn.Parameter(Q, requires_grad=False)
    assert lattn.attention(parameter, K, V).shape == Q.shape


def test_what_has_no_memory():
    with pytest.raises(NotImplementedError, match="q: .*CPU.*meta"):
        lattn.attention(Q.to("meta"), K, V)
    with pytest.raises(TypeError, match="q: .*dense"):
        lattn.attention(Q.to_sparse(), K, V)
    with pytest.raises(TypeError, match="q: .*complex64"):
        lattn.attention(Q.to(torch.complex64), K, V)


def test_negative_bits():
    """Of imaginary parts of conjugates, with gradients and without."""
    whole = [torch.randn(2, 4, 11, 8, dtype=torch.complex64) for _ in range(4)]
    negative, plain = [], []
    for x in whole:
        negative.append(x.conj().imag)
        plain.append((-x.imag).contiguous())
    assert all(x.is_neg() for x in negative)
    assert torch.equal(lattn.attention(*negative[:3]), lattn.attention(*plain[:3]))
    with pytest.raises(ValueError, match="out: .*negative bit"):
        lattn.attention(*plain[:3], out=negative[3])
    leaves = [x.clone().requires_grad_() for x in whole[:3]]
    lattn.attention(*(x.conj().imag for x in leaves)).backward(negative[3])
    expected = [x.clone().requires_grad_() for x in plain[:3]]
    lattn.attention(*expected).backward(plain[3])
    for x, y in zip(leaves, expected):
        assert torch.equal(x.grad.imag, -y.grad)


def test_empty():
    assert lattn.attention(Q[:0], K[:0], V[:0]).shape == (0, 4, 11, 8)
    result, lse = lattn.attention(Q, K[:, :, :0], V[:, :, :0], return_lse=True,
                                  bias=torch.zeros(11, 0))
    assert (result == 0).all() and (lse == -np.inf).all()


def test_out_of_memory():
    q = torch.zeros(1, 1, 1, 64).expand(1, 1 << 17, 1 << 26, 64)
    with pytest.raises(MemoryError):
        lattn.attention(q, q[:, :1, :1], q[:, :1, :1])


def test_compile():
    double = lattn.compile("""
        func.func @f(%x: tensor<?x3xbf16>) -> tensor<?x3xbf16> {
          %0 = arith.addf %x, %x : tensor<?x3xbf16>
          return %0 : tensor<?x3xbf16>
        }""")
    x = torch.arange(6.0).reshape(3, 2).T.bfloat16()
    assert torch.equal(double(x), x + x)
