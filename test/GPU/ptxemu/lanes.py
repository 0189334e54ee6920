"""Sets of lanes: a slice where a whole unit goes on together, else indices."""

import numpy as np


def count(s):
    return s.stop - s.start if type(s) is slice else len(s)


def nth(s, i):
    """The lane at position i."""
    return s.start + i if type(s) is slice else int(s[i])


def union(a, b):
    return np.sort(np.concatenate([a, b]))
