"""GPUs for tests: the stand-in for the driver, memory of it, and as much of torch
as lattn asks for. Kernels' work is done by C: ../../GPU/bundle/Inputs."""

import ctypes
import math
import os
import types

import numpy as np

driver = ctypes.CDLL(os.environ["LATTN_LIBCUDA"])
driver.fakeCudaTakeCalls.restype = ctypes.c_char_p
driver.cuInit(0)


def enter(device):
    """Makes a device's context current."""
    context = ctypes.c_void_p()
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    driver.cuCtxPushCurrent_v2(context)


def leave():
    driver.cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))


def take_calls():
    return driver.fakeCudaTakeCalls().decode().splitlines()


def make_stream():
    enter(0)
    stream = ctypes.c_void_p()
    assert not driver.cuStreamCreate(ctypes.byref(stream), 1)
    leave()
    return stream.value


def allocate(size, device=0):
    enter(device)
    address = ctypes.c_uint64()
    assert not driver.cuMemAlloc_v2(ctypes.byref(address),
                                    ctypes.c_size_t(max(size, 1)))
    leave()
    return address.value


class DeviceArray:
    """An array of NumPy's dtype at an address of the driver's."""

    def __init__(self, shape, dtype, device=0, stream=None, readonly=False):
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        size = math.prod(shape) * self.dtype.itemsize
        self.address = allocate(size, device)
        self.stream, self.readonly = stream, readonly
        # The stand-in's memory is the host's.
        buffer = (ctypes.c_char * max(size, 1)).from_address(self.address)
        self.host = np.frombuffer(buffer, self.dtype,
                                  math.prod(shape)).reshape(shape)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "version": 3,
                "data": (self.address, self.readonly), "strides": None,
                "stream": self.stream}


class DLPackArray:
    """The same memory by the other protocol; `streams` are those asked for."""

    def __init__(self, array, device=0):
        self.array, self.device, self.streams = array, device, []

    def __dlpack_device__(self):
        return 2, self.device

    def __dlpack__(self, stream=None, **_):
        self.streams.append(stream)
        capsule = self.array.host.__dlpack__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object,
                                                      ctypes.c_char_p]
        device = (ctypes.c_int32 * 2).from_address(get(capsule, b"dltensor") + 8)
        device[0], device[1] = 2, self.device
        return capsule


def put(values, **options):
    array = DeviceArray(values.shape, values.dtype, **options)
    array.host[...] = values
    return array


# ---- torch ------------------------------------------------------------------


class DType:
    def __init__(self, name, numpy):
        self.name, self.numpy = name, np.dtype(numpy)


class Tensor:
    is_cpu, is_cuda, layout, requires_grad = False, True, "strided", False
    __torch_dispatch__ = None  # torch's own is the same for all of its classes

    def __init__(self, array, dtype, device=0):
        self.array, self.dtype, self.device_index = array, dtype, device

    def __getattr__(self, name):
        if name in ("shape", "host"):
            return getattr(self.array, name)
        raise AttributeError(name)

    def get_device(self):
        return self.device_index

    def is_neg(self):
        return False

    def data_ptr(self):
        return self.array.address

    def size(self):
        return self.array.shape

    def stride(self):
        return tuple(s // self.host.itemsize for s in self.host.strides)

    def view(self, dtype):
        array = types.SimpleNamespace(address=self.array.address)
        array.host = self.host.view(dtype.numpy)
        array.shape = array.host.shape
        return Tensor(array, dtype, self.device_index)

    def as_strided(self, sizes, strides, offset):
        array = types.SimpleNamespace()
        flat = self.host.reshape(-1)[offset:]
        array.host = np.lib.stride_tricks.as_strided(
            flat, sizes, [s * flat.itemsize for s in strides])
        array.address = self.array.address + offset * flat.itemsize
        array.shape = tuple(sizes)
        return Tensor(array, self.dtype, self.device_index)


class Parameter(Tensor):
    pass


class Torch(types.ModuleType):
    """sys.modules["torch"] for tests; `stream` is the current one."""

    Tensor, strided = Tensor, "strided"
    nn = types.SimpleNamespace(Parameter=Parameter)
    _C = types.SimpleNamespace(_is_tracing=lambda: False,
                               _len_torch_dispatch_stack=lambda: 0,
                               _is_any_autocast_enabled=lambda: False)
    autograd = types.SimpleNamespace(
        forward_ad=types.SimpleNamespace(_current_level=-1))
    compiler = types.SimpleNamespace(is_dynamo_compiling=lambda: False)

    def __init__(self):
        super().__init__("torch")
        self.stream, self.allocated = 0, []
        for name in ("bool", "int8", "int16", "int32", "int64", "uint8",
                     "uint16", "uint32", "uint64", "float16", "float32",
                     "float64"):
            setattr(self, name, DType(name, name))
        self.bfloat16 = DType("bfloat16", "uint16")
        self.cuda = types.SimpleNamespace(
            is_initialized=lambda: True,
            current_stream=lambda device: types.SimpleNamespace(
                cuda_stream=self.stream))

    def is_grad_enabled(self):
        return True

    def empty(self, shape, *, dtype, device):
        kind, index = device.split(":")
        assert kind == "cuda"
        self.allocated.append((tuple(shape), dtype.name, int(index)))
        array = DeviceArray(shape, dtype.numpy, device=int(index))
        return Tensor(array, dtype, int(index))

    def clone(self, tensor):
        made = self.empty(tensor.shape, dtype=tensor.dtype, device="cuda:0")
        made.host[...] = tensor.host
        return made

    def tensor(self, values, dtype, device=0):
        return Tensor(put(values, device=device), dtype, device)
