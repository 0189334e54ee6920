# REQUIRES: torch, slow
# RUN: env FIRST=%{slice}000 COUNT=8%{times100} %cached_pytest %s

# Gradients of local attention by compiled kernels, against autograd of its
# definition in float64.

import itertools
import os
import random
import warnings

import pytest
import torch

import lattn.nn
from lattn.nn import _dropout, _eager, _multihead

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 24)))
# Of sums of some 50 products, relative to the largest gradient: f32 rounds to
# 6e-8, f16 to 5e-4, bf16 to 4e-3.
TOLERANCES = {torch.float64: 1e-7, torch.float32: 1e-5, torch.float16: 4e-3,
              torch.bfloat16: 2e-2}


def draw(seed):
    choose = random.Random(seed).choice
    causal = choose((True, False))
    module = dict(
        window_size=choose((4, 8, 11)), causal=causal, autopad=True,
        look_backward=choose((0, 1, 2)),
        look_forward=0 if causal else choose((0, 1)),
        exact_windowsize=choose((True, False)), dim=choose((None, 16)))
    module["use_xpos"] = module["dim"] is not None and choose((True, False, False))
    module["shared_qk"] = choose((True, False, False))
    return dict(module=module, masked=choose((True, False)),
                length=choose((1, 7, 33, 48)), dtype=choose(list(TOLERANCES)),
                heads=choose((1, 3)), biased=choose((True, False)),
                dropout=choose((0.0, 0.3)))


def differentiate(case, seed):
    """The gradients, and those of the definition."""
    torch.manual_seed(seed)
    module = lattn.nn.LocalAttention(dropout=case["dropout"], **case["module"])
    shape = 2, case["heads"], case["length"], 16
    inputs = [torch.randn(shape).to(case["dtype"]).requires_grad_()
              for _ in range(3)]
    mask = None
    if case["masked"]:
        mask = torch.rand(2, case["length"]) > 0.3
        mask[0, :case["length"] // 2] = False  # empty rows
    options = module.options(16)
    if case["biased"]:
        inputs.append(torch.randn(case["heads"], options.call_window_size,
                                  options.slots, requires_grad=True))
    dropped = torch.randint(1 << 30, ()).item()
    torch.manual_seed(dropped)
    out = module(*inputs[:3], mask=mask, attn_bias=(*inputs, None)[3])
    cotangent = torch.randn(shape).to(case["dtype"])
    found = torch.autograd.grad(out, inputs, cotangent)

    wide = [x.detach().double().requires_grad_() for x in inputs]
    torch.manual_seed(dropped)
    drop = (_dropout.in_blocks(wide[0], case["dropout"], _dropout.draw_seed())
            if case["dropout"] else None)
    expected = _eager.local_attention(*wide[:3], mask, (*wide, None)[3],
                                      *module.rotary_buffers(), options, drop)
    return found, torch.autograd.grad(expected, wide, cotangent.double())


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_sweep(seed):
    case = draw(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # torch operations would warn
        found, expected = differentiate(case, seed)
    largest = max(y.abs().max() for y in expected)
    for name, x, y in zip(("q", "k", "v", "bias"), found, expected):
        error = (x.double() - y).abs().max() / largest
        assert error < TOLERANCES[case["dtype"]], (name, case, error)


@pytest.mark.parametrize("window, length", [(64, 320), (40, 200)])
def test_bias_of_long_blocks(window, length):
    """Tiles of queries lie within blocks of 64, and some cross the ends of those of 40."""
    case = draw(0) | dict(length=length, dtype=torch.float32, heads=2, biased=True,
                          masked=False, dropout=0.0)
    case["module"] |= dict(window_size=window, causal=True, look_backward=1,
                           look_forward=0, exact_windowsize=True, dim=None,
                           use_xpos=False, shared_qk=False)
    for x, y in zip(*differentiate(case, 0)):
        assert (x.double() - y).abs().max() < 1e-5 * y.abs().max()


def test_bias_that_hides_all_keys():
    """Rows that a bias empties are the mean of their hidden slots, here of three."""
    torch.manual_seed(0)
    module = lattn.nn.LocalAttention(4, causal=True, look_backward=0, autopad=True)
    inputs = [torch.randn(1, 1, 8, 16, requires_grad=True) for _ in range(3)]
    bias = torch.zeros(1, 4, 4)
    bias[0, 0] = -torch.inf  # the first row of each block sees itself only
    bias.requires_grad_()
    out = module(*inputs, attn_bias=bias)
    cotangent = torch.randn(out.shape)
    found = torch.autograd.grad(out, [*inputs, bias], cotangent)
    mean = inputs[2][0, 0, 1:4].mean(0)
    torch.testing.assert_close(out[0, 0, 0], mean)
    assert all(x.isfinite().all() for x in found)
    of_first, = torch.autograd.grad(module(*inputs, attn_bias=bias)[0, 0, 0] @ cotangent[0, 0, 0], inputs[2])
    torch.testing.assert_close(of_first[0, 0, :4], torch.cat((
        torch.zeros(1, 16), cotangent[0, 0, 0].expand(3, 16) / 3)))


def test_threads():
    """The same bits for every number of threads."""
    case = draw(3) | dict(length=1100, dtype=torch.float32, biased=True)
    before = lattn.get_num_threads()
    results = []
    try:
        for threads in (1, 2, 3):
            lattn.set_num_threads(threads)
            results.append(differentiate(case, 0)[0])
    finally:
        lattn.set_num_threads(before)
    for one, two in itertools.product(results[:1], results[1:]):
        assert all(torch.equal(x, y) for x, y in zip(one, two))


@pytest.mark.parametrize("spoil", [
    lambda x: x[:, :, :1].expand(x.shape),
    lambda x: x.transpose(2, 3).contiguous().transpose(2, 3),
    lambda x: torch.stack((x, x), -1)[..., 0]],
    ids=["expanded", "transposed", "strided"])
def test_strides_of_cotangents(spoil):
    torch.manual_seed(0)
    module = lattn.nn.LocalAttention(window_size=8, causal=True, dim=16)
    inputs = [torch.randn(2, 3, 24, 16, requires_grad=True) for _ in range(3)]
    cotangent = spoil(torch.randn(2, 3, 24, 16))
    found, expected = (
        torch.autograd.grad(module(*inputs), inputs, x)
        for x in (cotangent, cotangent.contiguous()))
    for x, y in zip(found, expected):
        torch.testing.assert_close(x, y, rtol=1e-5, atol=1e-5)


def test_changed_in_place():
    module = lattn.nn.LocalAttention(window_size=8, causal=True)
    q = torch.randn(1, 1, 8, 16, requires_grad=True)
    k = torch.randn(1, 1, 8, 16)
    out = module(q, k, k)
    k.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.sum().backward()


@pytest.mark.parametrize("bias, masked, finite, p, dtype", [
    (None, False, False, 0.3, torch.float32), (None, False, False, 0.3, torch.float64),
    ((1, 1, 7, 9), True, True, 0.0, torch.bfloat16),
    ((1, 1, 7, 9), True, True, 0.0, torch.float64),
    ((2, 3, 7, 9), True, False, 0.3, torch.float16),
    ((2, 3, 7, 9), True, False, 0.3, torch.float32)])
def test_multihead_attention(dtype, bias, masked, finite, p):
    torch.manual_seed(0)
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    inputs = [torch.randn(shape).to(dtype).requires_grad_() for shape in (
        (2, 3, 7, 16), (2, 3, 9, 16), (2, 3, 9, 8))]
    inputs.append(None if bias is None
                  else torch.randn(bias, dtype=wide, requires_grad=True))
    mask = torch.rand(2, 9) > 0.3 if masked else None
    if masked:
        mask[:, 0] = True
    rest = mask, torch.tensor(5) if p else None, finite, p
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        out = _multihead.attention(*inputs, *rest)
        cotangent = torch.randn(out.shape).to(dtype)
        leaves = [x for x in inputs if x is not None]
        found = torch.autograd.grad(out, leaves, cotangent)
    doubles = [x if x is None else x.detach().double().requires_grad_()
               for x in inputs]
    expected = torch.autograd.grad(
        _multihead._recompute(*doubles, *rest),
        [x for x in doubles if x is not None], cotangent.double())
    largest = max(y.abs().max() for y in expected)
    for x, y in zip(found, expected):
        assert x.shape == y.shape
        # With a bias scores are rounded to float32, also in float64.
        assert ((x.double() - y).abs().max() / largest
                < max(TOLERANCES[dtype], 2e-6))


@pytest.mark.parametrize("by_bias, by_mask", [
    (True, False), (False, True), (True, True)])
def test_rows_without_weights(by_bias, by_mask):
    # NaN where torch's operations give NaN.
    torch.manual_seed(0)
    inputs = [torch.randn(shape) for shape in (
        (2, 3, 7, 16), (2, 3, 9, 16), (2, 3, 9, 8), (1, 3, 7, 9))]
    mask = None
    if by_bias:
        inputs[3][0, 1, 2] = -torch.inf
    if by_mask:
        mask = torch.rand(2, 9) > 0.4
        mask[1] = False
    rest = mask, None, False, 0.0
    cotangent = torch.randn(2, 3, 7, 8)
    found, expected = (
        torch.autograd.grad(function(*leaves, *rest), leaves, cotangent)
        for function in (_multihead.attention, _multihead._recompute)
        for leaves in [[x.clone().requires_grad_() for x in inputs]])
    assert any(x.isnan().any() for x in expected)
    for x, y in zip(found, expected):
        torch.testing.assert_close(x, y, rtol=1e-4, atol=1e-5, equal_nan=True)


def test_compiled_multihead_attention():
    torch.manual_seed(0)
    inputs = [torch.randn(1, 2, 5, 16, requires_grad=True) for _ in range(3)]
    mask = torch.ones(1, 5, dtype=torch.bool)

    def run(*inputs):
        return _multihead.attention(*inputs, None, mask, None, False, 0.0)
    compiled = torch.compile(run, backend="aot_eager", fullgraph=True)
    for x, y in zip(*(torch.autograd.grad(f(*inputs).square().sum(), inputs)
                      for f in (run, compiled))):
        torch.testing.assert_close(x, y)


def mix(x, *parameters):
    """What Mix computes, in torch's operations."""
    from lattn.nn import _stream_gradients
    of_streams, of_branch = _stream_gradients.weigh(x, *parameters)
    y = (of_streams[..., :1, :] @ x).squeeze(2)
    both = torch.cat((of_streams, of_branch.transpose(-1, -2)), dim=2)
    return y, both.permute(2, 3, 0, 1).float(), x.view_as(x)


def build_rows(name, size, streams):
    """A function of leaves by kernels, in torch's operations, and leaves."""
    from lattn.nn import _gate, _stream_gradients, _streams
    rows = random.Random(size).choice((1, 3, 40)), random.Random(streams).choice(
        (1, 7, 33))
    if name == "geglu":
        return _gate.GEGLU.apply, _gate.geglu, [torch.randn(*rows, 2 * size)]
    x = torch.randn(*rows, streams, size)
    if name == "join":
        return (_stream_gradients.Join.apply, _stream_gradients.join,
                [x, torch.randn(streams + 2, streams, *rows),
                 torch.randn(*rows, size)])
    return (_stream_gradients.Mix.apply, mix,
            # Small: where tanh is near 1, its slope loses digits.
            [x, *(torch.randn(shape) / 16
                  for shape in _streams.shapes(streams, size).values())])


def list_rows():
    """Every size with every number of streams in float32, and each of them in each
    narrow type."""
    for shift, dtype in enumerate((torch.float32, torch.float16, torch.bfloat16)):
        yield from (("geglu", size, 0, dtype) for size in (1, 37, 128))
        for name, (i, size), (j, streams) in itertools.product(
                ("mix", "join"), enumerate((16, 48, 512)), enumerate((2, 3, 4, 6))):
            if dtype == torch.float32 or (i + j) % 3 == shift:
                yield name, size, streams, dtype


@pytest.mark.parametrize("name, size, streams, dtype", list_rows())
def test_rows(name, size, streams, dtype):
    torch.manual_seed(size + streams)
    run, reference, values = build_rows(name, size, streams)
    leaves = [x if name == "join" and i == 1 else x.to(dtype)
              for i, x in enumerate(values)]  # weights are float32
    doubles = [x.double().requires_grad_() for x in leaves]
    leaves = [x.requires_grad_() for x in leaves]
    out, expected = run(*leaves), reference(*doubles)
    if not isinstance(out, tuple):
        out, expected = (out,), (expected,)
    cotangents = [torch.randn(x.shape).to(x.dtype) for x in out]
    found = torch.autograd.grad(out, leaves, [
        x.transpose(-1, -2).contiguous().transpose(-1, -2)
        for x in cotangents])
    expected = torch.autograd.grad(expected, doubles, [
        x.double() for x in cotangents])
    for i, (x, y) in enumerate(zip(found, expected)):
        error = (x.double() - y).abs().max() / y.abs().max()
        assert error < 2 * TOLERANCES[dtype], (i, x.shape, error)


def train(model, tokens, **options):
    """The loss and the gradients of a step."""
    model.zero_grad()
    loss = model(tokens, return_loss=True, **options)
    loss.backward()
    return loss.detach(), [p.grad for p in model.parameters()]


def build_model(streams):
    torch.manual_seed(0)
    model = lattn.nn.LocalTransformer(
        num_tokens=32, dim=48, depth=2, max_seq_len=300, heads=2, dim_head=16,
        causal=True, local_attn_window_size=16, num_residual_streams=streams)
    with torch.no_grad():
        for p in model.parameters():  # those of hyper-connections begin as 0
            p += 0.1 * torch.randn_like(p)
    return model, torch.randint(32, (2, 290))


@pytest.mark.parametrize("streams", (1, 2, 4))
def test_model(streams):
    model, tokens = build_model(streams)
    loss, found = train(model, tokens)
    expected, grads = train(model.double(), tokens)  # by torch's operations
    assert abs(loss - expected) < 1e-5
    for x, y in zip(found, grads):
        if y is not None:
            assert (x - y).abs().max() < 2e-5 * max(1, y.abs().max())


def test_model_with_frozen_parameters():
    model, tokens = build_model(4)
    _, expected = train(model, tokens)
    frozen = set(range(0, len(expected), 2))
    for i, p in enumerate(model.parameters()):
        p.requires_grad_(i not in frozen)
    _, found = train(model, tokens)
    for i, (x, y) in enumerate(zip(found, expected)):
        assert x is None if i in frozen else torch.equal(x, y)


def test_model_with_checkpoints():
    model, tokens = build_model(4)
    x = torch.randn(2, 64, 4, 48, requires_grad=True)
    layer = model.layers[0][1]
    grads = [torch.autograd.grad(run(x).square().sum(), [x, *layer.parameters()])
             for run in (layer, lambda x: torch.utils.checkpoint.checkpoint(
                 layer, x, use_reentrant=False))]
    assert all(torch.equal(x, y) for x, y in zip(*grads))


@pytest.mark.parametrize("size, streams, dtype, tolerance", [
    (16, 2, torch.float32, 1e-5), (48, 4, torch.bfloat16, 0.03),
    (512, 6, torch.float16, 4e-3), (512, 6, torch.float32, 1e-5)])
@pytest.mark.parametrize("name", ["mix", "join"])
def test_second_derivatives_of_rows(name, size, streams, dtype, tolerance, recwarn):
    torch.manual_seed(size)
    run, reference, values = build_rows(name, size, streams)
    leaves = [(x if name == "join" and i == 1 else x.to(dtype)).requires_grad_()
              for i, x in enumerate(values)]
    doubles = [x.detach().double().requires_grad_() for x in leaves]
    found = []
    for function, xs in ((run, leaves), (reference, doubles)):
        out = function(*xs)
        out = out if isinstance(out, tuple) else (out,)
        first = torch.autograd.grad(sum(x.double().sin().sum() for x in out), xs,
                                    create_graph=True)
        torch.manual_seed(1)
        product = sum((x.double() * torch.randn(x.shape)).sum() for x in first)
        found.append(torch.autograd.grad(product, xs))
    for x, y in zip(*found):
        assert x.dtype == dtype or name == "join"
        assert (x.double() - y).norm() <= tolerance * y.norm()
    assert not [w for w in recwarn if "lattn" in str(w.message)]


def differentiate_times(function, xs, times):
    """The gradients of sums of sines, this many times."""
    found = function(*xs)
    for _ in range(times):
        found = found if isinstance(found, tuple) else (found,)
        found = torch.autograd.grad(sum(x.sin().sum() for x in found), xs,
                                    create_graph=True)
    return found


def test_third_derivatives_of_streams():
    torch.manual_seed(0)
    run, reference, values = build_rows("join", 16, 2)
    found, expected = (
        differentiate_times(function, [x.to(kind).requires_grad_() for x in values], 3)
        for function, kind in ((run, torch.float32), (reference, torch.float64)))
    for x, y in zip(found, expected):
        assert (x.double() - y).norm() <= 1e-4 * y.norm()
    run, _, values = build_rows("mix", 16, 2)
    with pytest.raises(NotImplementedError, match="third derivatives"):
        differentiate_times(run, [x.requires_grad_() for x in values], 3)


def test_second_derivatives_of_a_layer():
    model, _ = build_model(4)
    layer, found = model.layers[0][1], []
    x = torch.randn(1, 5, 4, 48)
    for dtype in (torch.float32, torch.float64):
        leaf = x.to(dtype).requires_grad_()
        layer.to(dtype)
        grad, = torch.autograd.grad(layer(leaf).square().sum(), leaf,
                                    create_graph=True)
        found.append(torch.autograd.grad(grad.square().sum(), leaf)[0])
    error = (found[0] - found[1]).abs().max() / found[1].abs().max()
    assert error < 1e-4, error


@pytest.mark.parametrize("length, dtype, causal", [
    (64, torch.float16, False), (432, torch.float32, True),
    (3000, torch.float32, False), (3000, torch.float16, True),
    (3000, torch.bfloat16, False)])
def test_xpos_over_many_positions(length, dtype, causal):
    """Scales stay bounded, here of a base of 8 positions, over any length."""
    torch.manual_seed(0)
    module = lattn.nn.LocalAttention(16, causal=causal, dim=16, use_xpos=True,
                                     autopad=True, exact_windowsize=causal)
    options = module.options(16)
    inputs = [torch.randn(1, 2, length, 16).to(dtype).requires_grad_()
              for _ in range(3)]
    inputs.append(torch.randn(2, 16, options.slots, requires_grad=True))
    cotangent = torch.randn(1, 2, length, 16).to(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = torch.autograd.grad(module(*inputs[:3], attn_bias=inputs[3]),
                                    inputs, cotangent)
    wide = [x.detach().double().requires_grad_() for x in inputs]
    expected = torch.autograd.grad(_eager.local_attention(
        *wide[:3], None, wide[3], *module.rotary_buffers(), options, None), wide,
        cotangent.double())
    for x, y in zip(found, expected):
        assert (x.double() - y).abs().max() < TOLERANCES[dtype] * y.abs().max()
