# REQUIRES: slow
# RUN: rm -rf %t
# RUN: env LATTN_CACHE_DIR=%t %pytest %s

# Which traces make a kernel, by what the cache holds.

import os
import pathlib

import numpy as np

import lattn

FOLDER = pathlib.Path(os.environ["LATTN_CACHE_DIR"])


def count():
    return sum(path.is_file() for path in FOLDER.rglob("*"))


def run(score_mod, n=9):
    q = np.ones((1, 2, n, 4), "f4")
    before = count()
    lattn.attention(q, q, q, score_mod=score_mod)
    return count() - before


def make(slopes, factor=1.0):
    return lambda s, b, h, i, j: s + slopes[h] * factor * (i - j)


def test_kernels():
    entry = run(make(np.ones(2, "f4")))  # the files of one kernel
    assert entry > 0
    # Other functions, values, strides, and numbers of queries above 8.
    for slopes in (np.zeros(2, "f4"), np.ones(9, "f4"),
                   np.ones((4, 3), "f4")[:, 0]):
        assert run(make(slopes)) == 0
    assert run(make(np.ones(2, "f4")), n=33) == 0
    mod = make(np.ones(2, "f4"))
    assert run(mod) == run(mod) == 0
    # Other types, ranks and numbers.
    assert run(make(np.ones(2))) == entry
    assert run(make(np.ones(2, "f4"), factor=2.0)) == entry
    assert run(make(np.ones(2, "f4"), factor=np.array(3, "f4"))) == entry
    assert run(make(np.ones(2, "f4"), factor=np.array(4, "f4"))) == 0
