# REQUIRES: slow
# RUN: %cached_pytest %s

# torch.autocast, as torch's scaled_dot_product_attention follows it.

import pytest

torch = pytest.importorskip("torch")

import lattn
from lattn import nn

F32, BF16, F16, F64 = torch.float32, torch.bfloat16, torch.float16, torch.float64
LOCAL = nn.LocalAttention(window_size=8)

FUNCTIONS = {
    "attention": lattn.attention,
    "sdpa": lattn.scaled_dot_product_attention,
    "local": lambda q, k, v: lattn.local_attention(q, k, v, window_size=8),
    "module": lambda q, k, v: LOCAL(q, k, v),
}


def run(function, cast, types, mask=None, out=BF16):
    """The output, and the leaves with their gradients."""
    torch.manual_seed(0)
    leaves = [torch.randn(1, 2, 24, 16).to(dtype).requires_grad_() for dtype in types]
    options = {}
    if mask is not None:
        options["attn_mask"] = torch.randn(24, 24).to(mask).requires_grad_()
    with torch.autocast("cpu", dtype=cast, enabled=cast is not None):
        output = function(*leaves, **options)
    output.float().square().sum().backward()
    return output, [*leaves, *options.values()]


MIXED = [(F32, F32, F32), (F32, F32, BF16), (F16, F32, BF16), (BF16, BF16, BF16)]


@pytest.mark.parametrize("cast, types, mask", [
    *((BF16, types, None) for types in MIXED), (F16, (F32, F32, BF16), None),
    (BF16, (F32, F32, BF16), F32), (BF16, (F32, F32, F32), F16),
    (BF16, (F64, F64, F64), None)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_torch(name, cast, types, mask):
    if mask is not None and name in ("local", "module"):
        return
    output, leaves = run(FUNCTIONS[name], cast, types, mask)
    expected, others = run(torch.nn.functional.scaled_dot_product_attention, cast,
                           types, mask)
    assert output.dtype == expected.dtype
    assert [x.grad.dtype for x in leaves] == [x.dtype for x in leaves]
    assert output.dtype == (F64 if types[0] == F64 else cast)
    if name in ("local", "module"):
        return
    # Both round what they get to the same type.
    for x, y in [(output, expected), *((a.grad, b.grad)
                                       for a, b in zip(leaves, others))]:
        x, y = x.double(), y.double()
        assert (x - y).abs().max() <= 2**-6 * y.abs().max()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_casts_first(name):
    """The numbers are those of tensors that the caller casts."""
    function = FUNCTIONS[name]
    output, leaves = run(function, BF16, (F32, F16, BF16))
    cast = [x.detach().to(BF16).requires_grad_() for x in leaves]
    expected = function(*cast)
    expected.float().square().sum().backward()
    assert torch.equal(output, expected)
    for x, y in zip(leaves, cast):
        assert torch.equal(x.grad, y.grad.to(x.dtype))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled(name):
    torch._dynamo.reset()
    compiled = torch.compile(FUNCTIONS[name], backend="aot_eager")
    for cast in (BF16, None, F16):
        types = (F32, F32, F32) if cast is None else (F32, F32, BF16)
        output, leaves = run(compiled, cast, types)
        expected, others = run(FUNCTIONS[name], cast, types)
        assert output.dtype == expected.dtype == (cast or F32)
        assert torch.equal(output, expected)
        for x, y in zip(leaves, others):
            assert x.grad.dtype == y.grad.dtype


@pytest.mark.parametrize("name, error, match", [
    ("attention", TypeError, "v: expected elements of float32, got bfloat16"),
    ("sdpa", TypeError, "v: expected elements of float32, got bfloat16"),
    ("local", TypeError, "v: expected elements of float32, got bfloat16"),
    ("module", RuntimeError, "v: expected elements of q's type")])
def test_mixed_types_without_autocast(name, error, match):
    with pytest.raises(error, match=match):
        run(FUNCTIONS[name], None, (F32, F32, BF16))
    with torch.autocast("cpu", enabled=False), pytest.raises(error, match=match):
        run(FUNCTIONS[name], None, (F32, F32, BF16))


def test_what_scores_get_stays_float32():
    """1000 + 1/8 is no number of bfloat16."""
    x = torch.zeros(1, 1, 2, 16)
    v = torch.eye(2, 16)[None, None]
    bias = torch.tensor([1000.0, 1000.125])
    with torch.autocast("cpu", dtype=BF16):
        found = lattn.attention(x, x, v, bias=bias)
        masked = lattn.attention(x, x, v, attn_mask=bias)
        sunk, lse = lattn.attention(x, x, v, sink=bias[1:], return_lse=True)
    expected = bias.softmax(0).to(BF16)
    for y in (found, masked):
        assert torch.equal(y[0, 0, :, :2], expected.expand(2, 2))
    assert abs(lse - torch.logsumexp(torch.tensor([0.0, 0.0, 1000.125]), 0)).max() < 1e-3


def test_earlier_keys_of_another_type():
    """As torchscale's module, which concatenates them and casts then."""
    from types import SimpleNamespace

    module = nn.MultiheadAttention(SimpleNamespace(multiway=False, xpos_rel_pos=False),
                                   32, 2, self_attention=True)
    x, state = torch.randn(1, 4, 32), {}
    module(x, x, x, incremental_state=state)
    with torch.autocast("cpu", dtype=BF16):
        output, weights = module(x, x, x, incremental_state=state)
    assert output.dtype == BF16 and state["prev_key"].shape[2] == 8


def test_formulas_stay_float32():
    """What torch computes for lattn is not rounded on the way."""
    module = nn.LocalAttention(window_size=8, dim=16, autopad=True)
    module.rel_pos.inv_freq.mul_(0.5)  # no kernel takes these
    q, k, v = torch.randn(3, 1, 2, 24, 16, dtype=F32).to(BF16)
    expected = module(q, k, v)
    with torch.autocast("cpu", dtype=BF16):
        assert torch.equal(module(q, k, v), expected)
