"""lattn beside the attention of other packages that are installed here:
python -m lattn.bench.

A handful of workloads on this machine's CPUs, called by turns. Each result is
compared with one in double precision before it is timed.
"""

from ._measure import take_turns

__all__ = ["take_turns"]
