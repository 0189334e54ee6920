"""Attention in f64 NumPy, one row after another. It follows the inequality of
docs/spec.md and uses no other code of the project."""

import numpy as np


def attention_row(query, key, value, i, *, left=None, right=None, offset=None):
    """Row i of softmax(D^-0.5 * query.key^T, windowed) . value.

    query is (N, D), key (M, D), value (M, Dv): one head. The query stands at
    p = offset + i, and sees key t iff p - left <= t <= p + right. A row that
    sees nothing is 0.
    """
    if offset is None:
        offset = len(key) - len(query)
    p = offset + i
    t = np.arange(len(key))
    visible = np.ones(len(key), bool)
    if left is not None:
        visible &= p - left <= t
    if right is not None:
        visible &= t <= p + right
    if not visible.any():
        return np.zeros(value.shape[1])
    q = query[i].astype(np.float64)
    k = key[visible].astype(np.float64)
    v = value[visible].astype(np.float64)
    s = k @ q / np.sqrt(len(q))
    w = np.exp(s - s.max())
    return w @ v / w.sum()
