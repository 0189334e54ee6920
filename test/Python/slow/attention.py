# REQUIRES: slow
# RUN: %pytest %s

# As ../attention.py, many more of them.

import cases
import pytest


@pytest.mark.parametrize("seed", range(1000, 1400))
def test_seed(seed):
    cases.run(seed)
