# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.attention and its kin where torch traces or transforms the call.


import numpy as np
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

import lattn

pytestmark = pytest.mark.filterwarnings("ignore")
torch.manual_seed(0)
# More than 8 queries, whose kernels compile faster.
Q, K, V = torch.randn(2, 4, 9, 16), torch.randn(2, 2, 9, 16), \
    torch.randn(2, 2, 9, 8)
OPTIONS = {
    "plain": {}, "window": dict(window=(3, 1), scale=0.3, softcap=5.0),
    "buckets": dict(window=lattn.Window(bucket=3, back=1)),
    "arrays": dict(
        causal=True, bias=torch.randn(4, 9, 9), sink=torch.randn(4),
        key_mask=torch.arange(18).view(2, 9) % 4 > 0, offset=3,
        attn_mask=torch.randn(9, 9), kv_lengths=torch.tensor([5, 9])),
    "segments": dict(q_segments=torch.arange(18).view(2, 9) // 3,
                     kv_segments=torch.arange(18).view(2, 9) // 3,
                     offset=torch.tensor([1, 2])),
    "dropout": dict(dropout_p=0.5, seed=7), "lse": dict(return_lse=True)}


def call(q, k, v, **options):
    found = lattn.attention(q, k, v, **options)
    return found if isinstance(found, tuple) else (found,)


def check(found, expected):
    assert len(found) == len(expected)
    for x, y in zip(found, expected):
        assert x.dtype == y.dtype and torch.equal(x, y)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_traced(options):
    function = lambda q, k, v: call(q, k, v, **options)
    expected = function(Q, K, V)
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    check(compiled(Q, K, V), expected)
    graph = make_fx(function)(Q, K, V)
    check(graph(Q, K, V), expected)
    check(graph(Q + 1, K, V), function(Q + 1, K, V))  # no constants
    traced = torch.jit.trace(function, (Q, K, V))
    check(traced(Q + 1, K, V), function(Q + 1, K, V))
    both = torch.vmap(function)(*(torch.stack((x, x + 1)) for x in (Q, K, V)))
    check([x[0] for x in both], expected)
    check([x[1] for x in both], function(Q + 1, K + 1, V + 1))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fakes = function(*map(mode.from_tensor, (Q, K, V)))
    for fake, x in zip(fakes, expected):
        assert fake.shape == x.shape and fake.dtype == x.dtype


def test_compiled_by_inductor():
    function = lambda q, k, v: lattn.attention(q * 2, k, v, causal=True) + 1
    compiled = torch.compile(function, fullgraph=True)
    torch.testing.assert_close(compiled(Q, K, V), function(Q, K, V))


@pytest.mark.parametrize("layout, dtype", [
    ("bnhd", torch.float32), ("bhnd", torch.bfloat16), ("bhnd", torch.float64)])
def test_layouts(layout, dtype):
    x = torch.randn(2, 5, 3, 16).to(dtype)
    function = lambda x: call(x, x, x, layout=layout, return_lse=True)
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager",
                             dynamic=True)
    check(compiled(x), function(x))
    check(compiled(x[:, :2]), function(x[:, :2]))


@pytest.mark.parametrize("make", [
    lambda n: (n, 0), lambda n: (n, n + 1), lambda n: lattn.Window(left=n, right=0),
    lambda n: lattn.Window(bucket=n, back=1)])
def test_open_windows(make):
    """Integers that a graph leaves open are bounds of windows, too."""
    function = lambda x, n: call(x, x, x, window=make(n))
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager",
                             dynamic=True)
    for n in (2, 3, 5):
        check(compiled(Q, n), function(Q, n))


@pytest.mark.parametrize("strict", [False, True])
def test_export(strict):
    class Module(torch.nn.Module):
        def forward(self, q, k, v):
            return lattn.attention(q, k, v, window=(2, 0))
    program = torch.export.export(
        Module(), (Q, K, V), strict=strict,
        dynamic_shapes=({2: torch.export.Dim("n", max=99)}, None, None))
    more = Q.repeat(1, 1, 2, 1)
    assert torch.equal(program.module()(more, K, V), Module()(more, K, V))


def test_vmap_of_some():
    masks = torch.rand(3, 2, 9) > 0.3
    function = lambda mask: lattn.attention(Q, K, V, key_mask=mask)
    expected = torch.stack([function(mask) for mask in masks])
    assert torch.equal(torch.vmap(function)(masks), expected)
    # NumPy's arrays beside them.
    function = lambda q: lattn.attention(
        q, K, V, kv_lengths=np.array([4, 5], dtype="i4"))
    assert torch.equal(torch.vmap(function)(Q[None])[0], function(Q))


def test_drawn_seeds():
    function = lambda: lattn.attention(Q, K, V, dropout_p=0.5)
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    torch.manual_seed(1)
    expected = function()
    torch.manual_seed(1)
    assert torch.equal(compiled(), expected)
    assert not torch.equal(compiled(), expected)  # drawn anew


@pytest.mark.parametrize("function", [
    lambda q, k, v: lattn.scaled_dot_product_attention(
        q, k, v, is_causal=True, enable_gqa=True),
    lambda q, k, v: lattn.scaled_dot_product_attention(q[0], q, q),
    lambda q, k, v: lattn.scaled_dot_product_attention(
        q, q, q, attn_mask=q[..., :9] > 0),
    lambda q, k, v: lattn.local_attention(q, q, q, window_size=3, dim=16),
    lambda q, k, v: lattn.local_attention(q, q[:, :2], q[:, 2:], window_size=3,
                                          causal=True, dropout_p=0.3, seed=3,
                                          mask=q[:, 0, :, 0] > 0)])
def test_kin(function):
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    expected = function(Q, K, V)
    torch.testing.assert_close(compiled(Q, K, V), expected)
    both = [torch.stack((x, x + 1)) for x in (Q, K, V)]
    mapped = torch.vmap(function)(*both)
    torch.testing.assert_close(mapped[0], expected)
    torch.testing.assert_close(mapped[1], function(Q + 1, K + 1, V + 1))


@pytest.mark.parametrize("name, value", [
    ("out", torch.empty(2, 4, 9, 8)), ("score_mod", lambda s, *_: s * 2),
    ("mask_mod", lambda b, h, i, j: i > j)])
def test_options_that_are_not_built(name, value):
    function = lambda q: lattn.attention(q, K, V, **{name: value})
    if name == "out":
        with pytest.raises(NotImplementedError, match="lattn.attention: out is"):
            torch.vmap(function)(Q[None])
    else:
        assert torch.equal(torch.vmap(function)(Q[None])[0], function(Q))
    with pytest.raises(NotImplementedError, match=f"lattn.attention: {name} is"):
        make_fx(function)(Q)
    with pytest.raises(Exception, match=f"lattn.attention: {name} is"):
        torch.compile(function, fullgraph=True, backend="eager")(Q)
    # Where the graph may break it does.
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="eager")
    assert torch.equal(compiled(Q).clone(), function(Q))


def functions():
    return [lambda q: lattn.attention(q, K, V),
            lambda q: lattn.attention(Q, K, V, bias=q[..., :1]),
            lambda q: lattn.scaled_dot_product_attention(q, Q, Q),
            lambda q: lattn.compile("""func.func @f(
                %x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
                  return %x : tensor<?x?x?x?xf32> }""")(q)]


@pytest.mark.parametrize("function", functions()[3:])
def test_no_silent_zeros(function):
    message = "lattn has no forward-mode derivatives|derivatives are not built"
    with pytest.raises(NotImplementedError, match=message):
        torch.func.jvp(function, (Q,), (Q,))
    with pytest.raises((NotImplementedError, TypeError)):
        torch.func.jvp(torch.vmap(function), (Q[None],), (Q[None],))
    with pytest.raises((NotImplementedError, TypeError)), torch.no_grad():
        torch.func.jacfwd(function)(Q)
    with forward_ad.dual_level():
        with pytest.raises(NotImplementedError, match=message):
            function(forward_ad.make_dual(Q, Q))
        function(Q)  # a level alone does no harm


@pytest.mark.parametrize("function", functions()[3:])
def test_no_silent_gradients(function):
    with pytest.raises(NotImplementedError, match="gradients"):
        torch.func.grad(lambda q: function(q).sum())(Q)


def test_compiled_gradients():
    function = lambda q: lattn.attention(q, K, K, causal=True, dropout_p=0.3,
                                         seed=3).square()
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    found = []
    for call in (function, compiled):
        x = Q.clone().requires_grad_()
        call(x).sum().backward()
        found.append(x.grad)
    torch.testing.assert_close(*found)
    with torch.no_grad():
        assert not compiled(x).requires_grad


def test_local_attention_has_gradients():
    function = lambda q: lattn.local_attention(q, q, q, window_size=3)
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    x = Q.clone().requires_grad_()
    expected, = torch.autograd.grad(function(x).sum(), x)
    found, = torch.autograd.grad(compiled(x).sum(), x)
    torch.testing.assert_close(found, expected)


def test_messages():
    with pytest.raises(TypeError, match="window: expected None"):
        torch.vmap(lambda q: lattn.attention(q, K, V, window=3))(Q[None])
    with pytest.raises(TypeError, match="key_mask: expected a tensor"):
        torch.vmap(lambda q: lattn.attention(q, K, V, key_mask=3))(Q[None])
    identity = lattn.compile("func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> "
                             "{ return %x : tensor<?xf32> }")
    with pytest.raises(TypeError, match="arg0: expected a tensor with memory, got "
                                        "one that torch traces or transforms"):
        torch.vmap(identity)(Q[0, 0])
