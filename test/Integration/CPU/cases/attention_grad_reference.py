"""lattn.attention and its gradients in f64 NumPy, written from docs/spec.md."""

import numpy as np


def get_weights(scores, lse):
    """exp(scores - lse); 0 for scores of -inf, and in rows without keys."""
    none = np.isneginf(scores) | np.isneginf(lse)[..., None]
    with np.errstate(all="ignore"):
        return np.where(none, 0, np.exp(scores - lse[..., None]))


def take(weights, matrix):
    """weights @ matrix, where a weight of 0 takes nothing, not even NaN."""
    bad = ~np.isfinite(matrix)
    with np.errstate(all="ignore"):
        sums = weights @ np.where(bad, 0, matrix)
        return np.where((weights != 0).astype(float) @ bad > 0, np.nan, sums)


def transposed(x):
    return x.swapaxes(2, 3)


def forward(scores, value, sink, kept):
    """(output, lse) of scores (B, H, N, M), -inf where hidden; value has all H
    heads, sink is (H, 1) and may be -inf, kept is what dropout multiplies by."""
    ends = np.broadcast_to(sink[None], (*scores.shape[:3],))[..., None]
    all_scores = np.concatenate([scores, ends], -1)
    highest = all_scores.max(-1)
    shift = np.where(np.isfinite(highest), highest, 0)
    with np.errstate(all="ignore"):
        lse = np.log(np.exp(all_scores - shift[..., None]).sum(-1)) + shift
    return take(get_weights(scores, lse) * kept, value), lse


def gradients(query, key, value, scores, scale, slope, kept, output, lse,
              d_output, d_lse):
    """((d_query, d_key, d_value), what bounds their errors: the same sums of
    absolute values). All arrays have all H heads; slope is the derivative of the
    score region."""
    weights = get_weights(scores, lse)
    dropped = np.where(kept == 0, 0, weights * kept)

    def sums(query, key, value, output, d_output, d_lse, sign, scale, slope):
        with np.errstate(all="ignore"):
            of_weights = d_output @ transposed(value)
            of_weights = np.where(kept == 0, 0, of_weights * kept)
            rows = (output * d_output).sum(-1) + sign * d_lse
            of_scores = weights * (of_weights + sign * rows[..., None]) * slope
        of_scores = np.where(weights == 0, 0, of_scores)
        return (scale * take(of_scores, key),
                scale * take(transposed(of_scores), query),
                take(transposed(dropped), d_output))
    arrays = query, key, value, output, d_output, d_lse
    return (sums(*arrays, -1, scale, slope),
            sums(*map(np.abs, arrays), 1, abs(scale), 1.0))


def sink_gradient(sink, output, lse, d_output, d_lse):
    """The same for the sink: (H), and its bound."""
    def sums(output, d_output, d_lse, sign):
        weights = get_weights(np.broadcast_to(sink[None, ..., None],
                                              (*lse.shape, 1)), lse)[..., 0]
        with np.errstate(all="ignore"):
            # An output of 0 that has no keys takes nothing.
            rows = np.where(output == 0, 0, output * d_output).sum(-1)
            rows = rows + sign * d_lse
        return sign * np.where(weights == 0, 0, weights * rows).sum((0, 2))
    return sums(output, d_output, d_lse, -1), sums(*map(np.abs, (
        output, d_output, d_lse)), 1)
