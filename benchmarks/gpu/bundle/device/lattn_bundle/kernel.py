"""A kernel of the manifest, loaded."""

import ctypes

from . import driver as cuda
from . import manifest
from .errors import BundleError
from .record import Array, Call


class Kernel:
    """Call with Arrays by name whose `data` are addresses."""

    def __init__(self, driver, entry):
        self.driver, self.entry = driver, entry
        self.module = driver.load(
            manifest.load(manifest.choose_code(entry, driver.version())))
        self.functions = {}

    def close(self):
        self.driver.unload(self.module)

    def prepare(self, arrays, allocate, stream=None):
        """Returns a call that launches it with these arrays. `allocate` makes
        an address of a number of bytes, which it keeps."""
        call = Call(self.entry["function"], arrays)
        for name, size in call.buffers():
            call.add(name, Array(allocate(size), (), ()))
        steps = []
        for launch in call.launches():
            key = launch.kernel, launch.shared
            if key not in self.functions:
                self.functions[key] = self.driver.function(
                    self.module, launch.kernel, launch.shared)
            parameters = [self.pack(kind, value, call)
                          for kind, value in launch.parameters]
            steps.append(self.driver.bind(self.functions[key], launch,
                                          parameters, stream))

        def run():
            for step in steps:
                step()
        run.call = call
        return run

    def pack(self, kind, value, call):
        if kind == "pointer":
            return ctypes.c_uint64(value)
        if kind == "tensor_map":
            return self.driver.encode(value, call.values[value.array].data)
        if kind not in cuda.NUMBERS:
            raise BundleError(f"{self.entry['id']}: a parameter of type {kind!r}, "
                              "which this program does not know")
        return cuda.NUMBERS[kind](value)
