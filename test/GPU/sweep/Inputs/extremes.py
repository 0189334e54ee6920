"""Cases whose scores are finite but extreme, and exact in f32: what rounds them
otherwise is no fault of a kernel. With some rows whose scores are infinite or NaN."""

import cases
import numpy as np

LOWEST = np.finfo(np.float32).min


def choose(case, rng):
    """Makes a generated case one with such scores."""
    def pick(*values):
        return values[rng.integers(len(values))]

    case.extreme = pick("bias", "bias", "products", "sums", "factor", "grid")
    case.nan, case.bias, case.score, case.lse = False, None, None, True
    case.origin, case.bias_map, case.bias_element = (0, 0, 0, 0), False, "f32"
    if case.extreme == "bias":
        case.bias = pick((case.H, case.N, case.M), (case.N, case.M), (1, 1, case.M))
    elif case.extreme == "grid":
        case.score = "grid"
    elif case.extreme == "factor":
        case.score = "factor"
    if case.extreme == "sums":
        case.scale = pick(1.0, 0.5, 0.125, -0.25)


def row(rng, size):
    """Scores of a query."""
    big = np.float32(10 ** rng.uniform(4, 38.5)) * rng.choice([-1, 1])
    scores = rng.standard_normal(size).astype(np.float32)
    kind = rng.integers(9)
    if kind == 0:                      # equal
        scores[:] = big
    elif kind == 1:                    # one above all
        scores[:] = -abs(big)
        scores[rng.integers(size)] = big
    elif kind == 2:
        scores[:] = rng.choice([1, -1, 0.5, -0.25, 0], size) * big
    elif kind == 3:                    # differences of a few units
        scores[:] = np.sign(big) * 2.0 ** rng.integers(12, 24) + rng.integers(
            -9, 9, size)
    elif kind == 4:                    # hidden by a bias, in front or everywhere
        scores[:rng.integers(1, size + 1)] = LOWEST
    elif kind == 5:
        scores[:rng.integers(1, size + 1)] = -10.0 ** rng.integers(4, 12)
    elif kind == 6:
        scores[rng.random(size) < rng.choice([0.2, 0.9, 1])] = -np.inf
    elif kind == 7 and rng.random() < 0.3:
        scores[rng.integers(size)] = rng.choice([np.inf, np.nan])
    return scores


def rows(rng, shape):
    scores = np.empty(shape, np.float32)
    for at in np.ndindex(tuple(shape[:-1])):
        scores[at] = row(rng, shape[-1])
    return scores


def products(case, rng, most):
    """Queries and keys with one element each that is not 0, a power of 2."""
    q, k = (np.zeros(case.arrays[n].shape, np.float32) for n in "qk")
    size = rng.integers(-3, most + 1) - most // 2
    q[..., -1] = rng.choice([1, -1], q.shape[:-1]) * 2.0 ** (most // 2)
    k[..., -1] = rng.choice([1, -1, 0.5, 0], k.shape[:-1]) * 2.0 ** size
    return q, k


def sums(case, rng):
    """Small integers, and one element that moves all scores of a query."""
    q, k = (rng.integers(-3, 4, case.arrays[n].shape).astype(np.float32) for n in "qk")
    q[..., 0] = rng.choice([1, -1], q.shape[:-1]) * 2.0 ** rng.integers(0, 12)
    k[..., 0] = 2.0 ** rng.integers(0, 11)
    return q, k


def fill(case, rng):
    """Replaces what makes the scores of a case with arrays."""
    a = case.arrays
    q, k = np.zeros(a["q"].shape, np.float32), np.zeros(a["k"].shape, np.float32)
    range_of_type = 120 if case.element == "bf16" else 28
    if case.extreme == "bias":
        a["bias"] = rows(rng, case.bias)
    elif case.extreme == "grid":
        a["captured"] = rows(rng, a["captured"].shape)
    elif case.extreme == "products":
        q, k = products(case, rng, range_of_type)
    elif case.extreme == "sums":
        q, k = sums(case, rng)
    elif case.extreme == "factor":
        q, k = products(case, rng, 16)
        a["captured"] = np.array(2.0 ** rng.integers(-10, 108), np.float32)
    for name, values in (("q", q), ("k", k)):
        a[name][...] = cases.PAIRS[case.element][0](values)
    if case.sink:
        a["sink"] = rng.choice(np.array([0, 1e4, -1e9, 3e38, -3e38, -np.inf],
                                        np.float32), case.H)
