# REQUIRES: slow
# RUN: %cached_pytest %s

# LocalMHA: what the package computed, its gradients, and its cache.

import pytest
import torch

import golden
from lattn import nn

STEPS = golden.names("local_mha_cache")


@pytest.mark.parametrize("name", golden.names("local_mha"))
def test_golden(name):
    case = golden.Case(name)
    module = case.load(nn.LocalMHA(**case.options["ctor"]))
    out = module(case.tensor("x"), mask=case.tensor("mask"),
                 attn_bias=case.tensor("attn_bias"))
    assert out.dtype == case.dtype
    case.check("out", out)
    case.check_gradients(out, module)


@pytest.mark.parametrize("name", STEPS)
def test_upstream_cache(name):
    case = golden.Case(name)
    module = case.load(nn.LocalMHA(**case.options["ctor"], upstream_cache=True))
    bias, cache = case.tensor("attn_bias"), None
    for i in range(case.options["steps"] + 1):
        x = case.tensor(f"x_{i}" if i else "x")
        out, cache = module(x, attn_bias=bias, cache=cache, return_cache=True)
        case.check(f"out_{i}", out)
        case.check(f"cache_{i}", cache)
