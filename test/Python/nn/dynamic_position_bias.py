# REQUIRES: slow
# RUN: %cached_pytest %s

import pytest
import torch

import golden
from lattn import nn


@pytest.mark.parametrize("name", golden.names("dynamic_position_bias"))
def test_golden(name):
    case = golden.Case(name)
    module = case.load(nn.DynamicPositionBias(**case.options["ctor"]))
    case.check("out", module(**case.options["forward"]))


def test_shapes():
    module = nn.DynamicPositionBias(4, 3)
    assert module(0, 5).shape == (3, 0, 5)
    assert module.bfloat16()(2, 2).dtype == torch.bfloat16
    with pytest.raises(AssertionError):
        module(3, 2)
