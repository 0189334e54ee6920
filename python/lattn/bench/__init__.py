"""python -m lattn.bench: compares lattn with the attention of other installed packages.

A few workloads run on this machine's CPUs, in turns. Each result is compared with
one in double precision before it is timed."""

from ._measure import take_turns

__all__ = ["take_turns"]
