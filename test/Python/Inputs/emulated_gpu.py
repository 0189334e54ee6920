"""Kernels that calls of lattn launch on the stand-in for the driver, run by the PTX
emulator on the memory of fake_gpu.py."""

import ctypes

import fake_gpu
import numpy as np
import ptxemu

import lattn
from lattn import _kernels, _lattn

_Kernel = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p),
                           ctypes.POINTER(ctypes.c_uint32),
                           ctypes.POINTER(ctypes.c_uint32))


_DEVICE = 7  # its place among Callable's options


class Emulated:
    """Keeps what was launched, and the first error of the emulator."""

    def __init__(self, monkeypatch, chip):
        self.chip, self.launched, self.error = chip, [], None
        self._modules, self._arrays, self._functions = {}, [], {}
        compile, create = _kernels.Callable, fake_gpu.DeviceArray.__init__

        def record(text, *options):
            if options[_DEVICE] >= 0:
                self._load(lattn.compile_ptx(text.decode(), chip))
            return compile(text, *options)

        def track(array, *arguments, **options):
            create(array, *arguments, **options)
            self._arrays.append(array)

        # Kernels of other tests would not be recorded.
        monkeypatch.setattr(_kernels, "_kernels", {})
        _lattn.forget_kernels()
        monkeypatch.setattr(_kernels, "Callable", record)
        monkeypatch.setattr(fake_gpu.DeviceArray, "__init__", track)

    def _load(self, ptx):
        module = ptxemu.load(ptx)
        for name in module.kernels:
            # Kernels of one name are those of the key that was compiled last.
            self._modules[name] = module
            if name not in self._functions:
                self._functions[name] = _Kernel(
                    lambda *given, name=name: self._run(name, *given))
                fake_gpu.driver.fakeCudaSetKernel(name.encode(),
                                                  self._functions[name])

    def close(self):
        for name in self._functions:
            fake_gpu.driver.fakeCudaSetKernel(name.encode(), None)
        _lattn.forget_kernels()

    def check(self):
        """Raises the error; there must have been a launch."""
        assert self.launched
        if self.error:
            raise self.error

    def _run(self, name, parameters, grid, block):
        self.launched.append(name)
        try:
            module = self._modules[name]
            arguments = [
                self._take(ctypes.string_at(parameters[i], parameter.bytes))
                for i, parameter in enumerate(module.kernel(name).params)]
            module.launch(name, grid=tuple(grid[:3]), block=tuple(block[:3]),
                          args=arguments, shared=1 << 16, seed=1)
        except BaseException as error:  # ctypes drops it
            self.error = self.error or error

    def _take(self, data):
        """A parameter as the emulator takes it: a pointer where it is an address."""
        if len(data) == 8:
            address = int.from_bytes(data, "little")
            for array in self._arrays:
                if 0 <= address - array.address < max(array.host.nbytes, 1):
                    return ptxemu.Pointer(ptxemu.arguments.owner(array.host),
                                          address - array.address)
        return data


def bits(values, dtype):
    """Numbers as the elements of a tensor of torch."""
    if dtype == "bfloat16":
        return ptxemu.to_bf16(np.ascontiguousarray(values, np.float32))
    return np.asarray(values, np.float16)


def numbers(array, dtype):
    return (ptxemu.from_bf16(array) if dtype == "bfloat16"
            else array.astype(np.float32)).astype(np.float64)
