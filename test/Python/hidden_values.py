# REQUIRES: slow
# RUN: %cached_pytest %s

# Values that a query does not see are NaN or infinite: their weight is 0, and they add
# nothing. A query that sees such a value gets what it gives. Few queries, whole tiles
# and tiles that lack queries, with head sizes of whole vectors and of parts of them.

import numpy as np
import pytest

import lattn


def attend(q, k, v, left):
    """In float64, over visible keys only."""
    q, k, v = (x.astype("d") for x in (q, k, v))
    first = k.shape[2] - q.shape[2]
    output = np.empty((*q.shape[:3], v.shape[3]))
    for i in range(q.shape[2]):
        seen = slice(max(0, first + i - left), first + i + 1)
        scores = np.einsum("bhd,bhmd->bhm", q[:, :, i], k[:, :, seen])
        weights = np.exp(scores / np.sqrt(q.shape[3]))
        weights /= weights.sum(-1, keepdims=True)
        output[:, :, i] = np.einsum("bhm,bhmd->bhd", weights, v[:, :, seen])
    return output


@pytest.mark.parametrize("left", [0, 3, 17, 64])
@pytest.mark.parametrize("size", [16, 40, 64, 128])
@pytest.mark.parametrize("queries", [1, 2, 3, 5, 8, 9, 20, 64, 100])
def test_window(queries, size, left):
    random = np.random.default_rng([queries, size, left])
    keys = 100
    q, k, v = (random.standard_normal((1, 2, n, size)).astype("f")
               for n in (queries, keys, keys))
    for key in (keys - 1, keys - 3, keys // 2):
        v[:, :, key] = random.choice([np.nan, np.inf, -np.inf])
    with np.errstate(invalid="ignore"):
        expected = attend(q, k, v, left)
    output = lattn.attention(q, k, v, window=(left, 0))
    is_finite = np.isfinite(expected)
    np.testing.assert_array_equal(np.isfinite(output), is_finite)
    # Sums of up to 65 terms in float32.
    np.testing.assert_allclose(output[is_finite], expected[is_finite], atol=2e-5)
