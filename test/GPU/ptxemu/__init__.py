"""Runs PTX on the CPU, strictly: see README.md."""

import numpy as np

from . import ir
from .arguments import Pointer
from .faults import Deadlock, Fault, PTXError, Race
from .floats import from_bf16, to_bf16
from .launch import Launch, Options, Result
from .layout import initial_bytes
from .parser import parse
from .tensor_map import TensorMap

__all__ = ["Deadlock", "Fault", "Module", "PTXError", "Pointer", "Race",
           "Result", "TensorMap", "from_bf16", "from_f16", "load", "to_bf16",
           "to_f16"]


def to_f16(values):
    """f32 to the bits of f16."""
    return np.asarray(values, np.float32).astype(np.float16).view(np.uint16)


def from_f16(bits):
    return np.asarray(bits, np.uint16).view(np.float16).astype(np.float32)


class Module:
    """A parsed PTX module; its .global variables live as long as it does."""

    def __init__(self, text):
        self.ir = parse(text)

    @property
    def kernels(self):
        return [f.name for f in self.ir.functions.values() if f.entry]

    def variable(self, name):
        """The bytes of a .global or .const variable, to be read or set."""
        var = self.ir.vars.get(name)
        if not isinstance(var, ir.Var) or var.space not in ("global", "const"):
            raise PTXError(f"no .global or .const variable {name}")
        if name not in self.ir.storage:
            self.ir.storage[name] = initial_bytes(var)
        return self.ir.storage[name]

    def kernel(self, name):
        entry = self.ir.functions.get(name)
        if entry is None or not entry.entry:
            raise PTXError(f"no kernel {name}; there are "
                           f"{', '.join(self.kernels)}")
        return entry

    def check(self, kernel):
        """Raises a PTXError if the kernel has what is not modelled."""
        Launch(self.ir, self.kernel(kernel), 1, 128, None, 0, 0,
               Options()).prepare()

    def launch(self, kernel, grid=1, block=1, args=(), shared=0, seed=0,
               **options):
        """Runs a kernel on NumPy arrays (pointers) and numbers. Options:
        races, steps, blocks. Returns a Result."""
        return Launch(self.ir, self.kernel(kernel), grid, block, args, shared,
                      seed, Options(**options)).run()


def load(text):
    return Module(text)
