# REQUIRES: slow
# RUN: %cached_pytest %s

# Modules begin to compile what their steps take, and nothing twice.

import pytest
import torch

from lattn import _kernels, nn

MODULES = {
    "LocalMHA": lambda: nn.LocalMHA(dim=32, window_size=8, dim_head=16, heads=2,
                                    prenorm=True),
    "gated": lambda: nn.LocalMHA(dim=32, window_size=8, dim_head=16, heads=2,
                                 gate_values_per_head=True),
    "LocalTransformer": lambda: nn.LocalTransformer(
        num_tokens=16, max_seq_len=256, dim=32, depth=2, local_attn_window_size=8,
        dim_head=16, heads=2),
    "one stream": lambda: nn.LocalTransformer(
        num_tokens=16, max_seq_len=256, dim=32, depth=2, local_attn_window_size=8,
        dim_head=16, heads=2, num_residual_streams=1),
}


@pytest.fixture
def texts(monkeypatch):
    """Of all kernels that are compiled from now on."""
    monkeypatch.setattr(_kernels, "_kernels", {})
    compiled, found = _kernels.Callable, []

    def record(text, *options):
        found.append(text)
        return compiled(text, *options)
    monkeypatch.setattr(_kernels, "Callable", record)
    yield found
    _kernels.wait()


@pytest.mark.parametrize("trains", [True, False])
@pytest.mark.parametrize("name", MODULES)
def test_once(texts, name, trains):
    torch.manual_seed(0)
    module = MODULES[name]()
    x = (torch.randn(2, 200, 32) if "MHA" in name or name == "gated"
         else torch.randint(0, 16, (2, 200)))
    with torch.set_grad_enabled(trains):
        out = module(x)
    if trains:
        out.sum().backward()
    _kernels.wait()
    assert texts
    assert len(texts) == len(set(texts)), [
        text.decode() for text in set(texts) if texts.count(text) > 1]
