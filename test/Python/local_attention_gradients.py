# REQUIRES: torch, slow
# RUN: %cached_pytest %s

# Derivatives of lattn.local_attention, against autograd of the formula in float64.

import pytest
import torch

import lattn
from dense import F64, dense, inputs, leaf

WINDOW = 4
pytestmark = pytest.mark.filterwarnings("ignore:Dynamo")


def of_pairs(bias, n, heads):
    """The bias of (heads, row of a block, slot) at pairs of a query and a key."""
    at = torch.arange(n)
    slots = (at - (at[:, None] // WINDOW - 1) * WINDOW).clamp(0, 2 * WINDOW - 1)
    whole = bias.expand(-1, WINDOW, 2 * WINDOW)
    found = whole[:, (at % WINDOW)[:, None], slots]
    return found.repeat(heads // len(bias), 1, 1)


def formula(q, k, v, bias=None, **options):
    window = lattn.Window(bucket=WINDOW, back=1, forward=0)
    if bias is not None:
        bias = of_pairs(bias, q.shape[2], q.shape[1])
    return dense(q, k, v, window=window, causal=True, offset=0, bias=bias, **options)[0]


def ours(q, k, v, bias=None, key_mask=None, **options):
    return lattn.local_attention(q, k, v, window_size=WINDOW, causal=True,
                                 attn_bias=bias, mask=key_mask, **options)


OPTIONS = {
    "plain": {}, "scale": dict(scale=0.3),
    "mask": dict(key_mask=torch.arange(24).view(2, 12) % 4 != 1),
    "dropout": dict(dropout_p=0.3, seed=9)}
BIASES = {"none": None, "heads": (4, 4, 8), "slots": (1, 1, 8), "rows": (2, 4, 1)}


def make(shape, kind=F64):
    xs = inputs(12, 12)
    return [x.to(kind) for x in (xs if shape is None else [*xs, torch.randn(
        shape, dtype=F64)])]


def differentiate(function, xs):
    """The output, gradients, gradients of these, a tangent and its tangent."""
    leaves = [leaf(x) for x in xs]
    out = function(*leaves)
    first = torch.autograd.grad(out.sin().sum(), leaves, create_graph=True)
    second = torch.autograd.grad(sum(x.sin().sum() for x in first), leaves)
    xs, along = tuple(xs), tuple(x.cos() for x in xs)

    def slope(*xs):
        return torch.func.jvp(function, xs, along)[1]
    return out, *first, *second, *torch.func.jvp(slope, xs, along)


@pytest.mark.parametrize("options, shape", [
    ("plain", "none"), ("scale", "heads"), ("mask", "slots"), ("dropout", "rows")])
def test_options(options, shape):
    xs = make(BIASES[shape])
    found, expected = (differentiate(lambda *xs: function(*xs, **OPTIONS[options]), xs)
                       for function in (ours, formula))
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("kind, tolerance", [(torch.float32, 1e-4),
                                             (torch.bfloat16, 0.15)])
def test_types(kind, tolerance):
    xs = make(BIASES["heads"], kind)
    leaves = [leaf(x) for x in xs]
    found = torch.autograd.grad(ours(*leaves).sum(), leaves)
    wide = [leaf(x, F64) for x in xs]
    for x, y in zip(found, torch.autograd.grad(formula(*wide).sum(), wide)):
        assert x.dtype == kind
        torch.testing.assert_close(x.to(F64), y, rtol=tolerance, atol=tolerance)


def test_lengths_under_compile():
    """One graph for all lengths, forward and backward."""
    run = torch.compile(lambda *x: ours(*x, autopad=True, dim=8), fullgraph=True,
                        dynamic=True, backend="aot_eager")
    xs = make(None, torch.float32)
    for n in (12, 8, 7):
        found = []
        for function in (run, lambda *x: ours(*x, autopad=True, dim=8)):
            leaves = [leaf(x[:, :, :n]) for x in xs]
            found.append(torch.autograd.grad(function(*leaves).sum(), leaves))
        torch.testing.assert_close(*found)


def test_numpy_beside_gradients():
    q, k, v = make(None)
    with pytest.raises(NotImplementedError, match="key: gradients are not built here"):
        ours(q.numpy(), leaf(k), v)


@pytest.mark.parametrize("n, window", [(2, 1), (5, 2), (4, 3)])
def test_own_keys_beside_padding(n, window):
    """A query's score for its own key is -5e4, beside keys that autopad adds."""
    xs = [leaf(x) for x in inputs(n, n, 2, 2, 2, 1, 1)]

    def run(*xs):
        return lattn.local_attention(*xs, window_size=window, look_backward=0,
                                     shared_qk=True, autopad=True)
    torch.autograd.gradcheck(run, xs)
    torch.autograd.gradgradcheck(run, xs)
