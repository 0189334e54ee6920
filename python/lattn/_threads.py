"""The number of threads."""

from __future__ import annotations

from . import _lattn
from ._checks import integer


def set_num_threads(n: int) -> None:
    """Sets the threads of calls from now on, in the whole process: n >= 1.

    The number changes no result. Before the first call it is the environment's
    LATTN_NUM_THREADS, else the CPUs that the process may use.
    """
    _lattn.set_num_threads(integer("n", n, 1, 4096))


def get_num_threads() -> int:
    """The threads that a call may use."""
    return _lattn.get_num_threads()
