"""Attention in f64 NumPy: no more than the formula, a few queries at a time."""

import numpy as np

from . import modules, window
from .scores import SCORES

ROWS = 256
THETA = 1e4


def compute(workload, arrays):
    """(B, H, N, Dv), or (B, N, width) with projections, or what a module gives. In
    training all gradients, one after the other."""
    w = workload
    if w.module:
        return modules.reference(w, arrays.x, arrays.d_out)
    if w.training:
        return _gradients(w, *(x.astype(np.float64) for x in (
            arrays.q, arrays.k, arrays.v, arrays.d_out)))
    if not w.width:
        return _attention(w, *(x.astype(np.float64)
                               for x in (arrays.q, arrays.k, arrays.v)), arrays)
    x, w_qkv, w_out = (a.astype(np.float64)
                       for a in (arrays.x, arrays.w_qkv, arrays.w_out))
    qkv = (x @ w_qkv).reshape(w.B, w.N, 3, w.H, w.D)
    out = _attention(w, *np.moveaxis(qkv, (2, 3), (0, 2)), arrays)
    return out.swapaxes(1, 2).reshape(w.B, w.N, w.H * w.D) @ w_out


def _rotate(x):
    half = x.shape[-1] // 2
    frequency = np.float32(THETA ** (-np.arange(half) / half))
    angle = np.arange(x.shape[-2])[:, None] * frequency.astype(np.float64)
    low, high = x[..., :half], x[..., half:]
    return np.concatenate([low * np.cos(angle) - high * np.sin(angle),
                           high * np.cos(angle) + low * np.sin(angle)], -1)


def _attention(w, q, k, v, arrays):
    if w.rotary:
        q, k = _rotate(q), _rotate(k)
    lower, upper = window.bounds(w)
    out = np.empty((w.B, w.H, w.N, w.Dv))
    for b, h in np.ndindex(w.B, w.H):
        kv = h // (w.H // w.Hkv)
        for begin in range(0, w.N, ROWS):
            rows = slice(begin, min(begin + ROWS, w.N))
            keys = slice(lower[rows].min(), max(upper[rows]))
            i = np.arange(rows.start, rows.stop)[:, None]
            j = np.arange(keys.start, keys.stop)
            s = q[b, h, rows] @ k[b, kv, keys].T * w.D ** -0.5
            if w.score:
                s = SCORES[w.score].apply(np, s, h, i, j, w.H)
            if arrays.bias is not None:
                s = s + arrays.bias[0, 0, rows, keys].astype(np.float64)
            s[(j < lower[rows, None]) | (j >= upper[rows, None])] = -np.inf
            p = np.exp(s - s.max(-1, keepdims=True))
            out[b, h, rows] = p @ v[b, kv, keys] / p.sum(-1, keepdims=True)
    return out


def _gradients(w, q, k, v, d_out):
    """The gradients of query, key and value."""
    lower, upper = window.bounds(w)
    dq, dk, dv = (np.zeros_like(x) for x in (q, k, v))
    for b, h in np.ndindex(w.B, w.H):
        kv = h // (w.H // w.Hkv)
        for begin in range(0, w.N, ROWS):
            rows = slice(begin, min(begin + ROWS, w.N))
            keys = slice(lower[rows].min(), max(upper[rows]))
            j, scale = np.arange(keys.start, keys.stop), w.D ** -0.5
            s = q[b, h, rows] @ k[b, kv, keys].T * scale
            s[(j < lower[rows, None]) | (j >= upper[rows, None])] = -np.inf
            p = np.exp(s - s.max(-1, keepdims=True))
            p /= p.sum(-1, keepdims=True)
            dp = d_out[b, h, rows] @ v[b, kv, keys].T
            ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
            dq[b, h, rows] = ds @ k[b, kv, keys]
            dk[b, kv, keys] += ds.T @ q[b, h, rows]
            dv[b, kv, keys] += p.T @ d_out[b, h, rows]
    return np.concatenate([x.ravel() for x in (dq, dk, dv)])
