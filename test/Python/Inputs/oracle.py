"""Attention in float64, from the definition in docs/spec.md."""

import numpy as np


def visible(n, m, offset, window, causal):
    """(N, M): whether the query at offset + i sees the key at j."""
    p = offset + np.arange(n)[:, None]
    t = np.arange(m)[None, :]
    seen = np.ones((n, m), bool)
    left, right, bucket, back, forward = window
    if left is not None:
        seen &= p - left <= t
    if right is not None:
        seen &= t <= p + right
    if causal:
        seen &= t <= p
    if bucket is not None:
        seen &= (p // bucket - back <= t // bucket)
        seen &= (t // bucket <= p // bucket + forward)
    return seen


def philox(counter, key):
    """Philox4x32-10; four arrays and two numbers below 2**32."""
    low = np.uint64(0xFFFFFFFF)
    c = [np.asarray(x, np.uint64) for x in counter]
    for i in range(10):
        products = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        keys = [np.uint64((k + i * step) % 2**32)
                for k, step in zip(key, (0x9E3779B9, 0xBB67AE85))]
        c = [(products[1] >> np.uint64(32)) ^ c[1] ^ keys[0], products[1] & low,
             (products[0] >> np.uint64(32)) ^ c[3] ^ keys[1], products[0] & low]
    return c


def dropout_factor(p, seed, shape, offset=0):
    """(B, H, N, M): 0 where a weight is dropped, else 1 / (1 - p)."""
    b, h, n, m = np.ix_(*(np.arange(size) for size in shape))
    p = float(np.float32(p))
    words = np.stack(np.broadcast_arrays(*philox(
        (np.full_like(m, offset % 2**32), b * shape[1] + h, n, m // 4),
        (seed % 2**32, (seed >> 32) % 2**32))))
    word = np.take_along_axis(
        words, np.broadcast_to(m % 4, words.shape[1:])[None], 0)[0]
    kept = (word >> np.uint64(8)) / 2**24 >= p
    return np.where(kept, 1 / (1 - p) if p < 1 else 0.0, 0.0)


def attention(q, k, v, *, window=(None, None, None, 0, 0), causal=False,
              scale=None, bias=None, key_mask=None, attn_mask=None,
              kv_lengths=None, offset=None, layout="bhnd", softcap=0.0,
              sink=None, score_mod=None, mask_mod=None, q_segments=None,
              kv_segments=None, dropout_p=0.0, seed=None):
    """(output, lse), both float64, the output in `layout`."""
    q, k, v = (np.asarray(x).astype(np.float64) for x in (q, k, v))
    if layout == "bnhd":
        q, k, v = (x.swapaxes(1, 2) for x in (q, k, v))
    b, h, n, d = q.shape
    m = k.shape[2]
    group = h // k.shape[1] if h else 1
    k, v = (np.repeat(x, group, axis=1)[:, :h] for x in (k, v))
    s = np.einsum("bhid,bhjd->bhij", q, k)
    s *= d**-0.5 if scale is None else scale
    if softcap:
        s = softcap * np.tanh(s / softcap)
    at = np.ix_(*(np.arange(size) for size in (b, h, n, m)))
    if score_mod is not None:
        s = score_mod(s, *at)
    if mask_mod is not None:
        s = np.where(mask_mod(*at), s, -np.inf)
    if q_segments is not None:
        same = (np.asarray(q_segments)[:, None, :, None] ==
                np.asarray(kv_segments)[:, None, None, :])
        s = np.where(same, s, -np.inf)
    if bias is not None:
        s = s + np.asarray(bias).astype(np.float64)
    if attn_mask is not None and attn_mask.dtype == bool:
        s = np.where(attn_mask, s, -np.inf)
    elif attn_mask is not None:
        s = s + np.asarray(attn_mask).astype(np.float64)
    lengths = np.full(b, m) if kv_lengths is None else kv_lengths
    lengths = np.clip(np.asarray(lengths), 0, m)
    offsets = lengths - n if offset is None else np.broadcast_to(offset, b)
    for i in range(b):
        seen = visible(n, m, int(offsets[i]), window, causal)
        seen &= np.arange(m) < lengths[i]
        if key_mask is not None:
            seen &= key_mask[i]
        s[i] = np.where(seen, s[i], -np.inf)
    if sink is not None:
        column = np.broadcast_to(
            np.asarray(sink).astype(np.float64)[None, :, None, None],
            (b, h, n, 1))
        s = np.concatenate([s, column], axis=3)
        v = np.concatenate([v, np.zeros((b, h, 1, v.shape[3]))], axis=2)
    top = s.max(axis=3, keepdims=True, initial=-np.inf)
    weights = np.exp(s - np.where(np.isinf(top), 0, top))
    total = weights.sum(axis=3, keepdims=True)
    if dropout_p:
        weights[..., :m] *= dropout_factor(dropout_p, seed, (b, h, n, m))
    # A hidden key's value may be anything.
    hidden = (weights == 0).all(axis=2)
    v = np.where(hidden[..., None], 0, v)
    output = np.einsum("bhij,bhjd->bhid", weights, v)
    output /= np.where(total == 0, 1, total)
    with np.errstate(divide="ignore"):
        lse = (top + np.log(total))[..., 0]
    if layout == "bnhd":
        output = output.swapaxes(1, 2)
    return output, lse
