# REQUIRES: slow, torch-mlir
# RUN: env FIRST=%{slice}1 COUNT=4%{times100} %cached_pytest %s

# torch's operators by torch.compile(backend="lattn"), against torch's own results. Batch
# and length change from call to call. A campaign takes all groups, and each call alone.

import os
import warnings

import pytest
import torch

from torch_operators import GROUPS, SPECIAL

SHAPES = [(2, 5, 8), (3, 7, 8), (5, 11, 8)]
FIRST, COUNT = int(os.environ["FIRST"]), int(os.environ["COUNT"])
ALWAYS = ["bounds", "views", "padded"]  # torch-mlir is wrong about them
OTHERS = [group for group in GROUPS if group not in ALWAYS]
TAKEN = ALWAYS + [OTHERS[(FIRST + i) % len(OTHERS)]
                  for i in range(min(COUNT, len(OTHERS)))]
ALONE = [(group, name) for group in GROUPS for name in GROUPS[group]]


def arrays(shape, special):
    x, y = torch.randn(2, *shape)
    if special:
        for array, start in ((x, 0), (y, 1)):
            for i, value in enumerate(("nan", "inf", "-inf", "0", "-0")):
                array.view(-1)[start + i::7 + 2 * i] = float(value)
    return x, y


def flatten(results):
    if isinstance(results, torch.Tensor):
        return [results]
    return [x for result in results for x in flatten(result)]


def check(functions, special):
    def function(x, y):
        return [call(x, y) for call in functions]

    torch._dynamo.reset()
    torch.manual_seed(0)
    compiled = torch.compile(function, backend="lattn")
    for i, shape in enumerate(SHAPES):
        x, y = arrays(shape, special and i == 2)
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch computes a part
            found = [compiled(x, y)]
        for a, b in zip(flatten(found), flatten(function(x, y)), strict=True):
            half = a.dtype in (torch.float16, torch.bfloat16)
            torch.testing.assert_close(a, b, rtol=1e-2 if half else 2e-5, atol=2e-5,
                                       equal_nan=True)


@pytest.mark.parametrize("group", TAKEN)
def test_group(group):
    check(GROUPS[group].values(), group in SPECIAL)


@pytest.mark.parametrize("group, name", ALONE if COUNT >= 100 else [])
def test_alone(group, name):
    check([GROUPS[group][name]], group in SPECIAL)
