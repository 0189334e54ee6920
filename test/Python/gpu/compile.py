"""lattn.compile's functions with arrays on GPUs, on a stand-in for the driver."""

# REQUIRES: slow
# RUN: %kernels
# RUN: rm -rf %t.cache
# RUN: %fake LATTN_CACHE_DIR=%t.cache %pytest %s
# RUN: env LATTN_PTXAS=/no/ptxas %fake LATTN_CACHE_DIR=off %pytest -s %s 2>&1 | FileCheck %s
# CHECK: remark: the driver is left to compile {{.*}}'s PTX: cannot run '/no/ptxas'

import os
import sys

import fake_gpu
import numpy as np
import pytest

import lattn

torch = fake_gpu.Torch()
TEXT = """
!t = tensor<?x?x?x40xf16>
func.func @attention(%q: !t, %k: !t, %v: !t) -> (!t, !t) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %q, %c0 : !t
  %h = tensor.dim %q, %c1 : !t
  %n = tensor.dim %q, %c2 : !t
  %e = tensor.empty(%b, %h, %n) : !t
  %0 = lattn.attention query(%q : !t) key(%k : !t) value(%v : !t)
      outs(%e : !t) {window = #lattn.window<left = 30, right = 5>}
  return %0, %k : !t, !t
}
"""


@pytest.fixture(autouse=True)
def with_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.allocated.clear()


def make(device=0):
    rng = np.random.default_rng(0)
    q, k, v = (rng.standard_normal((1, 2, n, 40)).astype(np.float16)
               for n in (40, 60, 60))
    arrays = q, k, v
    return arrays, [torch.tensor(a, torch.float16, device) for a in arrays]


def test_call():
    function = lattn.compile(TEXT)
    arrays, on_gpu = make()
    want, _ = function(*arrays)
    out, same = function(*on_gpu)
    assert np.allclose(out.host.astype(np.float32), want.astype(np.float32),
                       atol=2e-3)
    assert (same.host == arrays[1]).all() and same is not on_gpu[1]
    assert all(shape for shape, _, _ in torch.allocated)
    fake_gpu.take_calls()
    function(*on_gpu)
    calls = [c.split()[0] for c in fake_gpu.take_calls()]
    assert calls.count("cuLaunchKernel") == 1
    assert "cuModuleLoadDataEx" not in calls
    assert "cuStreamSynchronize" not in calls


def test_places():
    function = lattn.compile(TEXT)
    arrays, on_gpu = make()
    with pytest.raises(ValueError, match="arg1: expected an array on GPU 0, as "
                       "arg0, got one in the CPU's memory"):
        function(on_gpu[0], arrays[1], on_gpu[2])
    with pytest.raises(ValueError, match="arg2: expected an array on GPU 0, as "
                       "arg0, got one on GPU 1"):
        function(*on_gpu[:2], make(device=1)[1][2])


def test_what_is_for_the_host():
    function = lattn.compile("""
func.func @first(%a: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %a[%c0] : tensor<4xf32>
  return %0 : f32
}""")
    with pytest.raises(RuntimeError, match="is computed on the host"):
        function(torch.tensor(np.ones(4, np.float32), torch.float32))


def test_the_cache():
    if os.environ["LATTN_CACHE_DIR"] == "off":
        pytest.skip("needs a cache")
    folder = os.environ["LATTN_CACHE_DIR"]
    text = TEXT.replace("left = 30", "left = 31")
    _, on_gpu = make()
    lattn.compile(text)(*on_gpu)
    kept = set(os.listdir(folder))
    lattn.compile(text)(*on_gpu)
    assert set(os.listdir(folder)) == kept and len(kept) >= 2
