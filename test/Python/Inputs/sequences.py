"""Packed sequences and padded ones, as NumPy's arrays."""

import numpy as np


def get_borders(lengths):
    return np.concatenate([[0], np.cumsum(lengths)])


def pad(rows, lengths):
    """Sequences of (1, heads, T, size) as (S, heads, longest, size), with NaN behind
    each."""
    padded = np.full((len(lengths), rows.shape[1], max(lengths, default=0),
                      rows.shape[3]), np.nan)
    for i, (begin, n) in enumerate(zip(get_borders(lengths), lengths)):
        padded[i, :, :n] = rows[0, :, begin:begin + n]
    return padded


def pack(rows, lengths):
    """The inverse; axes behind the rows are kept."""
    parts = [x[:, :n] for x, n in zip(rows, lengths)]
    return np.concatenate(parts, 1)[None]
