# REQUIRES: slow
# RUN: %cached_pytest %s

# torch.compile without graph breaks, torch.export, torch's checks of operators.

import pytest
import torch

from lattn import _kernels, nn
from lattn.nn import _multihead, _ops

DIM = 16


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)


def make(**options):
    return nn.LocalMHA(**dict(dim=DIM, window_size=4, dim_head=8, heads=2,
                              prenorm=True, qk_rmsnorm=True, causal=True)
                       | options).eval()


def close(got, expected):
    torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_compile(backend):
    module = make()
    compiled = torch.compile(module, fullgraph=True, backend=backend)
    with torch.no_grad():
        x = torch.randn(2, 13, DIM)
        mask = torch.rand(2, 13) < 0.8
        close(compiled(x), module(x))
        close(compiled(x, mask=mask), module(x, mask=mask))


def test_train_with_inductor(monkeypatch):
    # The default model, in a step of training. Inductor's arrays have margins, which
    # its kernels must not write.
    arrays, margin = [], 64

    def make_empty(size, stride, dtype):
        count = 1 + sum((n - 1) * step for n, step in zip(size, stride))
        whole = torch.ones(count + 2 * margin, dtype=dtype)
        arrays.append(whole)
        return whole.as_strided(size, stride, margin)

    monkeypatch.setattr(torch._C._dynamo.guards, "_empty_strided_cpu", make_empty)
    module = nn.LocalTransformer(num_tokens=7, max_seq_len=16, dim=DIM, depth=1,
                                 dim_head=8, heads=2, local_attn_window_size=4)
    x = torch.randint(7, (2, 9))
    parts = []
    for function in (module, torch.compile(module)):
        module.zero_grad()
        loss = function(x, return_loss=True)
        loss.backward()
        parts.append([loss, *(p.grad for p in module.parameters())])
    assert len(arrays) > 20
    for whole in arrays:
        assert whole[:margin].eq(1).all() and whole[-margin:].eq(1).all()
    for got, expected in zip(*parts):
        close(got, expected)


def test_lengths():
    # A second length compiles no kernel, and torch at most once more.
    module = make()
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager",
                             dynamic=True)
    with torch.no_grad():
        compiled(torch.randn(2, 13, DIM))
        before = _kernels.count()
        with torch.compiler.set_stance("fail_on_recompile"):
            for n in (14, 29, 64):
                x = torch.randn(3, n, DIM)
                close(compiled(x), module(x))
    assert _kernels.count() == before


@pytest.mark.parametrize("options", [{}, {"use_xpos": True, "causal": False}],
                         ids=str)
def test_gradients(options):
    module = make(**options).train()
    x = torch.randn(2, 9, DIM)
    parts = []
    for function in (module, torch.compile(module, fullgraph=True,
                                           backend="aot_eager")):
        module.zero_grad()
        y = x.clone().requires_grad_()
        function(y).square().sum().backward()
        parts.append([y.grad, *(p.grad for p in module.parameters())])
    for got, expected in zip(*parts):
        close(got, expected)


def test_cached_step():
    module, x = make(), torch.randn(1, 9, DIM)
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
    with torch.no_grad():
        expected = module(x)
        out, cache = compiled(x[:, :5], return_cache=True)
        for i in range(5, 9):
            out, cache = compiled(x[:, i:i + 1], cache=cache,
                                  return_cache=True)
            close(out, expected[:, i:i + 1])


def test_dropout():
    module = nn.LocalAttention(4, dropout=0.5, dim=8)
    compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
    x = torch.randn(1, 8, 8)
    outs = []
    for function in (module, compiled):
        torch.manual_seed(3)
        outs.append(function(x, x, x))
    close(*outs)


def test_other_modules():
    x = torch.randint(7, (2, 9))
    transformer = nn.LocalTransformer(
        num_tokens=7, max_seq_len=12, dim=DIM, depth=1, dim_head=8, heads=2,
        local_attn_window_size=4, use_dynamic_pos_bias=True).eval()
    y = torch.randn(2, 9, DIM)
    attention = nn.zeta.MultiheadAttention(DIM, 2, self_attention=True,
                                           xpos_rel_pos=True).eval()
    with torch.no_grad():
        for module, args in ((transformer, (x,)), (attention, (y, y, y))):
            compiled = torch.compile(module, fullgraph=True,
                                     backend="aot_eager")
            close(compiled(*args), module(*args))


def test_export():
    module, x = make(), torch.randn(2, 13, DIM)
    length = torch.export.Dim("length", min=2, max=1000)
    program = torch.export.export(module, (x,), dynamic_shapes=({1: length},),
                                  strict=False)
    targets = {str(node.target) for node in program.graph.nodes}
    assert "lattn.local_attention.default" in targets
    with torch.no_grad():
        for n in (13, 5, 40):
            x = torch.randn(2, n, DIM)
            close(program.module()(x), module(x))


@pytest.mark.parametrize("shape", [(2, 3, 8, 4), (1, 1, 5, 4)])
def test_operators(shape):
    module = nn.LocalAttention(4, causal=True, dim=4, autopad=True)
    q, k, v = (torch.randn(shape, requires_grad=True) for _ in "qkv")
    mask, bias = torch.rand(shape[0], shape[2]) < 0.7, torch.randn(1, 4, 8)
    torch.library.opcheck(_ops._local_attention,
                          (q, k, v, mask, bias, *module.rotary_buffers(),
                           *module.options(4)))
    torch.library.opcheck(_ops._local_attention,
                          (q, k, v, mask, bias, *module.rotary_buffers(),
                           *module.options(4),
                           torch.tensor(5), 0.25))
    torch.library.opcheck(_multihead._attention,
                          (q, k, v, torch.zeros(shape[2], shape[2]), mask,
                           torch.tensor(5), True, 0.25))
