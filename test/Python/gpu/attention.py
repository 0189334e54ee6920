"""lattn.attention on GPUs, on a stand-in for the driver: what is launched, where,
and what is refused. Kernels' work is done by C on the host."""

# REQUIRES: slow
# RUN: %kernels
# Without ptxas, which takes most of the time.
# RUN: env LATTN_PTXAS=/no/ptxas %fake %pytest %s

import sys

import fake_gpu
import numpy as np
import pytest

import lattn
import lattn.math
from lattn import _lattn

torch = fake_gpu.Torch()


@pytest.fixture
def with_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", torch)
    torch.stream = 0
    torch.allocated.clear()
    fake_gpu.take_calls()


def values(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float16)


def expected(q, k, v):
    return lattn.attention(q, k, v, window=(30, 5))


def tensors(n=50, m=70, device=0):
    arrays = values(2, 4, n, 40), values(2, 2, m, 40, seed=1), values(
        2, 2, m, 40, seed=2)
    return arrays, [torch.tensor(a, torch.float16, device) for a in arrays]


def launches(calls):
    return [c for c in calls if c.startswith("cuLaunchKernel")]


def test_torch(with_torch):
    arrays, on_gpu = tensors()
    out = lattn.attention(*on_gpu, window=(30, 5))
    assert np.allclose(out.host.astype(np.float32),
                       expected(*arrays).astype(np.float32), atol=2e-3)
    assert isinstance(out, fake_gpu.Tensor) and out.dtype is torch.float16
    assert torch.allocated == [((2, 4, 50, 40), "float16", 0)]


def test_a_second_call_launches_and_does_nothing_else(with_torch):
    _, on_gpu = tensors()
    lattn.attention(*on_gpu, window=(30, 5))
    torch.stream = fake_gpu.make_stream()
    fake_gpu.take_calls()
    _, other = tensors(n=33, m=90)
    fake_gpu.take_calls()
    lattn.attention(*other, window=(30, 5))
    calls = [c.split()[0] for c in fake_gpu.take_calls()]
    # torch's own allocation is the only one.
    assert calls.count("cuMemAlloc") == 1
    assert set(calls) <= {"cuMemAlloc", "cuLaunchKernel", "cuCtxPushCurrent",
                          "cuCtxPopCurrent", "cuDevicePrimaryCtxRetain",
                          "cuPointerGetAttribute"}, calls


def test_the_current_stream(with_torch):
    _, on_gpu = tensors()
    torch.stream = fake_gpu.make_stream()
    lattn.attention(*on_gpu, window=(30, 5))
    [call] = launches(fake_gpu.take_calls())
    assert call.endswith("own stream")


def test_the_other_gpu(with_torch):
    arrays, on_gpu = tensors(device=1)
    out = lattn.attention(*on_gpu, window=(30, 5))
    assert torch.allocated == [((2, 4, 50, 40), "float16", 1)]
    assert out.get_device() == 1
    assert np.allclose(out.host.astype(np.float32),
                       expected(*arrays).astype(np.float32), atol=2e-3)


def test_out(with_torch):
    arrays, on_gpu = tensors()
    out = torch.tensor(np.zeros((2, 4, 50, 40), np.float16), torch.float16)
    assert lattn.attention(*on_gpu, window=(30, 5), out=out) is out
    assert np.allclose(out.host.astype(np.float32),
                       expected(*arrays).astype(np.float32), atol=2e-3)
    assert not torch.allocated


def test_capture(with_torch):
    _, on_gpu = tensors()
    driver = fake_gpu.driver
    driver.fakeCudaSetCapturing(True)
    try:
        with pytest.raises(RuntimeError, match="graph is being captured, and the "
                           "kernel is not loaded yet: call the function once "
                           "before the capture"):
            lattn.attention(*on_gpu, window=(30, 5), scale=0.25)
    finally:
        driver.fakeCudaSetCapturing(False)
    lattn.attention(*on_gpu, window=(30, 5), scale=0.25)
    driver.fakeCudaSetCapturing(True)
    try:
        fake_gpu.take_calls()
        lattn.attention(*on_gpu, window=(30, 5), scale=0.25)
        assert len(launches(fake_gpu.take_calls())) == 1
    finally:
        driver.fakeCudaSetCapturing(False)


def test_cuda_array_interface():
    arrays, _ = tensors()
    stream = fake_gpu.make_stream()
    q, k, v = (fake_gpu.put(a, stream=stream) for a in arrays)
    out = fake_gpu.put(np.zeros((2, 4, 50, 40), np.float16))
    fake_gpu.take_calls()
    assert lattn.attention(q, k, v, window=(30, 5), out=out) is out
    [call] = launches(fake_gpu.take_calls())
    assert call.endswith("own stream")
    assert np.allclose(out.host.astype(np.float32),
                       expected(*arrays).astype(np.float32), atol=2e-3)


def test_dlpack(with_torch):
    arrays, _ = tensors()
    torch.stream = fake_gpu.make_stream()
    q, k, v = (fake_gpu.DLPackArray(fake_gpu.put(a)) for a in arrays)
    out = lattn.attention(q, k, v, window=(30, 5))
    assert q.streams == k.streams == v.streams == [torch.stream]
    assert isinstance(out, fake_gpu.Tensor)
    assert np.allclose(out.host.astype(np.float32),
                       expected(*arrays).astype(np.float32), atol=2e-3)


def test_streams_that_differ(with_torch):
    arrays, (_, k, v) = tensors()
    q = fake_gpu.put(arrays[0], stream=fake_gpu.make_stream())
    with pytest.raises(ValueError, match="q: expected data that is ready on the "
                       "stream 0, which the call is queued on, got"):
        lattn.attention(q, k, v, window=(30, 5))


@pytest.mark.parametrize("name", "kv")
def test_places_that_differ(with_torch, name):
    arrays, on_gpu = tensors()
    named = dict(zip("qkv", on_gpu))
    named[name] = arrays["qkv".index(name)]
    with pytest.raises(ValueError, match=f"{name}: expected an array on GPU 0, as "
                       "q, got one in the CPU's memory"):
        lattn.attention(*named.values())
    named[name] = tensors(device=1)[1]["qkv".index(name)]
    with pytest.raises(ValueError, match=f"{name}: expected an array on GPU 0, as "
                       "q, got one on GPU 1"):
        lattn.attention(*named.values())
    with pytest.raises(ValueError, match="k: expected an array in the CPU's "
                       "memory, as q, got one on GPU 0"):
        lattn.attention(arrays[0], on_gpu[1], arrays[2])


def test_options_that_lie_elsewhere(with_torch):
    _, on_gpu = tensors()
    mask = np.ones((2, 70), bool)
    for name, given in (("key_mask", mask), ("kv_lengths", np.array([70, 60])),
                        ("offset", np.array([1, 2])),
                        ("bias", np.zeros((50, 70), np.float16)),
                        ("out", np.zeros((2, 4, 50, 40), np.float16))):
        with pytest.raises(ValueError, match=f"{name}: expected an array on GPU "
                           "0, as q, got one in the CPU's memory"):
            lattn.attention(*on_gpu, **{name: given})


def test_what_kernels_take(with_torch, monkeypatch):
    """Numbers of a batch stay on the GPU; an int goes by value."""
    monkeypatch.delenv("FAKECUDA_KERNELS")  # it does not know these arguments
    _, on_gpu = tensors()
    kernel = "attention_kernel"
    lengths = torch.tensor(np.array([70, 60], np.int32), torch.int32)
    mask = torch.tensor(np.ones((2, 70), bool), torch.bool)
    fake_gpu.take_calls()
    lattn.attention(*on_gpu, window=(9, 9), kv_lengths=lengths, key_mask=mask,
                    return_lse=True)
    lattn.attention(*on_gpu, window=(9, 9), offset=7)
    assert all(kernel in c for c in launches(fake_gpu.take_calls()))
    assert ((2, 4, 50), "float32", 0) in torch.allocated


def test_what_is_not_built(with_torch):
    _, on_gpu = tensors()
    wide = [torch.tensor(values(1, 1, 8, 8).astype(np.float32), torch.float32)
            for _ in range(3)]
    with pytest.raises(NotImplementedError, match="q: expected elements of float16 or "
                       "bfloat16 on a GPU, got float32"):
        lattn.attention(*wide)
    large = [torch.tensor(values(1, 1, 8, 257).astype(np.float16), torch.float16)
             for _ in range(3)]
    with pytest.raises(NotImplementedError, match="q: expected heads of .* 256 on a "
                       "GPU, got 257"):
        lattn.attention(*large)
    on_gpu[0].requires_grad = True  # lattn.attention then asks torch's operators
    with pytest.raises(_lattn.GradientsError, match="q: gradients are not built here"):
        _lattn.attention(*on_gpu, None, False, *[None] * 6, "bhnd", 0.0, *[None] * 4,
                         False, None, None, True, None, None, None)


def test_errors_of_the_driver(with_torch, monkeypatch):
    _, on_gpu = tensors()
    monkeypatch.setenv("FAKECUDA_FAIL", "cuLaunchKernel=700")
    with pytest.raises(RuntimeError, match="CUDA_ERROR_ILLEGAL_ADDRESS"):
        lattn.attention(*on_gpu, window=(30, 5))


def test_memory_that_is_not_the_gpus():
    class Lost:
        __cuda_array_interface__ = {"shape": (1, 1, 1, 8), "typestr": "<f2",
                                    "data": (4096, False), "version": 3}
    with pytest.raises(ValueError, match="q: cannot tell which GPU it is on"):
        lattn.attention(Lost(), Lost(), Lost())


def add_every_function(score, b, h, qi, ki):
    total = score
    for name in lattn.math.__all__:
        function = getattr(lattn.math, name)
        if name in ("fmax", "fmin", "maximum", "minimum"):
            total = total + function(score, 1.0)
        elif name in ("isfinite", "isinf", "isnan"):
            total = lattn.math.where(function(score), total, 0.0)
        elif name not in ("astype", "clip", "where"):
            total = total + function(score)
    return total + lattn.math.clip(lattn.math.astype(score, "int32"), -1, 1)


def test_every_function_of_scores_has_gpu_code(with_torch):
    _, on_gpu = tensors()
    lattn.attention(*on_gpu, window=(30, 5), score_mod=add_every_function)
    assert launches(fake_gpu.take_calls())
