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


def attend(index, table="?xf32"):
    """Attention whose scores read `table` at `index` of (b, h, i, j)."""
    return lattn.compile(f"""
!t = tensor<?x2x?x8xf32>
func.func @attend(%q: !t, %k: !t, %b: tensor<{table}>) -> !t {{
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%k : !t)
      bias(%b : tensor<{table}>) outs(%q : !t)
      {{bias_map = affine_map<(b, h, i, j) -> ({index})>}}
  return %0 : !t
}}""")


# (index, the same in Python). Bounds of single terms are not enough for some of them.
INDICES = {
    "i - j + 5": lambda b, h, i, j: i - j + 5,
    "(i - j) mod 7": lambda b, h, i, j: (i - j) % 7,
    "(i * 2) mod 4": lambda b, h, i, j: i * 2 % 4,
    "i - (i floordiv 3) * 2": lambda b, h, i, j: i - i // 3 * 2,
    "(j - (i floordiv 4) * 4 + 8) mod 12": lambda b, h, i, j:
        (j - i // 4 * 4 + 8) % 12,
    "(i floordiv 2) mod 3 + (j ceildiv 3) - (i mod 2) * 2 + b": lambda b, h, i, j:
        i // 2 % 3 - -j // 3 - i % 2 * 2 + b,
    "-j + h * 3 + 4": lambda b, h, i, j: -j + h * 3 + 4,
    "3": lambda b, h, i, j: 3}


@pytest.mark.parametrize("table", ["?xf32", "6xf32"])
@pytest.mark.parametrize("index", INDICES)
def test_bias_map(index, table):
    rng = np.random.default_rng(3)
    function = attend(index, table)
    for b, n, m in [(1, 1, 1), (2, 3, 5), (1, 9, 2), (2, 2, 9), (1, 17, 13),
                    (0, 3, 3), (1, 0, 4), (1, 4, 0)]:
        found = [INDICES[index](*at) for at in np.ndindex(b, 2, n, m)]
        for size in (range(1, 14) if table[0] == "?" else [6]):
            q, k = (rng.standard_normal((b, 2, rows, 8)).astype("float32")
                    for rows in (n, m))
            bias = rng.standard_normal(size).astype("float32")
            low, high = min(found, default=0), max(found, default=0)
            if 0 <= low and high < size:
                got = function(q, k, bias)
                s = q.astype(float) @ k.swapaxes(2, 3) / 8 ** 0.5
                s += bias[found].reshape(s.shape)
                w = np.exp(s - s.max(-1, keepdims=True, initial=-99))
                w = w / np.maximum(w.sum(-1, keepdims=True), 1e-30)
                np.testing.assert_allclose(got, w @ k, rtol=1e-5, atol=1e-5)
                continue
            with pytest.raises(ValueError, match=(
                    f"every index of axis 0 of bias to be at least 0, got {low}"
                    if low < 0 else "expected axis 0 of bias to have at least "
                    f"{high + 1} elements, got {size}")):
                function(q, k, bias)


READS = """
!t = tensor<1x2x?x8xf32>
!x = tensor<2x?xf32>
func.func @f(%q: !t, %x: !x) -> !t {
  %0 = lattn.attention query(%q : !t) key(%q : !t) value(%q : !t) captures(%x : !x)
      outs(%q : !t) score {
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %t: !x):
    %row = arith.index_cast %h : i32 to index
    %c2 = arith.constant 2 : i32
    %far = arith.subi %i, %j : i32
    %most = arith.addi %far, %c2 : i32
    %column = arith.index_cast %most : i32 to index
    %y = tensor.extract %t[%row, %column] : !x
    %r = arith.mulf %s, %y : f32
    lattn.yield %r : f32
  }
  return %0 : !t
}
"""


@pytest.mark.parametrize("pipeline", ["llvm", "loops"])
def test_captured(pipeline):
    # Also of the gradients, whose operations read the same.
    function = lattn.compile(READS, pipeline=pipeline)
    calls = [function, lambda *x: function.grad()(*x, cotangents=x[0])]
    for call in calls:
        call(ones(1, 2, 3, 8), ones(2, 5))
        for n, columns, message in [
                (3, 4, "axis 1 of captured array 0 to have at least 5 elements, got 4"),
                (4, 9, "every index of axis 1 of captured array 0 to be at least 0, "
                 "got -1")]:
            with pytest.raises(ValueError, match=message):
                call(ones(1, 2, n, 8), ones(2, columns))


def test_rotary_table():
    rotate = lattn.compile("""
!x = tensor<1x?x8xf32>
!t = tensor<?x2x4xf32>
func.func @f(%x: !x, %t: !t, %start: index) -> !x {
  %0 = lattn.rotate_pairs ins(%x, %t : !x, !t) start(%start) outs(%x : !x)
      {position_axis = 1 : i64}
  return %0 : !x
}""", pipeline="loops")
    x, table = ones(1, 3, 8), ones(7, 2, 4)
    rotate(x, table, 4)
    rotate(ones(1, 0, 8), table, -9)
    with pytest.raises(ValueError, match="a table of at least 8 rows, got 7"):
        rotate(x, table, 5)
    with pytest.raises(ValueError, match="start of at least 0, got -1"):
        rotate(x, table, -1)


def test_linalg_index():
    shift = lattn.compile("""
!v = tensor<?xf32>
func.func @f(%x: !v, %e: !v) -> !v {
  %0 = linalg.generic {indexing_maps = [affine_map<(d) -> (2 * d + 1)>,
      affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%x : !v) outs(%e : !v) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> !v
  return %0 : !v
}""")
    x = np.arange(6, dtype="float32")
    np.testing.assert_array_equal(shift(x, ones(3)), x[1::2])
    with pytest.raises(ValueError, match="axis 0 of operand 0 to have at least 8 "
                       "elements, got 6"):
        shift(x, ones(4))
