# REQUIRES: slow
# RUN: %cached_pytest %s

# Windows that are proven from mask_mod: random functions of q_idx and kv_idx against
# NumPy, which evaluates the same functions of whole arrays.

import random

import numpy as np
import pytest

import lattn

H, N, M, D = 2, 21, 26, 8
DOCUMENTS = np.arange(64) // 9
PLACES = np.random.default_rng(0).permutation(64)


def constant(draw):
    return draw.choice([0, 1, 2, 3, 5, 8, 13, -1, -4, -7])


def integer(draw, depth):
    """A function of i and j."""
    kind = draw.randrange(10 if depth else 3)
    if kind < 3:
        return [lambda i, j: i, lambda i, j: j, lambda i, j: i - j][kind]
    a, c = integer(draw, depth - 1), constant(draw)
    b, size = integer(draw, depth - 1), draw.choice([2, 3, 4, 8])
    return [lambda i, j: a(i, j) + c, lambda i, j: a(i, j) - b(i, j),
            lambda i, j: abs(a(i, j)), lambda i, j: a(i, j) // size,
            lambda i, j: a(i, j) % size, lambda i, j: np.minimum(a(i, j), b(i, j)),
            lambda i, j: a(i, j) * 2 - c][kind - 3]


def condition(draw, depth):
    kind = draw.randrange(8 if depth else 5)
    if kind < 5:
        a, b = integer(draw, 2), integer(draw, 1)
        c = constant(draw)
        return [lambda i, j: a(i, j) <= c, lambda i, j: i - j >= c,
                lambda i, j: a(i, j) > b(i, j), lambda i, j: i // 4 == j // 4,
                lambda i, j: DOCUMENTS[i] == DOCUMENTS[j]][kind]
    a, b = condition(draw, depth - 1), condition(draw, depth - 1)
    return [lambda i, j: a(i, j) & b(i, j), lambda i, j: a(i, j) | b(i, j),
            lambda i, j: ~a(i, j)][kind - 5]


def attend(q, k, v, visible):
    """And log-sum-exps; rows that see nothing are 0."""
    s = np.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
    s = np.where(visible, s, -np.inf)
    top = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isfinite(top), top, 0))
    total = p.sum(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        lse = np.log(total) + np.where(np.isfinite(top), top, 0)
    return np.einsum("bhij,bhjd->bhid", p, v) / np.where(total, total, 1), lse[..., 0]


@pytest.mark.parametrize("seed", range(80))
def test_random_masks(seed):
    draw, numbers = random.Random(seed), np.random.default_rng(seed)
    mask = condition(draw, 3)
    batches, n, m = 2, draw.choice([1, N, M]), M
    q = numbers.standard_normal((batches, H, n, D))
    k, v = numbers.standard_normal((2, batches, H, m, D))
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    visible = np.broadcast_to(mask(i, j), (batches, H, n, m))
    options = {}
    if draw.random() < 0.3:  # does not move queries
        options["kv_lengths"] = np.array([m, 7])
        visible = visible & (j < options["kv_lengths"][:, None, None, None])
    if draw.random() < 0.3:
        options["offset"] = 3
    if draw.random() < 0.3:  # with positions of its own
        options["window"] = (6, None)
        offset = options.get("offset", options.get("kv_lengths", np.array(m)) - n)
        position = np.reshape(offset, (-1, 1, 1, 1)) + i
        visible = visible & (position - j <= 6)
    found, lse = lattn.attention(q, k, v, mask_mod=lambda b, h, i, j: mask(i, j),
                                 return_lse=True, **options)
    expected, logs = attend(q, k, v, visible)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(lse, logs, rtol=1e-9, atol=1e-9)
