"""Derivatives of lattn.attention on a GPU that is there: transforms, what has no kernel,
streams, devices, graphs."""

# REQUIRES: gpu, torch
# RUN: %pytest %s

import pytest
import torch
from torch.utils.checkpoint import checkpoint

import lattn

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
OPTIONS = {"window": (30, 9), "dropout_p": 0.2, "seed": 5}


def make(*shape, seed=0, dtype=torch.float16):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def inputs():
    """Of q, k and v."""
    return [make(2, heads, 150, 32, seed=heads + i) for i, heads in enumerate((4, 2, 2))]


def total(out):
    return out.float().sin().sum() if out.dtype != torch.float64 else out.sin().sum()


def find_all(*xs, **options):
    """Gradients, tangents, tangents of gradients, and second derivatives by autograd."""
    places = tuple(range(len(xs)))

    def attend(q, k, v, *bias):
        return lattn.attention(q, k, v, **dict(zip(["bias"], bias)), **OPTIONS, **options)

    def gradients(*xs):
        return torch.func.grad(lambda *xs: total(attend(*xs)), places)(*xs)
    leaves = [x.clone().requires_grad_() for x in xs]
    first = torch.autograd.grad(total(attend(*leaves)), leaves, create_graph=True)
    return [*gradients(*xs), torch.func.jvp(attend, xs, xs)[1],
            *torch.func.jvp(gradients, xs, xs)[1],
            *torch.autograd.grad(sum(map(total, first)), leaves)]


def compare(got, want, tolerance=2.0 ** -7):
    for x, y in zip(got, want, strict=True):
        error = (x.double().cpu() - y.double().cpu()).abs().max()
        assert error <= tolerance * y.abs().max(), error


@pytest.mark.filterwarnings("ignore:lattn.attention. GPUs have no kernel")
@pytest.mark.parametrize("shape", [None, (150, 150), (1, 150)])
def test_all(shape):
    """The CPU's, in f64."""
    xs = inputs() + ([] if shape is None else [make(*shape, dtype=torch.float32)])
    compare(find_all(*(x.cuda() for x in xs)), find_all(*(x.double() for x in xs)))


@pytest.mark.filterwarnings("ignore:lattn.attention. GPUs have no kernel")
def test_arrays_of_scores():
    xs, slopes = inputs(), make(4, dtype=torch.float32)

    def find(device, dtype):
        *own, table = leaves = [x.to(device, dtype).requires_grad_() for x in (
            *xs, slopes)]
        return torch.autograd.grad(total(lattn.attention(
            *own, score_mod=lambda s, b, h, i, j: s + table[h] * (i - j) / 99,
            **OPTIONS)), leaves)
    compare(find("cuda", None), find("cpu", torch.float64))


def test_transforms():
    q, k, v = (x.cuda() for x in inputs())

    def gradient(q):
        return torch.func.grad(lambda q: total(lattn.attention(q, k, v, **OPTIONS)))(q)
    many = torch.stack([q, -q, 2 * q])
    assert torch.equal(torch.func.vmap(gradient)(many), torch.stack(
        list(map(gradient, many))))


def loss(*xs):
    return total(lattn.attention(*xs, window=(30, 9)))


def test_doors():
    """Each gives the gradients of autograd, bit for bit."""
    xs = [x.cuda().requires_grad_() for x in inputs()]
    want = torch.autograd.grad(loss(*xs), xs)

    def cast(*xs):
        with torch.autocast("cuda", dtype=torch.float16):
            return loss(*xs)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        found = torch.autograd.grad(loss(*xs), xs)
    torch.cuda.current_stream().wait_stream(stream)
    wide = [x.detach().float().requires_grad_() for x in xs]
    for made in (found, torch.autograd.grad(cast(*wide), wide),
                 torch.autograd.grad(checkpoint(loss, *xs, use_reentrant=False), xs),
                 torch.autograd.grad(torch.compile(
                     loss, fullgraph=True, backend="aot_eager")(*xs), xs)):
        assert all(torch.equal(x, y.to(x.dtype)) for x, y in zip(want, made))


@pytest.mark.filterwarnings("ignore:lattn.attention. GPUs have no kernel")
def test_graph():
    """A step, and what has no kernel, in a CUDA graph."""
    xs = [x.cuda().requires_grad_() for x in inputs()]

    def step():
        first = torch.autograd.grad(loss(*xs), xs, create_graph=True)
        return *first, *torch.autograd.grad(sum(map(total, first)), xs)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(2):
            want = step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = step()
    graph.replay()
    torch.cuda.synchronize()
    compare(made, want, 0)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="one GPU")
def test_devices():
    """The second GPU is not the current one."""
    xs = [x.to("cuda:1").requires_grad_() for x in inputs()]
    found = torch.autograd.grad(loss(*xs), xs)
    assert all(x.get_device() == 1 for x in found)
    compare(found, torch.autograd.grad(loss(*(x.to("cuda:0") for x in xs)), xs), 0)
    with pytest.raises(ValueError, match="k: expected an array on GPU 1, as q, got one "
                       "on GPU 0"):
        lattn.attention(xs[0], *(x.to("cuda:0") for x in xs[1:]))
