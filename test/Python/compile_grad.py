# REQUIRES: slow
# RUN: %cached_pytest %s

# Gradients of functions that lattn.compile compiles.

import ml_dtypes
import numpy as np
import pytest

import lattn

LOSS = """
!x = tensor<?x4xf64>
func.func @loss(%x: !x {lattn.name = "x"}, %n: i32 {lattn.name = "n"},
                %w: tensor<4x3xf64> {lattn.name = "w"},
                %b: f64 {lattn.name = "b"}) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %size = tensor.dim %x, %c0 : !x
  %empty = tensor.empty(%size) : tensor<?x3xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<?x3xf64>)
      -> tensor<?x3xf64>
  %y = linalg.matmul ins(%x, %w : !x, tensor<4x3xf64>)
      outs(%zeros : tensor<?x3xf64>) -> tensor<?x3xf64>
  %scalar = tensor.splat %zero : tensor<f64>
  %square = arith.mulf %y, %y : tensor<?x3xf64>
  %sum = linalg.reduce {arith.addf} ins(%square : tensor<?x3xf64>)
      outs(%scalar : tensor<f64>) dimensions = [0, 1]
  %s = tensor.extract %sum[] : tensor<f64>
  %r = arith.mulf %s, %b : f64
  return %r : f64
}
"""
rng = np.random.default_rng(0)
X, W = rng.standard_normal((5, 4)), rng.standard_normal((4, 3))
VALUE = 2.0 * np.square(X @ W).sum()
GRADIENTS = {"x": 4.0 * X @ W @ W.T, "w": 4.0 * X.T @ X @ W,
             "b": np.square(X @ W).sum()}


@pytest.mark.parametrize("pipeline", ["llvm", "loops"])
def test_loss(pipeline):
    loss = lattn.compile(LOSS, pipeline=pipeline)
    value, found = loss.grad()(X, 3, W, 2.0)
    assert isinstance(value, float) and isinstance(found, tuple)
    np.testing.assert_allclose(value, VALUE)
    for x, name in zip(found, "xwb", strict=True):
        np.testing.assert_allclose(x, GRADIENTS[name])


@pytest.mark.parametrize("arguments, names", [
    ("w", "w"), (0, "x"), (["b", "x"], "bx"), ((2,), "w"), (3, "b")])
def test_arguments(arguments, names):
    grad = lattn.compile(LOSS).grad(arguments)
    value, found = grad(X, w=W, b=2.0, n=3)
    _, scaled = grad(X, 3, W, 2.0, cotangents=-3)
    np.testing.assert_allclose(value, VALUE)
    if isinstance(arguments, (str, int)):
        found, scaled = [found], [scaled]
    for x, y, name in zip(found, scaled, names, strict=True):
        np.testing.assert_allclose(x, GRADIENTS[name])
        np.testing.assert_allclose(y, -3 * GRADIENTS[name])


PAIR = """
func.func @pair(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xi32> , tensor<?xf32> {lattn.name = "tail"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.mulf %x, %y : tensor<?xf32>
  %1 = arith.fptosi %x : tensor<?xf32> to tensor<?xi32>
  %size = tensor.dim %x, %c0 : tensor<?xf32>
  %rest = arith.subi %size, %c1 : index
  %2 = tensor.extract_slice %x[1] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
}
"""


def test_cotangents():
    x, y, g = rng.standard_normal((3, 5)).astype("f4")
    grad = lattn.compile(PAIR).grad()
    values, found = grad(x, y, cotangents=(g, g[:4]))
    assert len(values) == 3 and values[1].dtype == np.int32
    np.testing.assert_allclose(values[0], x * y)
    np.testing.assert_allclose(values[2], x[1:])
    np.testing.assert_allclose(found[0], g * y + np.append(0, g[:4]), rtol=1e-6)
    np.testing.assert_allclose(found[1], g * x)
    # Any strides.
    wide = np.broadcast_to(np.float32(2), (5,))
    np.testing.assert_allclose(grad(x, y, cotangents=[wide, g[::-1][:4]])[1][1],
                               2 * x)
    for given, error, message in [
            (None, ValueError, r"one for each of \(out0: tensor<\?xf32>, "
                               r"tail: tensor<\?xf32>\).*got None"),
            (g, ValueError, "expected 2, of out0, tail, got 1"),
            ((g, g[:4].astype("f8")), TypeError, "tail: expected elements of "
                                                 "float32, got float64"),
            ((g[None], g), ValueError, r"out0: expected tensor<\?xf32>, got"),
            ((g[:4], g[:4]), ValueError, "expected axis 0 of operand"),
            ((g, g), ValueError, "axis 0 of the source to be the slice's = 4, "
                                 "got 5")]:
        with pytest.raises(error, match=message):
            grad(x, y, cotangents=given)


def test_unused_sizes():
    grad = lattn.compile("func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> "
                         "{ return %x : tensor<?xf32> }").grad()
    x = np.ones(3, "f4")
    assert np.array_equal(grad(x, cotangents=2 * x)[1][0], 2 * x)
    with pytest.raises(ValueError, match=r"f: cotangents: expected the shape "
                                         r"\(3,\) of out0, got \(2,\)"):
        grad(x, cotangents=x[:2])


def test_attention():
    shape = "tensor<1x2x?x8xbf16>"
    f = lattn.compile(f"""
        func.func @attend(%q: {shape}, %k: {shape}, %o: {shape}) -> {shape} {{
          %0 = lattn.attention query(%q : {shape}) key(%k : {shape})
              value(%k : {shape}) outs(%o : {shape}) {{causal}}
          return %0 : {shape}
        }}""")
    q, k, g = rng.standard_normal((3, 1, 2, 6, 8)).astype(ml_dtypes.bfloat16)
    out, (dq, dk) = f.grad((0, 1))(q, k, np.zeros_like(q), cotangents=g)
    assert (out.shape, dq.dtype, dk.dtype) == (q.shape, q.dtype, k.dtype)
    q, k, g = (x.astype("f8") for x in (q, k, g))
    s = q @ k.swapaxes(2, 3) / 8**.5
    s[..., ~np.tri(6, dtype=bool)] = -np.inf
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    dw = g @ k.swapaxes(2, 3)
    ds = w * (dw - (w * dw).sum(-1, keepdims=True)) / 8**.5
    np.testing.assert_allclose(dq.astype("f8"), ds @ k, atol=.03, rtol=.03)
    np.testing.assert_allclose(
        dk.astype("f8"), ds.swapaxes(2, 3) @ q + w.swapaxes(2, 3) @ g,
        atol=.03, rtol=.03)


def test_one_element():
    f = lattn.compile("func.func @f(%x: tensor<1xbf16>) -> tensor<1xbf16> { "
                      "%0 = arith.mulf %x, %x : tensor<1xbf16> "
                      "return %0 : tensor<1xbf16> }")
    value, found = f.grad(0)(np.array([3], ml_dtypes.bfloat16))
    assert (value[0], found[0], found.dtype) == (9, 6, ml_dtypes.bfloat16)


def compile_body(types, body):
    return lattn.compile(f"func.func @f({types}) -> f32 {{\n  {body}\n}}")


@pytest.mark.parametrize("arguments, error, message", [
    ("z", ValueError, "one of the arguments x, n, w, b or a number from 0 to 3, "
                      "got 'z'"),
    (4, ValueError, "got 4"), (-1, ValueError, "got -1"),
    ("n", TypeError, "argument of floats .* got n of i32"),
    (["x", 0], ValueError, "each argument once, got x again"),
    ([], TypeError, "an argument of floats"), (1.5, TypeError, "float"),
    ([1.5], TypeError, "float")])
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        lattn.compile(LOSS).grad(arguments)


def test_bad_functions():
    f = compile_body("%x: f32", "%0 = arith.bitcast %x : f32 to i32\n  "
                     "%1 = arith.bitcast %0 : i32 to f32\n  return %1 : f32")
    with pytest.raises(RuntimeError,
                       match="<text>:2:.*'arith.bitcast' op has no derivative"):
        f.grad()
    shape = "tensor<1x1x?x4xf32>"
    f = lattn.compile(f"""
        func.func @f(%q: {shape}, %o: {shape}) -> {shape} {{
          %0 = lattn.attention query(%q : {shape}) key(%q : {shape})
              value(%q : {shape}) outs(%o : {shape}) score {{
          ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
            %1 = arith.bitcast %s : f32 to i32
            %2 = arith.addi %1, %b : i32
            %3 = arith.bitcast %2 : i32 to f32
            lattn.yield %3 : f32
          }}
          return %0 : {shape}
        }}""")
    with pytest.raises(RuntimeError, match="'arith.bitcast' op has no derivative"):
        f.grad()
    f = compile_body("%n: i32", "%0 = arith.sitofp %n : i32 to f32\n  "
                     "return %0 : f32")
    with pytest.raises(TypeError, match="f: grad expected an argument of floats"):
        f.grad()
    f = lattn.compile("func.func @f(%x: f32) -> i1 { %0 = arith.cmpf olt, %x, %x "
                      ": f32\n return %0 : i1 }")
    with pytest.raises(TypeError, match="f: grad expected a result of floats"):
        f.grad()
    f = lattn.compile("func.func @f(%x: memref<3xf32>) { return }")
    with pytest.raises(TypeError, match="f: grad expected tensors and numbers, "
                                        "got arg0 of memref<3xf32>"):
        f.grad()
    f = compile_body("%x: f32", "return %x : f32")
    with pytest.raises(TypeError, match="f: the argument 'arg0' is missing"):
        f.grad()()
    with pytest.raises(TypeError, match="unexpected argument 'y'"):
        f.grad()(1.0, y=2)


def test_torch():
    torch = pytest.importorskip("torch")
    value, found = lattn.compile(LOSS).grad("x")(torch.tensor(X), 3,
                                                 torch.tensor(W), 2.0)
    torch.testing.assert_close(found, torch.tensor(GRADIENTS["x"]))


def test_describes_itself():
    grad = lattn.compile(LOSS).grad("b")
    assert grad.signature == (
        "loss_grad(x: tensor<?x4xf64>, n: i32, w: tensor<4x3xf64>, b: f64, "
        "arg4: f64) -> (out0: f64, out1: f64)")
    assert repr(grad) == f"<lattn.Gradient {grad.signature}>"
