# REQUIRES: slow
# RUN: %cached_pytest %s

# Arrays whose sizes contradict each other are told before anything is read.

import numpy as np
import pytest

import lattn

ATTENTION = """
!t = tensor<1x?x?x8xf32>
func.func @attention(%q: !t {lattn.name = "q"}, %k: !t {lattn.name = "k"},
                     %v: !t {lattn.name = "v"}) -> !t {
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t) outs(%q : !t)
  return %0 : !t
}
"""
MATMUL = """
!m = tensor<?x?xf32>
func.func @matmul(%a: !m, %b: !m, %c: !m) -> !m {
  %0 = linalg.matmul ins(%a, %b : !m, !m) outs(%c : !m) -> !m
  %1 = arith.addf %0, %a : !m
  return %1 : !m
}
"""


def ones(*shape):
    return np.ones(shape, "float32")


@pytest.mark.parametrize("pipeline", ["llvm", "loops"])
def test_attention(pipeline):
    attention = lattn.compile(ATTENTION, pipeline=pipeline)
    q, k = ones(1, 4, 16, 8), ones(1, 2, 64, 8)
    good = attention(q, k, k)
    for message, arguments in [
            ("axis 2 of value to be key's length = 64, got 3",
             (q, k, ones(1, 2, 3, 8))),
            ("axis 2 of value to be key's length = 4000000, got 1",
             (q, ones(1, 1, 4000000, 8), ones(1, 1, 1, 8))),
            ("query heads to be a multiple of key heads, got 3 and 2",
             (ones(1, 3, 16, 8), k, k)),
            ("query heads to be a multiple of key heads, got 3 and 0",
             (ones(1, 3, 16, 8), ones(1, 0, 64, 8), ones(1, 0, 64, 8)))]:
        with pytest.raises(ValueError, match=message):
            attention(*arguments)
        assert np.array_equal(attention(q, k, k), good)


CONVOLUTION = """
!v = tensor<?xf32>
func.func @convolve(%x: !v, %w: !v, %o: !v) -> !v {
  %0 = linalg.conv_1d ins(%x, %w : !v, !v) outs(%o : !v) -> !v
  return %0 : !v
}
"""


def test_convolution():
    convolve = lattn.compile(CONVOLUTION)
    assert list(convolve(ones(6), ones(3), ones(4))) == [4, 4, 4, 4]
    assert convolve(ones(0), ones(3), ones(0)).shape == (0,)
    with pytest.raises(ValueError, match="'linalg.conv_1d' op expected axis 0 of "
                       "operand 0 to have at least 6 elements, got 5"):
        convolve(ones(5), ones(3), ones(4))


def test_linalg():
    matmul = lattn.compile(MATMUL)
    assert matmul(ones(2, 3), ones(3, 3), ones(2, 3)).shape == (2, 3)
    with pytest.raises(ValueError, match="'linalg.matmul' op expected axis 0 "
                       "of operand 1 to be the extent of loop 2 = 3, got 5"):
        matmul(ones(2, 3), ones(5, 3), ones(2, 3))
    with pytest.raises(ValueError, match="'arith.addf' op expected axis 1 of "
                       "operand 1 to be the first one's = 4, got 3"):
        matmul(ones(2, 3), ones(3, 4), ones(2, 4))
