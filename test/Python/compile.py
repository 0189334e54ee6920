# REQUIRES: slow
# RUN: %cached_pytest %s

# lattn.compile: any function of a module.

import pickle

import ml_dtypes
import numpy as np
import pytest

import lattn

ADD = """
func.func @add(%x: tensor<?x3xf32> {lattn.name = "x"},
               %y: tensor<?x3xf32>) -> (tensor<?x3xf32> {lattn.name = "sum"}) {
  %0 = arith.addf %x, %y : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""
X = np.arange(6, dtype="f4").reshape(2, 3)


def test_describes_itself():
    add = lattn.compile(ADD)
    signature = ("add(x: tensor<?x3xf32>, arg1: tensor<?x3xf32>) -> "
                 "(sum: tensor<?x3xf32>)")
    assert add.signature == signature
    assert repr(add) == f"<lattn.Callable {signature}>"


def test_pickle():
    """Code is compiled again from its text, or comes from the cache."""
    for function in (lattn.compile(ADD, pipeline="loops"), lattn.compile(ADD).grad("x")):
        other = pickle.loads(pickle.dumps(function))
        assert other.signature == function.signature
        if isinstance(other, lattn.Callable):
            assert np.array_equal(other(X, X), 2 * X)
            assert other._get_source() == function._get_source()
        else:
            assert np.array_equal(other(X, X, cotangents=X)[1], X)


def test_position_and_name():
    add = lattn.compile(ADD)
    for result in (add(X, X), add(X, arg1=X), add(arg1=X, x=X),
                   add(X[::-1][::-1], np.broadcast_to(X, (2, 3)))):
        assert np.array_equal(result, X + X)
    for args, names in [((), {}), ((X,), {}), ((X, X, X), {}),
                        ((X,), {"x": X}), ((X, X), {"z": X})]:
        with pytest.raises(TypeError, match="add: "):
            add(*args, **names)
    with pytest.raises(ValueError, match=r"'x': expected tensor<\?x3xf32>"):
        add(X.T, X)
    with pytest.raises(TypeError, match="arg1: .*float32, got float64"):
        add(X, X.astype("f8"))
    assert np.array_equal(add(X, X), X + X)


def test_results_live_on():
    add = lattn.compile(ADD)
    results = [add(X, i * X) for i in range(5)]
    del add
    for i, result in enumerate(results):
        assert np.array_equal(result, X + i * X)
        result += 1


def test_files(tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    assert np.array_equal(lattn.compile(path)(X, X), X + X)
    assert np.array_equal(lattn.compile(str(path), "add")(X, X), X + X)
    with pytest.raises(FileNotFoundError):
        lattn.compile(tmp_path / "none.mlir")


@pytest.mark.parametrize("pipeline", ["llvm", "loops"])
def test_several_results_and_scalars(pipeline):
    f = lattn.compile("""
        func.func @f(%a: i32, %b: bf16, %x: tensor<2xi64>, %c: i1)
            -> (bf16, tensor<2xi64>, tensor<2xi64>, i1, tensor<2xbf16>) {
          %0 = arith.extsi %a : i32 to i64
          %1 = tensor.splat %0 : tensor<2xi64>
          %2 = arith.addi %x, %1 : tensor<2xi64>
          %3 = tensor.splat %b : tensor<2xbf16>
          return %b, %x, %2, %c, %3
            : bf16, tensor<2xi64>, tensor<2xi64>, i1, tensor<2xbf16>
        }""", pipeline=pipeline)
    x = np.array([1, 2])
    b, same, y, c, splat = f(5, 0.5, x, True)
    assert (b, c) == (0.5, True) and isinstance(c, bool)
    assert np.array_equal(same, x) and not np.shares_memory(same, x)
    assert np.array_equal(y, x + 5)
    assert splat.dtype == ml_dtypes.bfloat16 and (splat == 0.5).all()
    with pytest.raises(TypeError, match="arg0: expected an integer"):
        f(5.0, 0.5, x, True)
    with pytest.raises(ValueError, match="arg0: .*fits i32"):
        f(1 << 40, 0.5, x, True)


def test_written_arguments():
    f = lattn.compile("""
        func.func @f(%x: memref<3xf32>, %y: memref<3xf32, strided<[?]>>) {
          memref.copy %x, %y : memref<3xf32> to memref<3xf32, strided<[?]>>
          return
        }""")
    assert "arg1: memref<3xf32, strided<[?]>> (written)" in f.signature
    x, y = np.arange(3, dtype="f4"), np.zeros(6, "f4")
    assert f(x, y[::2]) is None
    assert np.array_equal(y, [0, 0, 1, 0, 2, 0])
    with pytest.raises(ValueError, match="strides"):
        f(y[::2], np.zeros(3, "f4"))
    with pytest.raises(ValueError, match="overlaps"):
        f(x, x)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        f(x, y[::2])


def test_written_by_called_functions():
    f = lattn.compile("""
        func.func private @copy(%x: memref<3xf32>, %y: memref<3xf32>) {
          memref.copy %x, %y : memref<3xf32> to memref<3xf32>
          return
        }
        func.func private @twice(%x: memref<3xf32>, %y: memref<3xf32>,
                                 %z: memref<3xf32>) {
          call @copy(%x, %y) : (memref<3xf32>, memref<3xf32>) -> ()
          call @copy(%x, %z) : (memref<3xf32>, memref<3xf32>) -> ()
          return
        }
        func.func private @view(%x: memref<3xf32>) -> memref<3xf32> {
          return %x : memref<3xf32>
        }
        func.func @f(%x: memref<3xf32>, %y: memref<3xf32>, %z: memref<3xf32>,
                     %w: memref<3xf32>) {
          call @twice(%x, %y, %z)
              : (memref<3xf32>, memref<3xf32>, memref<3xf32>) -> ()
          %v = call @view(%w) : (memref<3xf32>) -> memref<3xf32>
          call @copy(%x, %v) : (memref<3xf32>, memref<3xf32>) -> ()
          return
        }""")
    assert f.signature == (
        "f(arg0: memref<3xf32>, arg1: memref<3xf32> (written), "
        "arg2: memref<3xf32> (written), arg3: memref<3xf32> (written)) -> ()")



@pytest.mark.parametrize("text, message", [
    ("func.func @f( {\n", "<text>:1:"),
    ("module {}", "no public function"),
    ("func.func @f() { return %x }", "<text>:1:"),
])
def test_compiler_errors(text, message):
    with pytest.raises(RuntimeError, match=message):
        lattn.compile(text)


def test_bad_options():
    with pytest.raises(RuntimeError, match="'sub', expected one of: add"):
        lattn.compile(ADD, "sub")
    with pytest.raises(RuntimeError, match="pipeline: .*'fast'"):
        lattn.compile(ADD, pipeline="fast")
    with pytest.raises(RuntimeError):
        lattn.compile(ADD, mcpu="no-such-cpu")


def test_numbers_of_python_and_numpy():
    """Python's own are read without NumPy."""
    function = lattn.compile("""
func.func @f(%x: f32, %i: index, %o: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %o[%c0] : memref<2xf32>
  %j = arith.index_cast %i : index to i64
  %y = arith.sitofp %j : i64 to f32
  memref.store %y, %o[%c1] : memref<2xf32>
  return
}""")
    out = np.empty(2, np.float32)
    for x, i in ((1.1, 3), (2, -2**62), (float("inf"), True),
                 (np.float32(0.1), np.int32(4)), (float("nan"), 2**63 - 1)):
        function(x, i, out)
        assert np.array_equal(out, np.array([x, i], np.float32), equal_nan=True)
    with pytest.raises(ValueError, match="arg1: expected a number that fits"):
        function(1.0, 2**63, out)
    with pytest.raises(TypeError, match="arg1: expected an integer, got float"):
        function(1.0, 1.0, out)
