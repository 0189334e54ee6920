# REQUIRES: slow, torch
# RUN: %cached_pytest %s

# Values and all gradients of modules in training, with drawn sizes and options, against
# the same modules in float64, which torch's operations compute.

import copy

import numpy as np
import pytest
import torch

from lattn import nn

TOLERANCES = {torch.float32: 2e-4, torch.bfloat16: 6e-2}


def draw(seed):
    """(kind of module, options, shape of the input, whether there is a mask)."""
    rng = np.random.default_rng(seed)

    def pick(*choices):
        return choices[rng.integers(len(choices))]
    # Around the least number of rows for kernels, and of whole vectors.
    batches, length = pick(1, 2, 3), pick(5, 64, 90, 128, 200, 257)
    dim, window = pick(32, 48, 50, 64), pick(8, 16, 20, 64)
    options = dict(dim=dim, dim_head=pick(8, 16, 20), heads=pick(1, 2, 3),
                   causal=bool(rng.random() < .6),
                   qk_rmsnorm=bool(rng.random() < .4))
    options["use_xpos"] = options["causal"] and bool(rng.random() < .3)
    masked = bool(rng.random() < .3)
    if seed % 2:
        return nn.LocalMHA, options | dict(
            window_size=window, prenorm=bool(rng.random() < .6),
            exact_windowsize=pick(None, False),
            gate_values_per_head=bool(rng.random() < .3)), (
                batches, length, dim), masked
    return nn.LocalTransformer, options | dict(
        num_tokens=pick(17, 32), max_seq_len=257, depth=pick(1, 2),
        local_attn_window_size=window, ff_mult=pick(2, 4),
        num_residual_streams=pick(1, 2, 4)), (batches, length), masked


def train(module, x, mask, weights):
    """The output, and the gradients of the parameters and of x."""
    x = x.detach().requires_grad_() if x.is_floating_point() else x
    out = module(x, mask=mask)
    (out * weights.to(out.dtype)).sum().backward()
    found = {name: p.grad for name, p in module.named_parameters()}
    return found | {"output": out.detach(), "x": x.grad}


@pytest.mark.parametrize("kind, seed", [
    *((torch.float32, seed) for seed in range(6)),
    *((torch.bfloat16, seed) for seed in (1, 3))], ids=str)
def test_training(kind, seed):
    make, options, shape, masked = draw(seed)
    torch.manual_seed(seed)
    module = make(**options)
    with torch.no_grad():
        for p in module.parameters():  # none is 0
            p.add_(0.05 * torch.randn_like(p))
    module.to(kind)
    tokens = options.get("num_tokens")
    x = torch.randn(shape).to(kind) if tokens is None else torch.randint(tokens, shape)
    mask = torch.rand(shape[:2]) < .9 if masked else None
    weights = torch.randn(*shape[:2], tokens or shape[2]).to(kind)
    wide = train(copy.deepcopy(module).double(),
                 x.double() if tokens is None else x, mask, weights)
    for name, y in train(module, x, mask, weights).items():
        expected = wide[name]
        if expected is None:
            assert y is None, name
            continue
        assert y.dtype == kind
        error = (y.double() - expected).abs().max().item()
        assert error <= TOLERANCES[kind] * (
            1e-3 + expected.abs().max().item()), (name, error, options, shape)
