# REQUIRES: slow
# RUN: %cached_pytest %s

# Rotary buffers that hold other numbers than their module's arguments give: what
# is used is what they hold.

import types

import pytest
import torch
from torch.func import functional_call, grad, jvp

import lattn
from lattn import nn
from lattn import _kernels

pytestmark = pytest.mark.filterwarnings("ignore:lattn.nn")
NAME = "rel_pos.inv_freq"


def frequencies(theta, dim=8):
    return theta ** (-torch.arange(0, dim, 2) / dim)


def build(theta=10000.0, **options):
    module = nn.LocalAttention(4, causal=True, dim=8, **options)
    if theta != 10000:
        # With kernels: theta is no argument of the package's.
        module.rel_pos = nn.SinusoidalEmbeddings(
            8, use_xpos=module.use_xpos, scale_base=2, theta=theta)
    return module


@pytest.fixture
def x():
    return torch.randn(2, 2, 12, 8, generator=torch.Generator().manual_seed(0))


def check(got, x, **options):
    expected = build(500000.0, **options)(x, x, x)
    torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-5)
    assert (got - build(**options)(x, x, x)).abs().max() > 0.01


@pytest.mark.parametrize("options", [{}, {"use_xpos": True},
                                     {"shared_qk": True}])
@torch.no_grad()
def test_in_place(x, options):
    module = build(**options)
    module(x, x, x)
    module.rel_pos.inv_freq.copy_(frequencies(500000.0))
    check(module(x, x, x), x, **options)
    module.rel_pos.inv_freq.data.copy_(frequencies(10000.0))
    assert torch.equal(module(x, x, x), build(**options)(x, x, x))
    module.rel_pos.inv_freq.data.copy_(frequencies(500000.0))  # no version
    check(module(x, x, x), x, **options)
    # A different theta with the buffer of before: the buffer counts.
    module = build(**options)
    module.rel_pos.theta = 500.0
    torch.testing.assert_close(module(x, x, x), build(**options)(x, x, x))


def test_functional_call(x):
    module, other = build(), {NAME: frequencies(500000.0)}
    check(functional_call(module, other, (x, x, x)), x)
    compiled = torch.compile(lambda t: functional_call(module, t, (x, x, x)),
                             fullgraph=True, backend="aot_eager")
    check(compiled(other), x)
    assert torch.equal(compiled({NAME: module.rel_pos.inv_freq}),
                       module(x, x, x))
    # Derivatives by the frequencies.
    call = lambda f: functional_call(module, {NAME: f}, (x, x, x)).square().sum()
    f, step = frequencies(10000.0), 1e-3
    t = torch.tensor([1.0, -1.0, 0.0, 0.0])
    slope = (call(f + step * t) - call(f - step * t)) / (2 * step)
    torch.testing.assert_close(jvp(call, (f,), (t,))[1], slope, rtol=1e-2,
                               atol=1e-2)
    torch.testing.assert_close(grad(call)(f) @ t, slope, rtol=1e-2, atol=1e-2)
    f.requires_grad_()
    call(f).backward()
    torch.testing.assert_close(f.grad @ t, slope, rtol=1e-2, atol=1e-2)


def test_loaded(x):
    module = build()
    state = module.state_dict()
    assert list(state) == [NAME]
    expected, count = module(x, x, x), _kernels.count()
    # Of 16 bits, or as another machine rounds: the kernel's exact ones.
    for same in (state[NAME].bfloat16().float(), state[NAME].half().float(),
                 torch.nextafter(state[NAME], torch.tensor(1.0))):
        module.load_state_dict({NAME: same})
        assert torch.equal(module(x, x, x), expected)
    assert torch.equal(module.bfloat16()(x, x, x), expected)
    assert _kernels.count() == count
    module = build()
    module.load_state_dict({NAME: frequencies(500000.0)})
    check(module(x, x, x), x)
    with pytest.raises(RuntimeError, match="size mismatch"):
        module.load_state_dict({NAME: state[NAME][:1]})
    with pytest.raises(ValueError, match=r"inv_freq: expected the shape \(4\)"):
        functional_call(module, {NAME: torch.ones(3)}, (x, x, x))


def test_warns(x):
    nn._rotary.warn_of_buffers.cache_clear()
    module = build()
    module.rel_pos.inv_freq.mul_(1.001)
    with pytest.warns(UserWarning, match="inv_freq or scale holds other"):
        module(x, x, x)


@torch.no_grad()
def test_xpos_scales(x):
    module = build(use_xpos=True)
    before = module(x, x, x)
    module.rel_pos.scale.pow_(2)  # as half of the base
    other = nn.LocalAttention(4, causal=True, dim=8, use_xpos=True,
                              xpos_scale_base=1)
    torch.testing.assert_close(module(x, x, x), other(x, x, x))
    assert (module(x, x, x) - before).abs().max() > 0.01
    # Without xpos it is not used.
    module = build()
    module.rel_pos.scale.zero_()
    assert torch.equal(module(x, x, x), build()(x, x, x))


def test_xpos_module(x):
    module = nn.XPOS(8, 512)
    assert torch.equal(module.state_dict()["scale"], module.scale)
    before = module(x)
    module.load_state_dict({"scale": module.scale.bfloat16().float()})
    assert torch.equal(module(x), before)
    module.scale.copy_(nn.XPOS(8).scale.square())
    torch.testing.assert_close(module(x), nn.XPOS(8, 256)(x))


@pytest.mark.parametrize("mha", [False, True])
@torch.no_grad()
def test_decoding(mha):
    torch.manual_seed(0)
    options = dict(dim=16, dim_head=16, heads=2, causal=True)
    if mha:
        module = nn.LocalMHA(window_size=4, **options)
        first, rotary = module, module.attn_fn.rel_pos
        x = torch.randn(2, 7, 16)
        last = lambda cache: first(x[:, -1:], cache=cache, return_cache=True)
    else:
        module = nn.LocalTransformer(num_tokens=9, max_seq_len=16, depth=1,
                                     local_attn_window_size=4, **options)
        rotary = module.layers[0][0].branch.attn_fn.rel_pos
        first, x = module, torch.randint(9, (2, 7))
        last = lambda cache: first(x, cache=cache, return_cache=True)
    module.eval()

    def steps():
        cache = first(x[:, :-1], return_cache=True)[1]
        torch.testing.assert_close(last(cache)[0][:, -1], first(x)[:, -1],
                                   rtol=1e-4, atol=1e-5)
        return cache
    steps()
    before = first(x)
    rotary.inv_freq.copy_(frequencies(50.0, 16))
    assert (first(x) - before).abs().max() > 1e-4
    steps()
    # Between two steps, with keys in a buffer that are turned already.
    rotary.inv_freq.copy_(frequencies(10000.0, 16))
    half = first(x[:, :-2], return_cache=True)[1]
    step = (x[:, -2:-1],) if mha else (x[:, :-1],)
    cache = first(*step, cache=half, return_cache=True)[1]
    rotary.inv_freq.copy_(frequencies(50.0, 16))
    torch.testing.assert_close(last(cache)[0], last(steps())[0], rtol=1e-4,
                               atol=1e-4)


def test_functions(x):
    """Those without torch take a module's state_dict; its buffers, too, are no
    decoration."""
    module = nn.LocalMHA(dim=16, window_size=4, dim_head=8, heads=2)
    weights = {n: w.numpy() for n, w in module.state_dict().items()}
    rows = x.flatten(0, 1)[..., None, :].expand(-1, -1, 2, -1).flatten(2)
    run = lambda: lattn.local_mha(rows.numpy(), weights, window_size=4, heads=2)
    run()
    weights["attn_fn.rel_pos.inv_freq"] = frequencies(50.0).numpy()
    with pytest.raises(ValueError, match="inv_freq.*expected the numbers"):
        run()
    torch.manual_seed(0)
    args = types.SimpleNamespace(multiway=False, xpos_rel_pos=True,
                                 xpos_scale_base=512)
    module = nn.MultiheadAttention(args, 16, 2, self_attention=True)
    weights = {n: w.numpy() for n, w in module.state_dict().items()}
    y = rows[:, :, :16].numpy()
    run = lambda: lattn.multihead_attention(y, y, y, weights, num_heads=2,
                                            xpos_rel_pos=True)
    run()
    weights["xpos.scale"] = weights["xpos.scale"] + 1
    with pytest.raises(ValueError, match="xpos.scale.*expected the numbers"):
        run()
