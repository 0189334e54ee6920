"""The number of threads."""

from __future__ import annotations

import operator

from . import _lattn


def set_num_threads(n: int) -> None:
    """Sets the threads of calls from now on, in the whole process: n >= 1.

    The number changes no result. Before the first call it is the environment's
    LATTN_NUM_THREADS, else the CPUs that the process may use.
    """
    number = operator.index(n)
    if not 1 <= number <= 4096:
        raise ValueError(f"n: expected an integer from 1 to 4096, got {number}")
    _lattn.set_num_threads(number)


def get_num_threads() -> int:
    """The threads that a call may use."""
    return _lattn.get_num_threads()
