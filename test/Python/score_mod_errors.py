# REQUIRES: slow
# RUN: %pytest %s

# Functions that cannot be traced: the message says what was expected.

import math

import numpy as np
import pytest

import lattn

Q = np.zeros((2, 4, 5, 8), "f4")
K = np.zeros((2, 2, 7, 8), "f4")
SHORT = np.zeros(3, "f4")
TABLE = np.zeros((4, 7), "f4")


class Modules:
    table = TABLE


def fails(error, message, **options):
    with pytest.raises(error, match=message):
        lattn.attention(Q, K, K, **options)
    assert not np.any(lattn.attention(Q, K, K))


def endless(score, *_):
    while True:
        score = score * 0.5


def branches(score, batch, head, q_idx, kv_idx):
    if q_idx >= kv_idx:
        return score
    return -score


@pytest.mark.parametrize("mod, error, message", [
    (branches, TypeError, r"got a branch on a symbol: use &, \| and ~ for and, "
     "or and not, and lattn.math.where for if"),
    (lambda s, *_: s if s else 0, TypeError, "branch"),
    (lambda s, *_: max(s, 0), TypeError, "branch"),
    (lambda s, b, h, q, k: s and q < k, TypeError, "branch"),
    (endless, ValueError, "at most 2048 operations"),
    (lambda s, *_: 1.0, TypeError, "returned, got the constant 1.0"),
    (lambda s, *_: None, TypeError, "returned, got NoneType"),
    (lambda s, *_: SHORT, TypeError, r"got an array of shape \(3,\)"),
    (lambda s, b, h, q, k: q, TypeError, "returned, got a symbol of int32"),
    (lambda s, b, h, q, k: q < k, TypeError, "got a symbol of bool"),
    (lambda s: s, TypeError,
     r"a function of \(score, batch, head, q_idx, kv_idx\), got one of \(s\)"),
    (3, TypeError, "score_mod: expected a function .* got the constant 3"),
    (lambda s, *_: math.exp(s), TypeError, "lattn.math"),
    (lambda s, *_: int(s), TypeError, "astype"),
    (lambda s, *_: s[0], TypeError, "subscriptable"),
    (lambda s, *_: sum(s), TypeError, "iteration"),
    (lambda s, *_: s + "x", TypeError, "got str"),
    (lambda s, *_: s + 1j, TypeError, "got the constant 1j"),
    (lambda s, *_: s + SHORT, TypeError, "'SHORT'.* to be indexed"),
    (lambda s, *_: SHORT * s, TypeError, "'SHORT'.* to be indexed"),
    (lambda s, *_: s + SHORT.astype("f8")[0], TypeError, "to be indexed"),
    (lambda s, *_: s + np.ones(2), TypeError, r"shape \(2,\) to be indexed"),
    (lambda s, *_: np.linalg.norm(s), TypeError, "symbol"),
    (lambda s, *_: np.add.reduce(s), TypeError, "numpy.add, got reduce"),
    (lambda s, *_: np.heaviside(s, 1), TypeError, "numpy.heaviside"),
    (lambda s, *_: s.frobnicate(), AttributeError, "'frobnicate'"),
    (lambda s, b, h, q, k: s + Modules.table[h, k], TypeError,
     "not captured .*globals"),
    (lambda s, b, h, q, k: s + SHORT[h], ValueError,
     "'SHORT': .*at least H = 4 elements along axis 0, .*head.*got 3"),
    (lambda s, b, h, q, k: s + TABLE[h, s], TypeError, "got a symbol of float"),
    (lambda s, b, h, q, k: s + TABLE[h, q < k], TypeError, "symbol of bool"),
    (lambda s, b, h, q, k: s + TABLE[h, 1.5], TypeError, "constant 1.5"),
    (lambda s, b, h, q, k: s + TABLE[h, 7], ValueError, "axis 1, got 7"),
    (lambda s, b, h, q, k: s + TABLE[h, k, 0], TypeError, "at most 2 indices"),
    (lambda s, b, h, q, k: s + TABLE[h, :], TypeError, "to be indexed"),
    (lambda s, b, h, q, k: s + q // 0, ValueError, "divisor other than 0"),
    (lambda s, b, h, q, k: s + (q << k), ValueError, "shift by a constant"),
    (lambda s, b, h, q, k: s + (q << 32), ValueError, "from 0 to 31"),
    (lambda s, *_: s + (s & 1), TypeError, "bitwise"),
    (lambda s, *_: s.astype("complex64"), TypeError, "astype.*complex64"),
    (lambda s, *_: s + 2**70, ValueError, "64 bits"),
    (lambda s, *_: lattn.math.where(s, s, 0), TypeError, "condition of bool"),
    (lambda s, *_: lattn.math.exp(1.0), TypeError, "at least one symbol"),
    (lambda s, *_: 1 / 0, ZeroDivisionError, "zero"),
])
def test_score_mod(mod, error, message):
    fails(error, message, score_mod=mod)


@pytest.mark.parametrize("mod, message", [
    (lambda b, h, q, k: True, "returned, got the constant True"),
    (lambda b, h, q, k: q, "True or False.*got a symbol of int32"),
    (lambda s, b, h, q, k: q < k, "mask_mod: expected a function of"),
    (lambda b, h, q, k: q < k < 3, "mask_mod.*branch"),
    (np.ones((5, 7), bool), "mask_mod: expected a function"),
])
def test_mask_mod(mod, message):
    fails(TypeError, message, mask_mod=mod)


@pytest.mark.parametrize("table, error, message", [
    (np.zeros(4, "c8"), TypeError, "captured array 'table': .*complex64"),
    (np.zeros(4, "u8"), TypeError, "captured array 'table': .*uint64"),
    (np.zeros(4, ">f4"), TypeError, "captured array 'table': .*native"),
    (np.zeros(0, "f4"), ValueError, "'table': expected elements along axis 0"),
    (np.zeros(5, "u1")[1:].view("f4"), ValueError, "aligned"),
    (np.broadcast_to(np.float32(0), 2**31), ValueError, r"less than 2\*\*31"),
])
def test_captured(table, error, message):
    fails(error, message, score_mod=lambda s, b, h, q, k: s + table[h + 0])


def test_symbols_of_another_call():
    kept = []
    lattn.attention(Q, K, K, score_mod=lambda s, *_: kept.append(s) or s)
    fails(TypeError, "expected symbols of this call, got one of another call",
          score_mod=lambda s, *_: s + kept[0])
    assert repr(kept[0]) == "<a symbol of float32>"


@pytest.mark.parametrize("q_segments, kv_segments, error, message", [
    (np.zeros((2, 5), "i4"), None, ValueError, "kv_segments: expected an array"),
    (None, np.zeros((2, 7), "i4"), ValueError, "q_segments: expected an array"),
    (np.zeros((2, 6), "i4"), np.zeros((2, 7), "i4"), ValueError,
     r"q_segments: .*\(B, N\) = \(2, 5\), got \(2, 6\)"),
    (np.zeros((2, 5), "i4"), np.zeros(7, "i4"), ValueError,
     r"kv_segments: .*\(B, M\) = \(2, 7\), got \(7,\)"),
    (np.zeros((2, 5), "f4"), np.zeros((2, 7), "i4"), TypeError,
     "q_segments: expected elements of integers, got float32"),
    (b"", np.zeros((2, 7), "i4"), ValueError,
     r"q_segments: .*\(B, N\) = \(2, 5\), got \(0,\)"),
    ([[0] * 5] * 2, np.zeros((2, 7), "i4"), TypeError,
     "q_segments: expected an array"),
])
def test_segments(q_segments, kv_segments, error, message):
    fails(error, message, q_segments=q_segments, kv_segments=kv_segments)


def test_out_overlaps_capture():
    out = np.zeros((2, 4, 5, 8), "f4")
    table = out[0, :, 0, 0]
    fails(ValueError, "out: .*overlaps score_mod: captured array 'table'",
          score_mod=lambda s, b, h, q, k: s + table[h], out=out)
