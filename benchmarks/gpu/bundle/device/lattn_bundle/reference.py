"""What must come out, by NumPy or torch (`xp`); `arange` makes its numbers."""

import itertools

MOST = 2 ** 24            # pairs at a time
# The output is rounded to 8 or 11 bits and so are the weights, each of which is
# off by half a unit: their errors add up to about one more of the output's.
TOLERANCES = {"bf16": 2.0 ** -7, "f16": 2.0 ** -9}   # times max(1, |expected|)
# Gradients are sums of terms that are rounded to 8 or 11 bits. The gradient of a score
# is a difference of f32, and the least f16 is no term.
ROUNDING = {"bf16": 2.0 ** -8, "f16": 2.0 ** -11}
DIFFERENCE, LEAST = 2.0 ** -18, {"bf16": 0, "f16": 1.1 * 2.0 ** -24}


def find_error(case, xp, arange, arrays):
    """The largest error of the outputs, in tolerances; infinite where one is not finite.
    `arrays` are wide."""
    compute = differentiate if case.backward else attend
    worst = 0.0
    for name, (want, bound) in compute(case, xp, arange, arrays).items():
        got = arrays[name]
        if not xp.isfinite(got).all():
            return float("inf")
        worst = max(worst, float((abs(got - want) / bound).max()))
    return worst


def make_blocks(case, xp, arange, arrays):
    """Queries that share keys, some at a time: places of queries and of keys, and
    scores, -inf for keys that they do not see."""
    group, far = case.H // case.Hkv, case.N + case.M
    left, right = (far if x is None else x for x in (case.left, case.right))
    rows = max(1, MOST // (group * case.M))
    for b, n, i in itertools.product(range(case.B), range(case.Hkv),
                                     range(0, case.N, rows)):
        queries = b, slice(n * group, (n + 1) * group), slice(i, i + rows)
        p = arange(i, min(case.N, i + rows))[:, None] + case.M - case.N
        seen = (arange(case.M) >= p - left) & (arange(case.M) <= p + right)
        scores = arrays["q"][queries] @ arrays["k"][b, n].T * case.D ** -0.5
        yield queries, (b, n), xp.where(seen, scores, -xp.inf)


def attend(case, xp, arange, arrays):
    """{name: (expected, how far off it may be)}"""
    out = xp.zeros_like(arrays["out"])
    for queries, keys, s in make_blocks(case, xp, arange, arrays):
        top = xp.amax(s, -1)[..., None]
        w = xp.exp(s - xp.where(top > -xp.inf, top, 0))
        total = w.sum(-1)[..., None]
        out[queries] = w @ arrays["v"][keys] / xp.where(total > 0, total, 1)
    return {"out": (out, TOLERANCES[case.dtype] * abs(out).clip(min=1))}


def differentiate(case, xp, arange, arrays):
    """The same of gradients, from the output and log-sum-exps that are given."""
    rounding, scale = ROUNDING[case.dtype], case.D ** -0.5
    sums = {name: (xp.zeros_like(arrays[name]), xp.zeros_like(arrays[name]))
            for name in case.outputs}

    def add(name, at, weights, off, x):
        for total, terms in zip(sums[name], (weights @ x, (abs(weights) + off) @ abs(x))):
            total[at] += terms if name == "dq" else terms.sum(0)

    for queries, keys, s in make_blocks(case, xp, arange, arrays):
        q, o, do = (arrays[name][queries] for name in ("q", "out", "do"))
        k, v = (arrays[name][keys] for name in "kv")
        lse = arrays["lse"][queries][..., None]
        p = xp.exp(s - xp.where(lse > -xp.inf, lse, 0))
        r = (do * o).sum(-1)[..., None]
        ds = p * (do @ v.T - r) * scale
        off = p * (abs(do) @ abs(v).T + abs(r)) * scale * (DIFFERENCE / rounding)
        add("dq", queries, ds, off, k)
        add("dk", keys, ds.swapaxes(1, 2), off.swapaxes(1, 2), q)
        p = p.swapaxes(1, 2)
        add("dv", keys, p, (p > 0) * (LEAST[case.dtype] / rounding), do)
    return {name: (want, rounding * (terms + abs(want)) + 1e-5)
            for name, (want, terms) in sums.items()}
