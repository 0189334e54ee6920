# REQUIRES: slow, torch-mlir
# RUN: env FIRST=%{slice}2000 COUNT=4%{times100} %cached_pytest %s

# Random functions by torch.compile(backend="lattn"). Batch and length change from call
# to call. The results agree with torch's in float64.

import os
import warnings

import pytest
import torch

import random_torch

FIRST, COUNT = int(os.environ["FIRST"]), int(os.environ["COUNT"])
SHAPES = [(2, 5, 8), (3, 7, 8), (5, 11, 8)]


def results(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_program(seed):
    torch._dynamo.reset()
    function, names = random_torch.make(seed)
    compiled = torch.compile(function, backend="lattn")
    for i, shape in enumerate(SHAPES):
        torch.manual_seed(seed + i)
        x, y = torch.randn(shape), torch.randn(shape)
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("error")  # torch computes no part
            found = results(compiled(x, y))
        exact = results(function(x.double(), y.double()))
        rounded = results(function(x, y))
        for a, b, c in zip(found, exact, rounded, strict=True):
            assert a.shape == b.shape
            error = 8 * (b - c).abs().max().item()  # what eager float32 loses
            torch.testing.assert_close(a.double(), b, rtol=2e-5, atol=2e-5 + error,
                                       msg=lambda text: f"{shape}, {names}: {text}")
