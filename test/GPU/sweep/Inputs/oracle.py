"""Attention of a case in f64, from the inequality of docs/spec.md."""

import numpy as np
from cases import PAIRS


def visible_pairs(case, b):
    """Which keys each query of batch b sees, (N, M)."""
    a = case.arrays
    length = case.M
    if case.kv_lens:
        length = int(np.clip(a["kv_lens"][b], 0, case.M))
    offset = length - case.N if case.offset is None else case.offset
    p = offset + np.arange(case.N)[:, None]
    t = np.arange(case.M)[None, :]
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
        seen &= a["key_mask"][b][None, :]
    return seen


def modify(case, s, b, h):
    """Scores (N, M) of a head as its region has them."""
    distance = np.arange(case.M)[None, :] - np.arange(case.N)[:, None]
    captured = case.arrays.get("captured")
    if case.score == "softcap":
        return np.tanh(s / 3) * 3
    if case.score == "alibi":
        return s - 0.125 * np.abs(distance)
    if case.score == "slopes":
        return s + captured[h].astype(float) * np.abs(distance)
    if case.score == "relative":
        return s + captured[h, np.clip(distance + 16, 0, 32)]
    if case.score == "grid":
        return s + captured[b, h]
    if case.score == "factor":
        return s * captured
    return s


def attention(case):
    """(output, log-sum-exp) as (B, H, N, Dv) and (B, H, N), f64."""
    a = case.arrays
    wide = PAIRS[case.element][1]

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
            for i in range(case.N):
                keys = seen[i]
                s = np.where(keys, 0, -np.inf)
                s[keys] = k[b, kv][keys] @ q[b, h, i] * scale
                if case.score:
                    whole = np.zeros((case.N, case.M))
                    whole[i] = np.where(keys, s, 0)
                    s = np.where(keys, modify(case, whole, b, h)[i], -np.inf)
                if case.bias:
                    bias = np.broadcast_to(a["bias"],
                                           (case.H, case.N, case.M))[h, i]
                    s = np.where(keys, s + bias, -np.inf)
                top = max(s.max(initial=-np.inf),
                          a["sink"][h] if case.sink else -np.inf)
                if top == -np.inf:
                    continue
                w = np.exp(s - top)
                total = w.sum()
                if case.sink:
                    total += np.exp(a["sink"][h] - top)
                output[b, h, i] = w[keys] @ v[b, kv][keys] / total
                lse[b, h, i] = top + np.log(total)
    return output, lse
