# REQUIRES: slow, lattn-python
# RUN: env FIRST=%{slice}1000 COUNT=48%{times100} %pytest %s

# Random programs with masks of all kinds, raised, against an oracle in float64.
# Half of them have an axis of buckets.

import os
import random

import numpy as np
import pytest
from random_programs import make_buckets, make_whole

import lattn
from lattn import _lattn

FIRST, COUNT = (int(os.environ.get(name, default))
                for name, default in (("FIRST", 0), ("COUNT", 48)))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + COUNT))
def test_seed(seed):
    choose = random.Random(seed)
    program = (make_buckets if seed % 2 else make_whole)(choose)
    raised = _lattn.run_passes(program.text.encode(), f"seed {seed}", "lattn-raise")
    assert "lattn.attention" in raised or not program.shows
    found = lattn.compile(raised)(*program.inputs)
    np.testing.assert_allclose(found, program.expected, 2e-5, 2e-5)
