# REQUIRES: slow
# RUN: %cached_pytest %s

# Modules as kernels of many rows: they compute what torch's operations do, and
# only where they do.

import pytest
import torch
from torch import nn as torch_nn

from lattn import _kernels, get_num_threads, nn, set_num_threads
from lattn.nn import _feed_forward, _few, _residual, _rows, _streams


@pytest.fixture(autouse=True)
def no_grad():
    torch.manual_seed(0)
    with torch.no_grad():
        yield


@pytest.fixture
def calls(monkeypatch):
    """Names of the operators that ran."""
    names = []

    def watch(module, name):
        op = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *args: (
            names.append(name), op(*args))[1])
    watch(_rows, "_rows")
    watch(_feed_forward, "_feed_forward")
    watch(_few, "multiply")
    watch(_few, "feed_forward")
    watch(_streams, "mix")
    watch(_streams, "join")
    return names


def fill(module):
    for parameter in module.parameters():
        torch_nn.init.normal_(parameter, std=0.2)
    return module


# Relative, and to the largest result. What lies between products is rounded to
# the type, as in torch.
TOLERANCES = {torch.float32: (1e-4, 2e-5), torch.bfloat16: (2**-7, 2**-7),
              torch.float16: (2**-10, 2**-10)}
kinds = pytest.mark.parametrize("kind", TOLERANCES, ids=str)
# Of the results alone.
rounding = pytest.mark.parametrize(
    "kind, tolerance", [(torch.bfloat16, 2**-8), (torch.float16, 2**-11)])
halves = pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16], ids=str)


def check(module, x, run=None, kind=torch.float32):
    """Against the module in float64, which runs no such kernel."""
    run = run or (lambda module, x: module(x))
    module.to(kind)
    x = x.to(kind) if x.is_floating_point() else x
    out = run(module, x.clone())
    assert out.dtype == kind
    expected = run(module.double(), x.double() if x.is_floating_point() else x
                   ).detach()
    module.float()
    relative, absolute = TOLERANCES[kind]
    torch.testing.assert_close(out.double(), expected, rtol=relative,
                               atol=absolute * float(expected.abs().max()))
    return out


# Lengths of one block of rows and of several, sizes around parts of 256 columns.
@pytest.mark.parametrize("length, dim, mult", [
    (256, 16, 4), (1009, 48, 1), (1009, 272, 3), (256, 528, 1), (1613, 528, 1)])
def test_feed_forward(calls, length, dim, mult):
    check(fill(_feed_forward.feed_forward(dim, mult)),
          torch.randn(1, length, dim))
    assert calls == ["_feed_forward"]


def test_feed_forward_of_large_and_special_numbers():
    module = fill(_feed_forward.feed_forward(32))
    x = torch.randn(1, 300, 32)
    x[0, 0, 0] = float("nan")
    x[0, 1] *= 1e4
    module[1].weight *= 100  # gates where gelu is 0 or the identity
    out = module(x)
    assert out[0, 0].isnan().all() and out[0, 1:].isfinite().all()
    expected = torch_nn.Sequential.forward(module, x)
    torch.testing.assert_close(out, expected, rtol=1e-4, atol=1e-2,
                               equal_nan=True)


@pytest.mark.parametrize("options, shape", [
    ({}, (1, 300, 64, 32, 4)), ({}, (3, 100, 272, 64, 2)),
    ({"prenorm": True}, (2, 509, 48, 96, 3)),
    ({"qk_rmsnorm": True}, (1, 300, 64, 32, 4)),
    ({"prenorm": True, "qk_rmsnorm": True, "qk_scale": 4}, (3, 100, 272, 64, 2)),
    ({"prenorm": True, "gate_values_per_head": True}, (2, 509, 48, 96, 3))], ids=str)
def test_local_mha(calls, options, shape):
    batches, length, dim, size, heads = shape
    module = fill(nn.LocalMHA(dim=dim, dim_head=size, heads=heads,
                              window_size=32, causal=True, **options))
    check(module, torch.randn(batches, length, dim))
    assert calls == ["_rows", "_rows"]


@halves
@pytest.mark.parametrize("options", [{}, {"qk_rmsnorm": True}], ids=str)
def test_local_mha_of_halves(calls, options, kind):
    module = fill(nn.LocalMHA(dim=48, dim_head=32, heads=3, window_size=32,
                              causal=True, prenorm=True, **options))
    check(module, torch.randn(2, 509, 48), kind=kind)
    assert calls == ["_rows", "_rows"]


@halves
def test_feed_forward_of_halves(calls, kind):
    check(fill(_feed_forward.feed_forward(272, 3)), torch.randn(1, 1009, 272),
          kind=kind)
    assert calls == ["_feed_forward"]


@kinds
def test_rows(calls, kind):
    """With a norm, and without."""
    norm, layer = torch_nn.LayerNorm(48), torch_nn.Linear(48, 33, bias=False)
    module = fill(torch_nn.ModuleList([norm, layer]))
    for run in (lambda m, x: _rows.project(x, m[1]),
                lambda m, x: _rows.project(x, m[1], m[0])):
        check(module, torch.randn(2, 150, 48), run, kind)
    assert calls == ["_rows", "_rows"]


def test_zeros_have_no_direction():
    module = fill(nn.LocalMHA(dim=32, dim_head=32, heads=2, window_size=32,
                              qk_rmsnorm=True))
    check(module, torch.zeros(1, 320, 32))


@kinds
@pytest.mark.parametrize("streams", [2, 4, 6])
@pytest.mark.parametrize("length", [1, 70])
def test_streams(calls, streams, length, kind):
    module = _residual.HyperConnections(
        streams, dim=48, branch=torch_nn.Linear(48, 48))
    check(fill(module), torch.randn(2, length, streams, 48), kind=kind)
    assert calls == ["mix", "join"]


@rounding
def test_streams_of_halves(kind, tolerance):
    """Only results are rounded; weights between the kernels are float32."""
    module = fill(_residual.HyperConnections(
        4, dim=272, branch=torch_nn.Identity())).to(kind)
    x, y = torch.randn(1, 70, 4, 272).to(kind), torch.randn(1, 70, 272).to(kind)
    mixed, weights = _streams.mix(x, *module.parts())
    joined = x.clone()
    _streams.join(joined, weights, y)
    alpha, beta = module.double()._weigh(x.double())
    torch.testing.assert_close(
        weights.permute(2, 3, 0, 1).double(),
        torch.cat((alpha, beta.transpose(-1, -2)), -2), rtol=1e-5, atol=1e-5)
    expected = alpha @ x.double()
    expected[:, :, 1:] += beta * y.double()[:, :, None]
    for found, exact in zip((mixed, joined), (expected[:, :, 0],
                                              expected[:, :, 1:])):
        assert found.dtype == kind
        torch.testing.assert_close(found.double(), exact, rtol=tolerance,
                                   atol=1e-5 * float(exact.abs().max()))


@kinds
def test_streams_of_a_branch_with_gradients(calls, kind):
    module = fill(_residual.HyperConnections(
        2, dim=48, branch=torch_nn.Linear(48, 48))).requires_grad_(False)
    module.branch.requires_grad_()
    with torch.enable_grad():
        out = check(module, torch.randn(1, 7, 2, 48), kind=kind)
    assert out.requires_grad and calls == ["mix"]


@kinds
def test_local_transformer(calls, kind):
    module = nn.LocalTransformer(
        num_tokens=20, max_seq_len=600, dim=48, depth=2, dim_head=32, heads=2,
        local_attn_window_size=64).eval()
    check(module, torch.randint(20, (2, 570)), kind=kind)
    assert set(calls) == {"_rows", "_feed_forward", "mix", "join"}


@pytest.mark.parametrize("rows", [1, 3, 8])
@pytest.mark.parametrize("dim", [16, 48, 272])
def test_few_rows(calls, rows, dim):
    check(fill(_feed_forward.feed_forward(dim, 1)), torch.randn(rows, 1, dim))
    for count in (1, 6, 131):
        layer = fill(torch_nn.Linear(dim, count, bias=False))
        norm = fill(torch_nn.LayerNorm(dim))
        check(torch_nn.ModuleList([layer, norm]), torch.randn(1, rows, dim),
              lambda m, x: _rows.project(x, m[0], m[1]))
        check(layer, torch.randn(1, rows, dim), lambda m, x: _rows.project(x, m))
    assert calls == ["feed_forward"] + 6 * ["multiply"]


@rounding
def test_few_rows_of_halves(calls, kind, tolerance):
    """Only the result is rounded."""
    feed = fill(_feed_forward.feed_forward(48, 1)).to(kind)
    layer = fill(torch_nn.Linear(48, 131, bias=False)).to(kind)
    x = torch.randn(1, 3, 48, dtype=kind)
    for module, run in ((feed, lambda x: feed(x)),
                        (layer, lambda x: _rows.project(x, layer))):
        out = run(x)
        assert out.dtype == kind
        module.double()
        expected = run(x.double())
        torch.testing.assert_close(
            out.double(), expected, rtol=tolerance,
            atol=1e-5 * float(expected.abs().max()))
    assert calls == ["feed_forward", "multiply"]


def test_threads_change_no_bit():
    module = fill(_feed_forward.feed_forward(64))
    x, before, results = torch.randn(1, 2000, 64), get_num_threads(), []
    try:
        for threads in (1, 2, 5):
            set_num_threads(threads)
            results.append(module(x))
    finally:
        set_num_threads(before)
    assert all(torch.equal(results[0], other) for other in results[1:])


def test_another_length_compiles_nothing():
    module = nn.LocalTransformer(
        num_tokens=20, max_seq_len=2000, dim=64, depth=2, dim_head=32, heads=2,
        local_attn_window_size=64).eval()
    module(torch.randint(20, (1, 300)))
    count = _kernels.count()
    for batches, length in ((2, 1999), (1, 301), (1, 700)):
        module(torch.randint(20, (batches, length)))
    assert _kernels.count() == count


def test_generating_compiles_once():
    module = nn.LocalTransformer(
        num_tokens=20, max_seq_len=2000, dim=32, depth=2, dim_head=16, heads=2,
        local_attn_window_size=16)
    prime = torch.randint(20, (1, 300))
    module.generate(prime, 3)
    count = _kernels.count()
    assert module.generate(prime, 1000).shape == (1, 1000)
    assert _kernels.count() == count


def test_views(calls):
    module = fill(_feed_forward.feed_forward(32))
    wide = torch.randn(300, 2, 64)
    check(module, wide.transpose(0, 1)[..., 16:48])
    assert calls == ["_feed_forward"]


class Doubled(torch_nn.Linear):

    def forward(self, x):
        return 2 * super().forward(x)


def quiet_hook(module, inputs, output):
    return output + 1


@pytest.mark.parametrize("change", [
    lambda m: m.register_module("1", Doubled(32, 170, bias=False)),
    lambda m: m.register_module("1", torch_nn.Linear(32, 170)),
    lambda m: m[4].register_forward_hook(quiet_hook),
    lambda m: setattr(m[2], "forward", lambda x: x[..., :85]),
    lambda m: m[1].weight.requires_grad_(),
    lambda m: torch_nn.utils.parametrizations.weight_norm(m[1]),
    lambda m: m.train() and setattr(m[3], "p", 0.5),
    lambda m: m.append(torch_nn.Identity()),
    lambda m: m.double()])
def test_what_is_changed_runs_as_torch_does(calls, change):
    module = fill(_feed_forward.feed_forward(32)).requires_grad_(False)
    change(module)
    x = torch.randn(1, 300, 32, dtype=module[0].weight.dtype)
    with torch.enable_grad():
        torch.manual_seed(1)
        out = module(x)
        torch.manual_seed(1)
        torch.testing.assert_close(out, torch_nn.Sequential.forward(module, x))
    assert not calls


def test_some_rows_autocast_and_odd_sizes_run_as_torch_does(calls):
    module = fill(_feed_forward.feed_forward(32))
    module(torch.randn(1, 20, 32))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        module(torch.randn(1, 300, 32))
    fill(_feed_forward.feed_forward(24))(torch.randn(1, 300, 24))
    assert not calls


def test_wrong_shapes_are_refused():
    x, weight = torch.randn(1, 300, 32), torch.randn(96, 48)
    with pytest.raises(ValueError, match="weight: expected the shape"):
        torch.ops.lattn.rows(x, weight, None, None, 0.0, None)
    with pytest.raises(ValueError, match="beta: expected the shape"):
        _streams.mix(x.view(1, 150, 2, 32), torch.ones(32), torch.ones(32, 3),
                     *torch.ones(5, 1))


def test_types_without_programs_are_refused():
    x = torch.randn(1, 300, 32, dtype=torch.float64)
    with pytest.raises(TypeError, match="expected .*f32.*bf16.*f16.*; got f64"):
        torch.ops.lattn.rows(x, x[0], None, None, 0.0, None)
    with pytest.raises(TypeError, match="weights: expected .*float32"):
        _streams.join(torch.ones(1, 1, 2, 32), torch.ones(4, 2, 1, 1).double(),
                      torch.ones(1, 1, 32))


def test_meta_and_fake_tensors():
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode():
        module = _feed_forward.feed_forward(32)
        assert module(torch.randn(1, 300, 32)).shape == (1, 300, 32)
