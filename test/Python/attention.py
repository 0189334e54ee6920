# RUN: %pytest %s

# Random problems of all options against the oracle in float64.

import cases
import pytest


@pytest.mark.parametrize("seed", range(48))
def test_seed(seed):
    cases.run(seed)
