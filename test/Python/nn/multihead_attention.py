# REQUIRES: slow
# RUN: %cached_pytest %s

# MultiheadAttention: what torchscale and zeta computed, and beyond.

from types import SimpleNamespace

import numpy as np
import pytest
import torch

import golden
from lattn import nn

TORCHSCALE = golden.names("multihead_attention")
ZETA = golden.names("multihead_attention_zeta")


def make_args(**values):
    return SimpleNamespace(**dict(multiway=False, layernorm_eps=1e-5,
                                  xpos_rel_pos=False, xpos_scale_base=512)
                           | values)


def make(size=8, heads=2, dtype=torch.float32, dropout=0.0, subln=False, **args):
    torch.manual_seed(0)
    module = nn.MultiheadAttention(make_args(**args), size, heads,
                                   dropout=dropout, self_attention=True,
                                   subln=subln)
    return module.to(dtype).eval().requires_grad_(False)


def build(options):
    if "zeta" in options["package"]:
        args = dict(options["args"])
        args.pop("multiway")
        return nn.zeta.MultiheadAttention(**options["ctor"], **args)
    return nn.MultiheadAttention(make_args(**options["args"]),
                                 **options["ctor"])


@pytest.mark.parametrize("name", TORCHSCALE + ZETA)
def test_golden(name):
    case = golden.Case(name)
    options = case.options
    module = case.load(build(options))
    if options["split_position"] is not None:
        module.apply(nn.set_split_position(options["split_position"]))
    state = {} if options["incremental"] else None
    for i in range(len(options["steps"])):
        out = module(
            *(case.tensor(f"{x}_{i}") for x in ("query", "key", "value")),
            incremental_state=state, attn_mask=case.tensor(f"attn_mask_{i}"),
            key_padding_mask=case.tensor(f"key_padding_mask_{i}"),
            rel_pos=case.tensor(f"rel_pos_{i}"),
            is_first_step=options["is_first_step"] and i == 0)
        if name in TORCHSCALE:
            out, weights = out
            case.check(f"out_weights_{i}", weights)
        case.check(f"out_{i}", out)
        for entry in state or ():
            case.check(f"state_{entry}_{i}", state[entry])
    case.check_gradients(out)


@pytest.mark.parametrize("dtype, tolerance", [
    (torch.float64, 1e-6), (torch.float32, 1e-5), (torch.bfloat16, 3e-2),
    (torch.float16, 4e-3)])
@pytest.mark.parametrize("masks", [
    (), ("attn_mask",), ("rel_pos",), ("attn_mask", "rel_pos", "padding")])
def test_output_is_weights_times_values(dtype, tolerance, masks):
    module = make(16, 4, dtype=dtype)
    x = torch.randn(2, 7, 16, dtype=dtype)
    options = {}
    if "attn_mask" in masks:
        options["attn_mask"] = torch.full((7, 7), -torch.inf).triu(1)
    if "rel_pos" in masks:
        options["rel_pos"] = torch.randn(8, 7, 7, dtype=dtype)
    if "padding" in masks:
        options["key_padding_mask"] = torch.arange(7).expand(2, 7) > 4
    out, weights = module(x, x, x, **options)
    assert out.dtype == weights.dtype == dtype
    assert weights.shape == (4, 2, 7, 7)
    values = module.v_proj(x).view(2, 7, 4, 4).permute(2, 0, 1, 3)
    expected = (weights.double() @ values.double()).permute(1, 2, 0, 3)
    expected = module.out_proj(expected.flatten(2).to(dtype))
    torch.testing.assert_close(out, expected, rtol=tolerance, atol=tolerance)
    alone, nothing = module(x, x, x, **options, need_weights=False)
    assert nothing is None and torch.equal(alone, out)


def test_rows_without_keys():
    module, x = make(), torch.randn(2, 5, 8)
    padding = torch.zeros(2, 5)
    padding[1] = 1  # numbers, too
    out, weights = module(x, x, x, key_padding_mask=padding)
    assert out[1].isnan().all() and weights[:, 1].isnan().all()
    assert not out[0].isnan().any()
    out, weights = module(x, x[:, :0], x[:, :0])
    assert not out.isnan().any() and weights.shape == (2, 2, 5, 0)
    assert module(x[:, :0], x, x)[0].shape == (2, 0, 8)


def test_bool_mask_is_added():
    module, x = make(), torch.randn(1, 4, 8)
    mask = torch.ones(4, 4).triu(1)
    for got, expected in zip(module(x, x, x, attn_mask=mask.bool()),
                             module(x, x, x, attn_mask=mask)):
        assert torch.equal(got, expected)


def test_scores_that_are_not_finite():
    # With attn_mask NaN scores count as 0, infinite ones as the largest number.
    module, x = make(), torch.randn(1, 4, 8)
    key = x.clone()
    key[0, 2] = torch.nan
    assert module(x, key, x)[0].isnan().all()
    out, weights = module(x, key, x, attn_mask=torch.zeros(4, 4))
    assert not out.isnan().any() and not weights.isnan().any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_increments(dtype):
    module = make(dtype=dtype, xpos_rel_pos=True)
    x = torch.randn(2, 9, 8, dtype=dtype)
    causal = torch.full((9, 9), -torch.inf).triu(1)
    expected, _ = module(x, x, x, attn_mask=causal)
    state, outs = {}, []
    first = module(x[:, :4], x[:, :4], x[:, :4], incremental_state=state,
                   attn_mask=causal[:4, :4], is_first_step=True)[0]
    for i in range(4, 9):
        one = x[:, i:i + 1]
        outs.append(module(one, one, one, incremental_state=state)[0])
        assert state["prev_key"].shape == (2, 2, i + 1, 4)
    tolerance = 1e-5 if dtype == torch.float32 else 5e-2
    torch.testing.assert_close(torch.cat([first, *outs], dim=1), expected,
                               rtol=tolerance, atol=tolerance)


def test_multiway():
    module, x = make(multiway=True, subln=True), torch.randn(1, 5, 8)
    outs = {}
    for position in (-1, 0, 2, 5):
        module.apply(nn.set_split_position(position))
        outs[position] = module(x, x, x)[0]
    assert torch.equal(outs[-1], outs[5])
    assert not torch.allclose(outs[-1], outs[0])
    for position in (6, -2):
        module.apply(nn.set_split_position(position))
        with pytest.raises(RuntimeError):
            module(x, x, x)


def test_reset_parameters():
    for multiway in (False, True):
        module = make(64, 4, multiway=multiway)
        module.reset_parameters()
        for name, weight in module.named_parameters():
            bound = (3 / 64) ** 0.5 / (1 if "out" in name else 2 ** 0.5)
            if name.endswith("weight"):
                assert 0.9 * bound < weight.abs().max() <= bound
            elif "out" in name:
                assert (weight == 0).all()


def test_errors():
    module, x = make(), torch.randn(2, 3, 8)
    with pytest.raises(AssertionError, match="^False$"):
        module(x[:0], x[:0], x[:0])
    for options in ({"attn_mask": torch.zeros(2, 3, 3)},
                    {"attn_mask": torch.zeros(3, 4)},
                    {"key_padding_mask": torch.zeros(2, 4)},
                    {"rel_pos": torch.zeros(3, 3)}):
        with pytest.raises(RuntimeError):
            module(x, x, x, **options)
    with pytest.raises(RuntimeError, match="value"):
        module(x, x, x[:, :2])
    with pytest.raises(RuntimeError):
        make(9, 2)(x.new_zeros(1, 2, 9), x.new_zeros(1, 2, 9),
                   x.new_zeros(1, 2, 9))


class Args:
    multiway, xpos_rel_pos = False, False


@pytest.mark.parametrize("module", [
    lambda **more: nn.zeta.MultiheadAttention(
        Args, embed_dim=512, num_heads=8, dropout=0.1, self_attention=True,
        **more),
    lambda **more: nn.zeta.MultiheadAttention(Args(), 512, 8, 0.1, True, **more),
    lambda **more: nn.zeta.MultiheadAttention(
        args=Args, embed_dim=512, num_heads=8, dropout=0.1, self_attention=True,
        **more)])
def test_zeta_as_documented(module):
    torch.manual_seed(0)
    documented = module()
    torch.manual_seed(0)
    other = nn.MultiheadAttention(Args, 512, 8, 0.1, self_attention=True)
    assert list(documented.state_dict()) == list(other.state_dict())
    documented.eval(), other.eval()
    x = torch.randn(2, 6, 512)
    attn, weights = documented(x, x, x, attn_mask=torch.zeros(6, 6))
    expected = other(x, x, x, attn_mask=torch.zeros(6, 6))
    assert torch.equal(attn, expected[0]) and torch.equal(weights, expected[1])
    assert weights.shape == (8, 2, 6, 6)
    assert documented(x, x, x, need_weights=False)[1] is None
    assert isinstance(documented, nn.zeta.MultiheadAttention)
    module(subln=False, encoder_decoder_attention=False)
    with pytest.raises(TypeError, match="layernorm_eps"):
        module(layernorm_eps=1e-5)  # the release's


def test_zeta_as_released():
    x = torch.randn(2, 6, 32)
    for module in (nn.zeta.MultiheadAttention(32, 4, self_attention=True),
                   nn.zeta.MultiheadAttention(embed_dim=32, num_heads=4),
                   nn.zeta.MultiheadAttention(np.int64(32), 4)):
        assert module(x, x, x).shape == x.shape
        with pytest.raises(TypeError, match="need_weights"):
            module(x, x, x, need_weights=True)
    with pytest.raises(TypeError, match="encoder_decoder_attention"):
        nn.zeta.MultiheadAttention(32, 4, encoder_decoder_attention=True)
    with pytest.raises(TypeError, match="num_heads"):
        nn.zeta.MultiheadAttention(32)
