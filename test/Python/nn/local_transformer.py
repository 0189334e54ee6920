# REQUIRES: slow
# RUN: %cached_pytest %s

# LocalTransformer: what the package computed, and generation.

import pytest
import torch

import golden
from lattn import _kernels, nn

SMALL = dict(num_tokens=23, max_seq_len=40, dim=12, depth=2,
             local_attn_window_size=4, dim_head=4, heads=2)


def make(**options):
    torch.manual_seed(0)
    return nn.LocalTransformer(**SMALL | options).eval()


@pytest.mark.parametrize("name", golden.names("local_transformer"))
def test_golden(name):
    case = golden.Case(name)
    module = case.load(nn.LocalTransformer(**case.options["ctor"]))
    x, mask = case.tensor("x"), case.tensor("mask")
    case.check("out", module(x, mask=mask))
    if "out_loss" in case.arrays:
        case.check("out_loss", module(x, mask=mask, return_loss=True))


@pytest.mark.parametrize("name", golden.names("local_transformer_generate"))
def test_generate(name):
    case = golden.Case(name)
    ctor, options = case.options["ctor"], case.options["generate"]
    module = case.load(nn.LocalTransformer(**ctor, upstream_cache=True))
    case.check("out_tokens", module.generate(case.tensor("x"), **options))


@pytest.mark.parametrize("options", [
    {}, {"use_xpos": True}, {"use_dynamic_pos_bias": True},
    {"exact_windowsize": False}, {"qk_rmsnorm": True, "shared_qk": True},
    {"num_residual_streams": 1, "gate_values_per_head": True}], ids=str)
@pytest.mark.parametrize("temperature", [0.0, 1.3])
def test_cache_changes_nothing(options, temperature):
    module = make(**options)
    prime, tokens = torch.randint(23, (2, 5)), []
    for use_kv_cache in (True, False):
        torch.manual_seed(1)
        tokens.append(module.generate(prime, 35, temperature=temperature,
                                      filter_thres=0.5,
                                      use_kv_cache=use_kv_cache))
    assert tokens[0].shape == (2, 35)
    assert torch.equal(*tokens)


def test_longer_than_positions():
    # Positions slide, as in the package; all tokens come.
    tokens = make().generate(torch.randint(23, (1, 30)), 30)
    assert tokens.shape == (1, 30) and (tokens < 23).all()


def test_compiles_once():
    module = make(max_seq_len=2000)
    module.generate(torch.randint(23, (1, 3)), 2)
    before = _kernels.count()
    module.generate(torch.randint(23, (2, 50)), 1000)
    with torch.no_grad():  # gradients need another kernel
        module(torch.randint(23, (3, 61)))
    assert _kernels.count() == before


def test_mode_is_restored():
    module = make()
    for training in (True, False):
        module.train(training).generate(torch.randint(23, (1, 3)), 2)
        assert module.training == training
        with pytest.raises(IndexError):
            module.generate(torch.full((1, 3), 23), 2)
        assert module.training == training


def test_global_layers():
    module = make(global_attn_layer=torch.nn.Linear(12, 12),
                  layers_insert_global_attn=(2,), num_residual_streams=1)
    assert {n for n in module.state_dict() if n.startswith("global")} == {
        "global_layers.1.branch.weight", "global_layers.1.branch.bias"}
    assert module(torch.randint(23, (1, 9))).shape == (1, 9, 23)


def test_without_tokens():
    module = make(num_tokens=None)
    x = torch.randn(2, 7, 12)
    assert module(x).shape == x.shape
    with pytest.raises(AssertionError):
        module.generate(torch.zeros(1, 3, dtype=torch.long), 2)


def test_errors():
    module = make()
    for call in (lambda: module(torch.zeros(1, 41, dtype=torch.long)),
                 lambda: module.generate(torch.zeros(1, 3, dtype=torch.long), 2,
                                         temperature=-1.0),
                 lambda: make(layers_insert_global_attn=(3,))):
        with pytest.raises(AssertionError):
            call()
    with pytest.raises(RuntimeError):
        module.generate(torch.zeros(1, 0, dtype=torch.long), 2)
