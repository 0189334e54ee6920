"""Which keys a query sees, from the inequality of docs/spec.md and from nothing
else of the project."""

import numpy as np


def bounds(workload):
    """(lower, upper): query i sees the keys lower[i] <= j < upper[i]."""
    position = workload.M - workload.N + np.arange(workload.N)
    lower = np.zeros(workload.N, np.int64)
    upper = np.full(workload.N, workload.M)
    if workload.left is not None:
        lower = np.maximum(lower, position - workload.left)
    if workload.right is not None:
        upper = np.minimum(upper, position + workload.right + 1)
    if workload.bucket is not None:
        own = position // workload.bucket
        lower = np.maximum(lower, (own - workload.back) * workload.bucket)
        upper = np.minimum(upper, (own + workload.forward + 1) * workload.bucket)
    if workload.causal:
        upper = np.minimum(upper, position + 1)
    return lower, np.maximum(upper, lower)


def visible_pairs(workload):
    """The visible pairs of one head of one batch."""
    lower, upper = bounds(workload)
    return int((upper - lower).sum())


def mask(workload, begin=0, end=None):
    """(N, end - begin) of bool: True where the query sees the key."""
    lower, upper = bounds(workload)
    key = np.arange(begin, workload.M if end is None else end)
    return (lower[:, None] <= key) & (key < upper[:, None])


def seen_keys(workload):
    """(begin, end) of the keys that any query sees."""
    lower, upper = bounds(workload)
    return int(lower.min()), int(upper.max())
