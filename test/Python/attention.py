# REQUIRES: slow
# RUN: env FIRST=%{slice}1000 COUNT=32%{times100} %cached_pytest %s

# Random problems of all options against the oracle in float64.

import os

import cases
import pytest

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 80)))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_seed(seed):
    cases.run(seed)
