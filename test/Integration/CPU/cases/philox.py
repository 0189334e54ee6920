"""Which weights dropout keeps, in NumPy, by docs/spec.md: Philox4x32-10 (Salmon
et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011)."""

import numpy as np

WORD = np.uint64(0xFFFFFFFF)


def words(key, counter):
    """The four words of counters, each an array of words mod 2^32."""
    x0, x1, x2, x3 = (np.asarray(x).astype(np.int64).astype(np.uint64) & WORD
                      for x in np.broadcast_arrays(*counter))
    k0, k1 = key & 0xFFFFFFFF, key >> 32 & 0xFFFFFFFF
    for _ in range(10):
        first, second = x0 * np.uint64(0xD2511F53), x2 * np.uint64(0xCD9E8D57)
        high0, high1 = first >> np.uint64(32), second >> np.uint64(32)
        x0, x1, x2, x3 = (high1 ^ x1 ^ np.uint64(k0), second & WORD,
                          high0 ^ x3 ^ np.uint64(k1), first & WORD)
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack([x0, x1, x2, x3])


def factors(dropout, row, query, key):
    """0 or 1 / (1 - p) for pairs of broadcastable coordinates; row is b * H + h,
    dropout (p, seed, offset)."""
    p, seed, offset = dropout
    row, query, key = np.broadcast_arrays(row, query, key)
    drawn = words(seed, (np.full_like(row, offset), row, query, key // 4))
    word = np.take_along_axis(drawn, (key % 4)[None], 0)[0]
    kept = (word >> np.uint64(8)).astype(np.float64) * 2.0**-24 >= np.float32(p)
    return np.where(kept, 1 / (1 - np.float64(np.float32(p))) if p < 1 else 0, 0)
