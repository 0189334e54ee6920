"""threads.py LIBRARY: calls it by ctypes, with one thread and with more."""

import ctypes
import os
import sys

import numpy as np


class Array(ctypes.Structure):
    _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                ("offset", ctypes.c_int64), ("sizes", ctypes.c_int64 * 4),
                ("strides", ctypes.c_int64 * 4)]


def describe(array):
    strides = [stride // array.itemsize for stride in array.strides]
    return Array(array.ctypes.data, array.ctypes.data, 0,
                 (ctypes.c_int64 * 4)(*array.shape),
                 (ctypes.c_int64 * 4)(*strides))


library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
random = np.random.default_rng(1)
arguments = [random.standard_normal((1, 8, 4096, 64), np.float32)
             for _ in range(3)]


def call():
    result = Array()
    library._mlir_ciface_windowed_attention(
        ctypes.byref(result), *(ctypes.byref(describe(a)) for a in arguments))
    count = int(np.prod(result.sizes))
    out = np.ctypeslib.as_array(ctypes.cast(
        result.aligned, ctypes.POINTER(ctypes.c_float)), (count,)).copy()
    ctypes.CDLL(None).free(ctypes.c_void_p(result.allocated))
    return out


def count_threads():
    return len(os.listdir("/proc/self/task"))


library.lattn_set_num_threads(ctypes.c_int64(1))
before = count_threads()
first = call()
print("one thread:", count_threads() - before + 1)
library.lattn_set_num_threads(ctypes.c_int64(3))
second = call()
print("three threads:", count_threads() - before + 1)
assert (first == second).all()
print("equal")
