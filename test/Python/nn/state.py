# REQUIRES: slow
# RUN: %cached_pytest %s

# State: the packages' names and order, their initial values from the same seeds.

import copy
import pickle
import random
from types import SimpleNamespace

import pytest
import torch

import golden
from lattn import nn


def build(options):
    namespace = nn.zeta if "zeta" in options["package"] else nn
    args = ([SimpleNamespace(**options["args"])] if "args" in options else [])
    return getattr(namespace, options["module"])(*args, **options["ctor"])


@pytest.mark.parametrize("name", golden.names("initial"))
def test_initial(name):
    case = golden.Case(name)
    options = case.options
    torch.manual_seed(options["seed"])
    random.seed(options["seed"])
    module = build(options)
    if options.get("reset"):
        module.reset_parameters()
    state = module.state_dict()
    assert [f"w_{n}" for n in state] == list(case.arrays)
    for entry, x in state.items():
        case.check(f"w_{entry}", x, 1e-7)
    # Both ways, strictly, and what pickle and copy do.
    weights = {n[2:]: torch.from_numpy(x) for n, x in case.arrays.items()}
    other = build(options)
    other.load_state_dict(weights, strict=True)
    for twin in (other, copy.deepcopy(other), pickle.loads(pickle.dumps(other))):
        assert all(torch.equal(x, weights[n])
                   for n, x in twin.state_dict().items())


def test_attributes():
    module = nn.LocalAttention(4, True, dropout=0.5, scale=2, dim=8)
    assert (module.scale, module.window_size, module.causal) == (2, 4, True)
    assert (module.look_backward, module.look_forward) == (1, 0)
    assert not (module.autopad or module.exact_windowsize or module.shared_qk
                or module.use_xpos)
    assert module.dropout.p == 0.5
    assert nn.LocalAttention(4).rel_pos is None
    assert nn.LocalAttention(4).look_forward == 1
    assert nn.LocalAttention(4, rel_pos_emb_config=(6, 1)).rel_pos.dim == 6
    module = nn.LocalMHA(dim=4, window_size=2)
    assert module.exact_windowsize and module.attn_fn.autopad
    assert (module.heads, module.norm, module.to_v_gate) == (8, None, None)
