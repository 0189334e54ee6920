"""Checks results, and times calls in turns."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import signal
import statistics
import threading
import time
from typing import Any, Callable, Iterator, Mapping, Optional

import numpy as np

from ._implementations import IMPLEMENTATIONS, Unsupported
from ._workloads import Workload

_SHORT = 2e-3      # seconds: shorter calls are timed several at a time
_PAUSE = 0.01      # seconds before each turn, while others' threads may spin
_LEAST = 0.5       # seconds in which a first call is tried
_TOLERANCE = 2e-4  # of results in f32, beside their largest element or 1


def take_turns(calls: Mapping[str, Callable[[], Any]], seconds: float,
               most_turns: int = 1000, pause: float = 0.0) -> dict[str, list[float]]:
    """Calls all of `calls` by turns and returns the seconds of a call in each turn, by
    name. Work that disturbs the machine for a while so disturbs all of them.

    calls: each was called once before, so that it is warm.
    seconds: for all turns together. Each call has a turn, and more of them while they
        fit into its part of the time.
    pause: seconds before each turn.
    """
    times: dict[str, list[float]] = {name: [] for name in calls}
    repeats = dict.fromkeys(calls, 1)
    part, end = seconds / max(1, len(calls)), time.perf_counter() + seconds
    for turn in range(most_turns + 1):
        fitting = [name for name, taken in times.items() if not taken or (
            len(taken) < most_turns and (len(taken) + 1) * min(taken) <= part)]
        if not fitting or (turn > 1 and time.perf_counter() >= end):
            break
        for name in fitting:
            call = calls[name]
            time.sleep(pause)
            start = time.perf_counter()
            for _ in range(repeats[name]):
                call()
            taken = (time.perf_counter() - start) / repeats[name]
            if turn == 0 and taken < _SHORT:
                # It tells how many calls a turn has, and is no turn.
                repeats[name] = math.ceil(_SHORT / max(taken, 1e-7))
            else:
                times[name].append(taken)
    return times


class _Late(BaseException):
    """Raised at the deadline. Packages do not catch it as an error of their own."""


@contextlib.contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """A context that raises _Late after that time, if the system has signals for it."""
    if seconds == math.inf or not hasattr(signal, "setitimer") or (
            threading.current_thread() is not threading.main_thread()):
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        raise _Late
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclasses.dataclass
class Result:
    """The times of an implementation, or why there are none."""

    workload: str
    implementation: str
    times: list[float] = dataclasses.field(default_factory=list)  # seconds
    first_call: Optional[float] = None  # seconds, with compilation
    error: Optional[float] = None       # the largest, beside the largest element
    left_out: Optional[str] = None      # why it was not tried, or does not do it
    is_late: bool = False               # it was tried, and took too long
    failure: Optional[str] = None       # why it has no times, though it should

    @property
    def least(self) -> float:
        return min(self.times)

    @property
    def median(self) -> float:
        return statistics.median(self.times)


def _first_line(error: BaseException) -> str:
    text = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {text[:200]}"


def _find_error(found: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """The largest error; NaN if an element is NaN."""
    errors = []
    for x, y in zip(found, expected):
        if x.shape != y.shape:
            raise ValueError(f"expected a result of {y.shape}, got {x.shape}")
        errors.append(np.abs(x - y).max() / max(1.0, np.abs(y).max()))
    return float(np.max(errors))


def _prepare(workload: Workload, arrays: list[np.ndarray],
             expected: list[np.ndarray], threads: int, seconds: float,
             result: Result) -> Optional[Callable[[], Any]]:
    """The function to time, if its result is right."""
    try:
        with _deadline(seconds):
            start = time.perf_counter()
            call, read = IMPLEMENTATIONS[result.implementation].prepare(
                workload, arrays, threads)
            out = call()
            result.first_call = time.perf_counter() - start
        result.error = _find_error(read(out), expected)
    except _Late:
        result.is_late = True
        result.left_out = (f"its first call took more than the {seconds:.0f} s that "
                           "were left: see --seconds")
        return None
    except Unsupported as reason:
        result.left_out = str(reason)
        return None
    except Exception as error:  # of another package: anything
        result.failure = _first_line(error)
        return None
    if result.error <= _TOLERANCE:
        return call
    result.failure = (f"wrong, and so not timed: its error is {result.error:.2g}, "
                      f"expected at most {_TOLERANCE:g}")
    return None


def measure(workload: Workload, names: list[str], threads: int, seconds: float,
            tell: Callable[[str], None],
            late: Optional[dict[str, float]] = None) -> list[Result]:
    """One Result for each name. Implementations that are not ready in time are left
    out, but not lattn. `tell` is called with the name of the one at work, between
    calls. `late` has the seconds that were too few for a first call in earlier
    workloads; such a call is tried again only if there is more time."""
    late = {} if late is None else late
    timing = max(min(3.0, seconds / 4), 0.0)
    end = time.perf_counter() + seconds - timing
    tell("the reference")
    arrays = workload.make_arrays()
    expected = workload.expect(arrays)
    results, calls = [], {}
    for name in names:
        result = Result(workload.name, name)
        results.append(result)
        left = math.inf if name == "lattn" else end - time.perf_counter()
        if left < max(_LEAST, late.get(name, 0.0)):
            result.left_out = "not enough time was left: see --seconds"
            continue
        tell(name)
        if call := _prepare(workload, arrays, expected, threads, left, result):
            calls[name] = call
        elif result.is_late:
            late[name] = left
    tell("by turns")
    times = take_turns(calls, timing, most_turns=30, pause=_PAUSE)
    for result in results:
        result.times = times.get(result.implementation, [])
    return results
