"""The number of threads."""

from __future__ import annotations

from typing import Optional

from . import _lattn
from ._checks import integer


def set_num_threads(n: Optional[int]) -> None:
    """Sets the threads of calls from now on, in the whole process: n >= 1. None
    returns to the default.

    The default is the environment's LATTN_NUM_THREADS. Without it, where torch is
    loaded, it is torch's number for the calling thread (torch.set_num_threads), also
    when that changes later. Else it is the environment's OMP_NUM_THREADS, else the
    number of CPUs that the process may use: by its affinity and by the quotas of its
    control groups. The number changes no result.
    """
    _lattn.set_num_threads(0 if n is None else integer("n", n, 1, 4096))


def get_num_threads() -> int:
    """The threads that a call from this thread may use."""
    return _lattn.get_num_threads()
