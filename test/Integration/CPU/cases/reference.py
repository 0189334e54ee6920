"""lattn.local_attention in f64 NumPy, a block of queries at a time, written
from the description of LocalAttention and from nothing else of the project."""

import numpy as np

import philox

BLOCKED = -np.finfo(np.float64).max
OWN = -5e4


def rotate(x, position, dim, theta, scale):
    """Rows of x turned by position * theta^(-2m/dim) in pairs (m, m + D/2),
    and times `scale`."""
    half = x.shape[-1] // 2
    frequency = (theta ** (-np.arange(0, dim, 2) / dim)).astype(np.float32)
    angle = position[:, None] * frequency.astype(np.float64)
    low, high = x[..., :half], x[..., half:]
    turned = [low * np.cos(angle) - high * np.sin(angle),
              high * np.cos(angle) + low * np.sin(angle)]
    return np.concatenate([part * scale for part in turned], -1)


def xpos_scale(position, slots, dim, base):
    m = np.arange(0, dim, 2)
    z = (m + 0.4 * dim) / (1.4 * dim)
    return z ** ((position[:, None] - slots // 2) / np.float64(base))


@np.errstate(all="ignore")
def local_attention(q, k, v, mask=None, bias=None, *, window_size, causal=False,
                    look_backward=1, look_forward=None, exact_windowsize=False,
                    autopad=False, shared_qk=False, dim=None, theta=1e4,
                    use_xpos=False, xpos_scale_base=None, scale=None,
                    call_window_size=None, dropout=None, magnitudes=False,
                    rounding=lambda x: x):
    """q (B, H, N, D), k and v (B, Hkv, N, ...); mask (B, N), True takes part;
    bias (Hb, W or 1, slots or 1); dropout (p, seed, offset). `magnitudes`: of
    |values| instead. `rounding` is done where the package under torch's autocast
    rounds: operands and results of both products."""
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    batches, heads, n, size = q.shape
    module, block = window_size, call_window_size or window_size
    forward = (0 if causal else 1) if look_forward is None else look_forward
    slots = (look_backward + 1 + forward) * block
    scale = size ** -0.5 if scale is None else scale
    base = module // 2 if xpos_scale_base is None else xpos_scale_base
    padded = -(-n // module) * module if autopad else n
    assert padded % block == 0

    if shared_qk:
        k = k / np.maximum(np.linalg.norm(k, axis=-1, keepdims=True), 1e-12)
    extend = ((0, 0), (0, 0), (0, padded - n), (0, 0))
    q, k, v = (np.pad(a, extend) for a in (q, k, v))
    if mask is not None:
        mask = np.pad(mask, ((0, 0), (0, padded - n)))
    out = np.zeros((batches, heads, padded, v.shape[-1]))
    slot = np.arange(slots)
    for b, h, w in np.ndindex(batches, heads, padded // block):
        p = (w * block + np.arange(block))[:, None]
        t = (w - look_backward) * block + slot
        inside = (t >= 0) & (t < padded)
        kv = h // (heads // k.shape[1])
        keys = np.where(inside[:, None], k[b, kv, t % padded], -1.0)
        values = np.where(inside[:, None], v[b, kv, t % padded], -1.0)
        if magnitudes:
            values = np.abs(values)
        queries = q[b, h, p[:, 0]] * scale
        if dim is not None:
            places = slot[-block:]
            of_keys = of_queries = 1.0
            if use_xpos:
                of_keys = 1 / xpos_scale(slot, slots, dim, base)
                of_queries = xpos_scale(places, slots, dim, base)
            keys = rotate(keys, slot, dim, theta, of_keys)
            queries = rotate(queries, places, dim, theta, of_queries)
        scores = rounding(rounding(queries) @ rounding(keys).T)
        if bias is not None:
            scores = scores + bias[h % len(bias)]
        if shared_qk:
            scores = np.where(t == p, OWN, scores)
        blocked = np.broadcast_to(~inside, scores.shape).copy()
        if causal:
            blocked |= t > p
        if exact_windowsize:
            blocked |= p - t > module * look_backward
            blocked |= t - p > module * forward
        if mask is not None:
            blocked |= ~mask[b, t % padded]
        scores = np.where(blocked, BLOCKED, scores)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        if dropout is not None:
            weights *= philox.factors(dropout, b * heads + h, p, t)
        out[b, h, p[:, 0]] = rounding(rounding(weights) @ values)
    return out[:, :, :n]
