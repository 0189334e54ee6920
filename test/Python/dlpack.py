# REQUIRES: slow
# RUN: %pytest %s

# Arrays of other libraries, by __dlpack__.

import numpy as np
import pytest

import lattn


class Foreign:
    """Has no more than the protocol, as another library's array."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device


X = np.random.default_rng(3).standard_normal((1, 2, 9, 8)).astype("f4")


def test_in_and_out():
    expected = lattn.attention(X, X, X)
    result = lattn.attention(Foreign(X), Foreign(X), Foreign(X[:, :, :]))
    assert isinstance(result, np.ndarray)
    assert np.array_equal(result, expected)
    out = np.empty_like(X)
    lattn.attention(X, X, X, out=Foreign(out))
    assert np.array_equal(out, expected)
    view = X[:, :, ::2]
    assert np.array_equal(lattn.attention(Foreign(view), X, X),
                          lattn.attention(view, X, X))


def test_read_only():
    frozen = X.copy()
    frozen.flags.writeable = False
    expected = lattn.attention(X, X, X)
    assert np.array_equal(lattn.attention(memoryview(frozen), X, X), expected)
    with pytest.raises(ValueError, match="out: .*writable"):
        lattn.attention(X, X, X, out=memoryview(frozen))


def test_type():
    with pytest.raises(TypeError, match="q: expected .*got int16"):
        lattn.attention(Foreign(X.astype("i2")), X, X)


def test_segments():
    segments = np.arange(9).reshape(1, 9) // 4
    expected = lattn.attention(X, X, X, q_segments=segments,
                               kv_segments=segments)
    result = lattn.attention(X, X, X, q_segments=Foreign(segments),
                             kv_segments=memoryview(segments))
    assert np.array_equal(result, expected)
