"""Keys and values in pages, and their block tables, as NumPy's arrays."""

import numpy as np


def lay_out(rng, rows, size, table, count, layout):
    """A pool of `count` pages with the `rows` (B, Hkv, M, D), NaN elsewhere."""
    pool = np.full((count, rows.shape[1], size, rows.shape[3]), np.nan, rows.dtype)
    for b in range(table.shape[0]):
        for i in range(-(-rows.shape[2] // size)):
            part = rows[b, :, i * size:(i + 1) * size]
            pool[table[b, i], :, :part.shape[1]] = part
    if layout == "bnhd":
        pool = pool.swapaxes(1, 2)
    if rng.random() < 0.5:  # any strides
        wide = np.zeros((*pool.shape[:3], 2 * pool.shape[3] + 3), pool.dtype)
        slices = (slice(1, pool.shape[3] + 1), slice(1, -2, 2))
        view = wide[..., slices[int(rng.integers(2))]]
        view[...] = pool
        pool = view
    return pool


def make_table(rng, b, needed, entries, kind):
    """Pages of all sequences in any order; other entries are no pages."""
    count = int(b * needed + rng.integers(1, 4))
    table = np.full((b, entries), -7, kind)
    table[:, :needed] = rng.permutation(count)[:b * needed].reshape(b, needed)
    return table, count
