# REQUIRES: slow
# RUN: %cached_pytest %s

# SinusoidalEmbeddings, apply_rotary_pos_emb and XPOS: what the packages computed.

import pytest
import torch

import golden
from lattn import nn

TABLES = 1e-4


@pytest.mark.parametrize("name", golden.names("rotary"))
def test_rotary(name):
    case = golden.Case(name)
    module = nn.SinusoidalEmbeddings(**case.options["ctor"])
    q, k = case.tensor("q"), case.tensor("k")
    freqs, scale = module(k)
    case.check("out_freqs", freqs, TABLES)
    case.check("out_scale", scale, TABLES)
    q, k = nn.apply_rotary_pos_emb(q, k, freqs, scale=scale)
    case.check("out_q", q, TABLES)
    case.check("out_k", k, TABLES)


@pytest.mark.parametrize("name", golden.names("xpos"))
def test_xpos(name):
    case = golden.Case(name)
    module = nn.XPOS(**case.options["ctor"])
    case.check("out", module(case.tensor("x"), **case.options["forward"]),
               TABLES)


def test_xpos_of_any_rank():
    module, x = nn.XPOS(8), torch.randn(2, 3, 5, 8)
    flat = module(x.flatten(0, 1), offset=4, downscale=True)
    torch.testing.assert_close(module(x, offset=4, downscale=True),
                               flat.view_as(x))
    assert module(x.bfloat16()).dtype == torch.bfloat16


def test_without_xpos():
    freqs, scale = nn.SinusoidalEmbeddings(5)(torch.zeros(7, 5))
    assert freqs.shape == (7, 6) and torch.equal(scale, torch.ones(1))
    assert torch.equal(freqs[:, :3], freqs[:, 3:])
    assert torch.equal(freqs[1, :1], torch.ones(1))
