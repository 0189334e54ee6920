"""lattn.attention on a GPU that is there: options, layouts, views, streams, graphs."""

# REQUIRES: gpu, torch
# RUN: %pytest %s

import math

import pytest
import torch

import lattn
import lattn.math

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
# Weights and outputs are rounded to 8 or 11 bits.
TOLERANCES = {torch.bfloat16: 2.0 ** -7, torch.float16: 2.0 ** -9}


def make(*shape, dtype=torch.bfloat16, seed=0):
    generator = torch.Generator("cuda").manual_seed(seed)
    return torch.randn(*shape, device="cuda", dtype=dtype, generator=generator)


def inputs(b=2, h=4, hkv=2, n=200, m=200, d=64, dtype=torch.bfloat16):
    return (make(b, h, n, d, dtype=dtype), make(b, hkv, m, d, dtype=dtype, seed=1),
            make(b, hkv, m, d, dtype=dtype, seed=2))


def expect(q, k, v, change=None, hidden=None, sink=None):
    """Output and lse in f64; `change` of scores, `hidden` of pairs."""
    groups = q.shape[1] // k.shape[1]
    q, k, v = q.double(), *(x.double().repeat_interleave(groups, 1) for x in (k, v))
    s = q @ k.mT * q.shape[-1] ** -0.5
    s = change(s) if change else s
    if hidden is not None:
        s = s.masked_fill(hidden, -math.inf)
    lse = s.logsumexp(-1)
    if sink is not None:
        lse = torch.logaddexp(lse, sink.double()[None, :, None])
    weights = torch.exp(s - lse[..., None]).nan_to_num(0)
    return weights @ v, lse


def check(out, want, dtype=torch.bfloat16):
    error = (out.double() - want).abs() / want.abs().clamp(min=1)
    assert out.isfinite().all() and error.max() <= TOLERANCES[dtype], error.max()


def positions(n, m):
    i, j = (torch.arange(x, device="cuda") for x in (n, m))
    return i[:, None] + m - n, j[None]


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("n,m,d", [(200, 200, 64), (1, 700, 128), (65, 130, 72),
                                   (5, 300, 33), (300, 300, 256)])
def test_windows(dtype, n, m, d):
    arrays = inputs(n=n, m=m, d=d, dtype=dtype)
    i, j = positions(n, m)
    for window in ((None, None), (None, 0), (20, 9)):
        left, right = window
        hidden = torch.zeros(n, m, dtype=bool, device="cuda")
        hidden |= (j < i - left) if left is not None else hidden
        hidden |= (j > i + right) if right is not None else hidden
        out, lse = lattn.attention(*arrays, window=window, return_lse=True)
        want, want_lse = expect(*arrays, hidden=hidden)
        check(out, want, dtype)
        assert torch.allclose(lse.double(), want_lse, atol=2e-4)


def test_options():
    q, k, v = arrays = inputs()
    i, j = positions(200, 200)
    bias = make(4, 200, 200, seed=5)
    mask = make(2, 200, dtype=torch.float16, seed=6) > 0
    sink = make(4, dtype=torch.float32, seed=7)
    lengths = torch.tensor([200, 77], dtype=torch.int32, device="cuda")
    h = torch.arange(4, device="cuda")[:, None, None]

    def incline(score, b, h, qi, ki):
        return score - lattn.math.abs(qi - ki) * lattn.math.exp2((h + 1) * -0.5)
    beyond = torch.arange(200, device="cuda") >= lengths[:, None]
    for options, want in [
            ({"bias": bias}, expect(*arrays, change=lambda s: s + bias.double())),
            ({"attn_mask": bias}, expect(*arrays,
                                         change=lambda s: s + bias.double())),
            ({"key_mask": mask}, expect(*arrays, hidden=~mask[:, None, None])),
            ({"attn_mask": mask[:, None, None]},
             expect(*arrays, hidden=~mask[:, None, None])),
            ({"sink": sink}, expect(*arrays, sink=sink)),
            ({"softcap": 5.0}, expect(*arrays,
                                      change=lambda s: 5 * torch.tanh(s / 5))),
            ({"scale": 0.3}, expect(*arrays, change=lambda s: s * 0.3 * 8)),
            ({"kv_lengths": lengths}, expect(*arrays,
                                             hidden=beyond[:, None, None])),
            ({"score_mod": incline},
             expect(*arrays, change=lambda s: s - (i - j).abs() *
                    torch.exp2((h + 1) * -0.5))),
            ({"mask_mod": lambda b, h, qi, ki: (qi + ki) % 3 != 0},
             expect(*arrays, hidden=(i + j) % 3 == 0))]:
        check(lattn.attention(*arrays, **options), want[0])


def test_views():
    """Rows that are not aligned, strides, heads behind positions."""
    wide = make(2, 4, 200, 3 * 64 + 1)
    q, k, v = (wide[..., start:start + 64] for start in (0, 64, 129))
    check(lattn.attention(q, k, v, causal=True),
          lattn.attention(*(x.contiguous() for x in (q, k, v)), causal=True).double())
    q, k, v = inputs()
    turned = [x.transpose(1, 2).contiguous() for x in (q, k, v)]
    out = lattn.attention(*turned, layout="bnhd", causal=True)
    check(out.transpose(1, 2), lattn.attention(q, k, v, causal=True).double())
    expanded = [k[:, :1].expand(2, 2, 200, 64), v[:, :1].expand(2, 2, 200, 64)]
    check(lattn.attention(q, *expanded), expect(q, *expanded)[0])


def test_out_and_streams():
    q, k, v = arrays = inputs(n=1000, m=1000)
    out = torch.empty_like(q)
    assert lattn.attention(*arrays, out=out) is out
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        other = lattn.attention(*arrays)
    stream.synchronize()
    assert torch.equal(out, other)
    check(out, expect(*arrays)[0])


def test_graph():
    arrays = inputs(n=300, m=300)
    want = lattn.attention(*arrays, causal=True).clone()
    out = torch.zeros_like(arrays[0])
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        lattn.attention(*arrays, causal=True, out=out)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(out, want)


def test_empty():
    q, k, v = inputs()
    assert lattn.attention(q[:0], k[:0], v[:0]).shape == (0, 4, 200, 64)
    assert not lattn.attention(q, k[:, :, :0], v[:, :, :0]).any()
    assert lattn.attention(q[:, :, :0], k, v).shape == (2, 4, 0, 64)


def test_errors():
    q, k, v = inputs()
    with pytest.raises(ValueError, match="k: expected an array on GPU 0"):
        lattn.attention(q, k.cpu(), v)
    with pytest.raises(RuntimeError, match="f16 or bf16, got .*f32"):
        lattn.attention(q.float(), k.float(), v.float())
    check(lattn.attention(q, k, v), expect(q, k, v)[0])
