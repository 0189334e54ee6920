# REQUIRES: slow
# RUN: %cached_pytest %s

# `out`: what is written, and what may not be.

import numpy as np
import pytest

import lattn

RNG = np.random.default_rng(1)
Q, K, V = (RNG.standard_normal((2, 3, 9, 8)).astype("f4") for _ in range(3))
GOOD = lattn.attention(Q, K, V)


def test_is_returned():
    out = np.full_like(Q, np.nan)
    assert lattn.attention(Q, K, V, out=out) is out
    assert np.array_equal(out, GOOD)


def test_strided():
    memory = np.full((2, 9, 2, 3, 16), 7, "f4")
    out = memory[:, ::-1, 1, :, ::2].swapaxes(1, 2)
    lattn.attention(Q, K, V, out=out)
    assert np.array_equal(out, GOOD)
    assert (memory[:, :, 0] == 7).all() and (memory[..., 1::2] == 7).all()


def test_with_lse():
    out = np.empty_like(Q)
    result, lse = lattn.attention(Q, K, V, out=out, return_lse=True)
    assert result is out and lse.shape == (2, 3, 9)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_overlap(which):
    arrays = [Q.copy(), K.copy(), V.copy()]
    with pytest.raises(ValueError, match="out: .*overlaps " + "qkv"[which]):
        lattn.attention(*arrays, out=arrays[which])


def test_packed_projections():
    # (B, N, 3, H, D): views that interleave but share nothing.
    packed = RNG.standard_normal((2, 9, 4, 3, 8)).astype("f4")
    q, k, v, out = (packed[:, :, i] for i in range(4))
    expected = lattn.attention(q, k, v, layout="bnhd")
    lattn.attention(q, k, v, layout="bnhd", out=out)
    assert np.array_equal(packed[:, :, 3], expected)
    with pytest.raises(ValueError, match="out: .*overlaps v"):
        lattn.attention(q, k, packed[:, :, 3], layout="bnhd", out=out)


def test_read_only():
    out = np.empty_like(Q)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out: .*writable"):
        lattn.attention(Q, K, V, out=out)


def test_elements_that_coincide():
    out = np.lib.stride_tricks.as_strided(np.empty_like(Q), Q.shape,
                                          (0, 288, 32, 4))
    with pytest.raises(ValueError, match="out: .*apart"):
        lattn.attention(Q, K, V, out=out)


def test_inputs_may_be_one_array():
    assert lattn.attention(Q, Q, Q).shape == Q.shape
