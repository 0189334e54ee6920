"""Kernel arguments to the bytes of the parameters."""

import numpy as np

from .faults import PTXError
from .layout import align
from .types import TYPES


class Pointer:
    """An address inside an array: `offset` bytes after its first element."""

    def __init__(self, array, offset=0):
        self.array = array
        self.offset = offset


def owner(array):
    """The array that a view looks into."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


class Buffers:
    """Arrays that were passed, each allocated once, however many views."""

    def __init__(self, memory):
        self.memory = memory
        self.addresses = {}

    def address(self, array, name):
        base = owner(array)
        start = base.__array_interface__["data"][0]
        if not (base.flags.c_contiguous or base.flags.f_contiguous):
            raise PTXError(f"argument {name}: a view of an array that has "
                           "gaps itself")
        key = start, base.nbytes
        if key not in self.addresses:
            flat = base.reshape(-1, order="A").view(np.uint8) \
                if base.flags.c_contiguous else base.T.reshape(-1) \
                .view(np.uint8)
            self.addresses[key] = self.memory.allocate(name, flat, False)
        if array.flags.writeable:
            self.memory.allocation(self.addresses[key]).writable = True
        return self.addresses[key] + \
            array.__array_interface__["data"][0] - start


def pack(entry, args, memory):
    """The parameter bytes; arrays become buffers of global memory."""
    params = entry.params
    if args is None:  # only to see what is modelled
        args = [bytes(p.bytes) for p in params]
    if len(args) != len(params):
        raise PTXError(f"{entry.name} takes {len(params)} arguments, got "
                       f"{len(args)}")
    size = 0
    for p in params:
        size = align(size, p.align) + p.bytes
    data, at = np.zeros(max(size, 1), np.uint8), 0
    buffers = Buffers(memory)
    for p, arg in zip(params, args):
        at = align(at, p.align)
        raw = argument_bytes(p, arg, buffers)
        data[at:at + p.bytes] = np.frombuffer(raw, np.uint8)
        at += p.bytes
    return data


def argument_bytes(p, arg, buffers):
    if hasattr(arg, "parameter_bytes"):  # a tensor map
        raw = arg.parameter_bytes(buffers)
    elif isinstance(arg, (bytes, bytearray)):
        raw = bytes(arg)
    elif isinstance(arg, Pointer):
        raw = pointer(buffers.address(arg.array, p.name) + arg.offset)
    elif isinstance(arg, np.ndarray) and arg.ndim + arg.size > 0 and \
            not p.array and p.bytes == 8:
        raw = pointer(buffers.address(arg, p.name))
    elif isinstance(arg, (np.ndarray, np.generic)):
        raw = arg.tobytes()
    elif arg is None:
        raw = pointer(0)
    else:
        raw = number(p, arg)
    if len(raw) != p.bytes:
        raise PTXError(f"argument {p.name} has {p.bytes} bytes, got "
                       f"{len(raw)} of {type(arg).__name__}")
    return raw


def pointer(address):
    return np.uint64(address).tobytes()


def number(p, arg):
    """A Python number as the parameter's type; .b32 takes floats, too."""
    if p.array:
        raise PTXError(f"argument {p.name} is a structure of {p.bytes} bytes, "
                       f"got {type(arg).__name__}")
    dtype = TYPES[p.type].dtype
    if isinstance(arg, float) and dtype.kind != "f":
        dtype = np.dtype(f"f{p.bytes}")
    if dtype.kind == "f":
        return np.array(arg, dtype).tobytes()
    return (int(arg) & (1 << 8 * p.bytes) - 1).to_bytes(p.bytes, "little")
