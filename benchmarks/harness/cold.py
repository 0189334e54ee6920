"""What a program meets that calls other code between two calls: caches without its
arrays, and new memory for each result."""

import ctypes

import numpy as np

_MEGABYTES = 64  # more than the L2 caches and a CPU's share of the L3 cache


def forbid_reuse():
    """Large results get memory that the process did not have before."""
    mmap_threshold, megabyte = -3, 1 << 20  # of mallopt, glibc
    ctypes.CDLL(None).mallopt(mmap_threshold, megabyte)


class Eviction:
    def __init__(self):
        self._bytes = np.zeros(_MEGABYTES << 20, np.uint8)

    def __call__(self):
        """Writes other data to the caches."""
        self._bytes += 1
