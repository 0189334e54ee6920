"""Attention of a case in f64, from the inequality of docs/spec.md."""

import cases
import numpy as np
import philox


def coordinates(case):
    """(N, 1) and (1, M): queries and keys as the larger op counts them."""
    return (case.origin[2] + np.arange(case.N)[:, None],
            case.origin[3] + np.arange(case.M)[None, :])


def get_bias(case, h):
    """(N, M), or what broadcasts to it."""
    if not case.bias:
        return 0
    bias, (i, t), head = cases.bias_values(case), coordinates(case), case.origin[1] + h
    if case.bias_map:
        return bias[head, (i + t) % 5]
    return np.broadcast_to(bias, cases.extents(case)[1:])[head, i, t]


def visible_pairs(case, b):
    """Which keys each query of batch b sees, (N, M)."""
    a = case.arrays
    i, t = coordinates(case)
    length = case.M + case.origin[3]
    if case.kv_lens:
        length = int(np.clip(a["kv_lens"][case.origin[0] + b], 0, length))
    p = (length - case.N if case.offset is None else case.offset) + i
    seen = np.broadcast_to(t < length, (case.N, case.M)).copy()
    window = dict(case.window or {})
    if case.causal:
        window["right"] = 0
    if "left" in window:
        seen &= p - window["left"] <= t
    if "right" in window:
        seen &= t <= p + window["right"]
    if "bucket" in window:
        n = window["bucket"]
        seen &= p // n - window["back"] <= t // n
        seen &= t // n <= p // n + window["forward"]
    if case.key_mask:
        seen &= a["key_mask"][case.origin[0] + b][t]
    return seen


def modify(case, s, b, h):
    """Scores (N, M) of a head as its region has them."""
    i, t = coordinates(case)
    distance, captured = t - i, case.arrays.get("captured")
    b, h = b + case.origin[0], h + case.origin[1]
    if case.score == "softcap":
        return np.tanh(s / 3) * 3
    if case.score == "alibi":
        return s - 0.125 * np.abs(distance)
    if case.score == "slopes":
        return s + captured[h].astype(float) * np.abs(distance)
    if case.score == "relative":
        return s + captured[h, np.clip(distance + 16, 0, 32)]
    if case.score == "grid":
        return s + captured[b, h, i, t]
    if case.score == "factor":
        return s * captured
    return s


def dropout_factors(case, b, h):
    """What dropout multiplies the weights of a head by, (N, M)."""
    if case.dropout is None:
        return np.ones((case.N, case.M))
    return philox.factors(
        (case.dropout, cases.SEED, cases.DROPOUT_OFFSET),
        (case.origin[0] + b) * case.H + case.origin[1] + h, *coordinates(case))


def attention(case):
    """(output, log-sum-exp) as (B, H, N, Dv) and (B, H, N), f64."""
    a = case.arrays
    wide = cases.PAIRS[case.element][1]

    def heads_first(x):
        x = wide(x).astype(np.float64)
        return x if case.layout == "bhnd" else x.transpose(0, 2, 1, 3)

    q, k, v = (heads_first(a[n]) for n in "qkv")
    scale = case.D ** -0.5 if case.scale is None else case.scale
    output = np.zeros((case.B, case.H, case.N, case.Dv))
    lse = np.full((case.B, case.H, case.N), -np.inf)
    for b in range(case.B):
        seen = visible_pairs(case, b)
        for h in range(case.H):
            kv = h // (case.H // case.Hkv)
            s = modify(case, np.where(seen, q[b, h] @ k[b, kv].T * scale, 0), b, h)
            s = np.where(seen, s + get_bias(case, h), -np.inf)
            sink = a["sink"][case.origin[1] + h] if case.sink else -np.inf
            top = np.maximum(s.max(-1, initial=-np.inf), sink)
            shift = np.where(np.isneginf(top), 0, top)
            w = np.exp(s - shift[:, None])
            total = w.sum(-1) + np.exp(sink - shift)
            empty = np.isneginf(top)
            factors = dropout_factors(case, b, h)
            output[b, h] = multiply(np.where(factors > 0, w * factors, 0), v[b, kv],
                                    seen & (factors > 0)) / np.where(
                empty, 1, total)[:, None]
            lse[b, h] = np.where(empty, -np.inf,
                                 top + np.log(np.where(empty, 1, total)))
    return output, lse


def multiply(weights, values, seen):
    """Sums over the keys that a query sees; others may hold NaN."""
    special = ~np.isfinite(values).all(-1)
    output = weights @ np.where(special[:, None], 0, values)
    for key in np.flatnonzero(special):
        rows = seen[:, key]
        output[rows] += weights[rows, key, None] * values[key]
    return output
