"""lattn.local_attention on a GPU that is there: options, gradients, graphs, against the
CPU in float64."""

# REQUIRES: gpu, torch
# RUN: %pytest %s

import pytest
import torch

import lattn

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
CASES = [
    dict(causal=True, dim=64),
    dict(autopad=True, dim=64, use_xpos=True, xpos_scale_base=64),
    dict(causal=True, shared_qk=True, exact_windowsize=True),
    dict(autopad=True, dropout_p=0.2, seed=3),
]


def make(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def run(xs, mask, bias, options):
    """The output and the gradients."""
    leaves = [x.clone().requires_grad_() for x in xs[:3]]
    out = lattn.local_attention(*leaves, window_size=32, mask=mask, attn_bias=bias,
                                **options)
    return out, *torch.autograd.grad(out, leaves, xs[3])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("options", CASES, ids=str)
@pytest.mark.parametrize("masked,biased", [(False, False), (True, False), (True, True)])
def test_options(dtype, options, masked, biased):
    n = 197 if "autopad" in options else 192
    xs = [make(2, 4, n, 64, seed=i).to(dtype) for i in range(4)]
    mask = torch.rand(2, n, generator=torch.Generator().manual_seed(7)) < 0.5
    mask[0, :70] = False  # rows that see no key
    slots = 64 if options.get("causal") else 96
    bias = make(4, 32, slots, seed=8)
    others = mask if masked else None, bias if biased else None
    want = run([x.double() for x in xs], others[0],
               None if others[1] is None else bias.double(), options)
    got = run([x.cuda() for x in xs], *(None if x is None else x.cuda() for x in others),
              options)
    tolerance = 2.0 ** -8 if dtype == torch.float16 else 2.0 ** -5
    for x, y in zip(got, want, strict=True):
        error = (x.double().cpu() - y).abs().max()
        assert error <= tolerance * max(1, float(y.detach().abs().max())), error


@pytest.mark.filterwarnings("ignore:lattn.local_attention. GPUs have no kernel")
def test_without_kernels():
    """float32 and the gradient of a bias, by PyTorch's operations."""
    xs, bias = [make(1, 2, 64, 32, seed=i) for i in range(3)], make(2, 16, 32)
    wanted = bias.double().requires_grad_()
    found = bias.cuda().requires_grad_()
    options = dict(window_size=16, causal=True)
    want = lattn.local_attention(*(x.double() for x in xs), attn_bias=wanted, **options)
    got = lattn.local_attention(*(x.cuda() for x in xs), attn_bias=found, **options)
    assert (got.cpu() - want).abs().max() < 1e-4
    want.sin().sum().backward()
    got.sin().sum().backward()
    assert (found.grad.cpu() - wanted.grad).abs().max() < 1e-4


def test_graph():
    """Nothing is read on the host, also where a mask leaves rows without keys."""
    xs = [make(1, 2, 128, 64, seed=i).half().cuda() for i in range(4)]
    mask = torch.ones(1, 128, dtype=torch.bool, device="cuda")
    mask[:, :40] = False
    options = dict(causal=True, dim=64)
    want = run(xs, mask, None, options)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        got = run(xs, mask, None, options)
    graph.replay()
    for x, y in zip(got, want, strict=True):
        assert torch.equal(x, y)
