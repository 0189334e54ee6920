# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.Window as a value, and what windows show.

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import lattn


def test_value():
    window = lattn.Window(left=256, right=0)
    assert window == lattn.Window(np.int64(256), 0)
    assert window != lattn.Window(left=256)
    assert len({window, lattn.Window(left=256, right=0)}) == 1
    assert repr(window) == ("Window(left=256, right=0, bucket=None, back=0, "
                            "forward=0)")
    assert eval(repr(window), {"Window": lattn.Window}) == window
    assert pickle.loads(pickle.dumps(window)) == copy.copy(window) == window
    with pytest.raises(dataclasses.FrozenInstanceError):
        window.left = 1


def test_inclusive():
    # With equal scores the output is the mean of the visible values.
    q = np.zeros((1, 1, 6, 1), "f4")
    v = np.eye(6, dtype="f4")[None, None]

    def seen(**options):
        return lattn.attention(q, q, v, **options)[0, 0] > 0

    i, j = np.indices((6, 6))
    assert np.array_equal(seen(window=(2, 1)), (i - 2 <= j) & (j <= i + 1))
    assert np.array_equal(seen(window=(0, 0)), i == j)
    assert np.array_equal(seen(window=(None, 0)), j <= i)
    assert np.array_equal(seen(window=[1, None]), i - 1 <= j)
    assert np.array_equal(seen(causal=True), j <= i)
    assert np.array_equal(seen(window=(None, 3), causal=True), j <= i)
    assert np.array_equal(seen(window=lattn.Window(bucket=2, back=1)),
                          (i // 2 - 1 <= j // 2) & (j // 2 <= i // 2))


def test_wider_than_the_sequence():
    x = np.random.default_rng(0).standard_normal((1, 1, 5, 8))
    assert np.array_equal(lattn.attention(x, x, x, window=(100, 100)),
                          lattn.attention(x, x, x, window=(1 << 40, 100)))
