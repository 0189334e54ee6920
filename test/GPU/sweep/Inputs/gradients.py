"""Generated gradients of attention: arrays, MLIR text, and what is expected in f64."""

import itertools

import cases
import numpy as np
import oracle

# A gradient of a score is rounded to 8 or 11 bits, and so is the result; what it
# is a difference of is f32.
ROUNDING = {"bf16": 2.0 ** -8, "f16": 2.0 ** -11}
DIFFERENCE = 2.0 ** -18
LEAST = {"bf16": 0, "f16": 1.1 * 2.0 ** -24}  # the least weight; repeated work keeps it
SUM = 1e-4  # in f32, of numbers that have 2^-20 of their own
MOST = 65504 * (1 - 2 ** -9)  # f16 has larger numbers, but rounding may reach inf


def generate(rng):
    case = cases.generate(rng)
    case.lse = True
    case.d_lse = bool(rng.integers(2))
    case.d_bias = bool(case.bias and not case.bias_map and not any(case.origin)
                       and min(case.bias[-2:]) > 1)
    if case.d_bias:
        case.bias_element = "f32"
    if case.element == "f16":
        case.loss_scale = 2 ** int(rng.choice([0, 0, 8, 12, 14, 16]))
    return case


def align(case, rng):
    """Most cases are such that tensor maps reach them: rows of log-sum-exps, too."""
    cases.align(case, rng)
    if rng.random() < 0.85:
        before, case.N = case.N, max(4, case.N // 4 * 4)
        if case.bias and len(case.bias) > 1 and case.bias[-2] == before:
            case.bias = (*case.bias[:-2], case.N, case.bias[-1])


def get_options(case, rng):
    """Of kernels with warpgroups."""
    return (f"multiprocessors={case.multiprocessors} "
            f"query-tile={rng.choice([0, 0, 64, 128])} "
            f"key-tile={rng.choice([0, 0, 16, 48])}")


def combine():
    """Each set of what hides keys, with tiles in which nothing else does."""
    for mask, lens, left, origin in itertools.product(
            (False, True), (False, True), (None, 100), (None, (1, 2, 30, 20))):
        window = left and {"left": left, "right": 0}
        case = cases.Case(B=2, H=2, Hkv=1 if origin else 2, N=152, M=150, D=32, Dv=32,
                          window=window, key_mask=mask, kv_lens=lens, lse=True)
        if origin:
            case.origin, case.offset = origin, -12
        yield case


def fill(case, rng, fewest_keys=0, sink=None):
    """Query, key, value, what the forward pass gives, and its gradients."""
    narrow = cases.PAIRS[case.element][0]
    a = cases.fill(case, rng)
    if sink is not None:
        a["sink"][...] = sink
    if case.kv_lens:
        np.maximum(a["kv_lens"], fewest_keys, out=a["kv_lens"])
    with np.errstate(invalid="ignore", over="ignore"):
        output, lse = oracle.attention(case)
    a["o"][...] = narrow(in_layout(case, output).astype(np.float32))
    a["lse"][...] = lse
    given = rng.standard_normal(a["o"].shape) * case.loss_scale
    a["do"] = narrow(np.clip(given, -MOST, MOST).astype(np.float32))
    if case.nan:
        at = tuple(rng.integers(n) for n in a["do"].shape[:3])
        a["do"][at] = narrow(np.float32(np.nan))
    if case.d_lse:
        a["d_lse"] = (rng.standard_normal(lse.shape)
                      * case.loss_scale).astype(np.float32)
    for name in "qkv":
        a["d" + name] = np.full_like(a[name], 0x7fff)
    if case.sink:
        a["d_sink"] = np.full_like(a["sink"], np.nan)
    if case.d_bias:
        a["d_bias"] = np.full_like(a["bias"], np.nan)
    return a


def in_layout(case, x):
    return x if case.layout == "bhnd" else x.swapaxes(1, 2)


def text(case):
    program = cases.declare(case)
    types = program.types
    for name in ("dq", "dk", "dv"):
        types[name] = types[name[1]]
    types["do"], types["d_lse"] = types["o"], types["lse"]
    types["d_sink"] = types["sink"]
    if case.d_bias:
        types["d_bias"] = types["bias"]
    forward = [n for n in ("q", "k", "v")]
    names = dict(zip(forward, ("query", "key", "value"), strict=True))
    op = "lattn.attention_grad " + " ".join(
        f"{word}(%{n} : {types[n]})" for n, word in names.items())
    op += program.operands
    back = {"o": "output", "lse": "lse", "do": "d_output"}
    if case.d_lse:
        back["d_lse"] = "d_lse"
    op += " " + " ".join(f"{word}(%{n} : {types[n]})" for n, word in back.items())
    results = ("dq", "dk", "dv")
    sink = f", %d_sink : {types['sink']}" if case.sink else ""
    op += (f" outs({', '.join('%' + n for n in results)} : "
           f"{', '.join(types[n] for n in results)}{sink})")
    if case.d_bias:
        op += f" d_bias(%d_bias : {types['d_bias']})"
    return cases.write(case, program, op)


def slope(case, s):
    """The derivative of the score region."""
    if case.score == "softcap":
        return 1 - np.tanh(s / 3) ** 2
    return case.arrays["captured"] if case.score == "factor" else 1


def differentiate(case):
    """The gradients, each with the sum of the magnitudes of its terms, f64, and with
    where a term is too large for f16; heads first."""
    a = case.arrays
    wide = cases.PAIRS[case.element][1]
    q, k, v, o, do = (in_layout(case, wide(a[n]).astype(np.float64))
                      for n in ("q", "k", "v", "o", "do"))
    scale = case.D ** -0.5 if case.scale is None else case.scale
    def zeros(*shape):
        return [np.zeros(shape), np.zeros(shape), np.zeros(shape, bool)]

    sums = {n: zeros(*x.shape) for n, x in (("dq", q), ("dk", k), ("dv", v))}
    if case.sink:
        sums["d_sink"] = zeros(case.origin[1] + case.H)
    if case.d_bias:
        sums["d_bias"] = zeros(*a["bias"].shape)

    def add(name, at, weights, values, seen, errors=0):
        for part, w, x in ((0, weights, values),
                           (1, np.abs(weights) + errors, np.abs(values))):
            sums[name][part][at] += oracle.multiply(w, x, seen)

    for b in range(case.B):
        seen = oracle.visible_pairs(case, b)
        for h in range(case.H):
            kv = h // (case.H // case.Hkv)
            lse = a["lse"][b, h].astype(np.float64)[:, None]
            product = np.where(seen, q[b, h] @ k[b, kv].T * scale, 0)
            s = oracle.modify(case, product, b, h)
            s = s + oracle.get_bias(case, h)
            p = np.where(seen, np.exp(s - np.where(seen, lse, 0)), 0)
            r = np.where(o[b, h] == 0, 0, do[b, h] * o[b, h]).sum(-1)
            if case.d_lse:
                r = r - a["d_lse"][b, h]
            factors = oracle.dropout_factors(case, b, h)
            kept = seen & (factors > 0)
            dp = np.where(kept, factors * (do[b, h] @ v[b, kv].T), 0)
            of_yielded = np.where(seen, p * (dp - r[:, None]), 0)
            ds = of_yielded * slope(case, product)
            if case.element == "f16":
                large = ~(np.abs(ds) < MOST)
                sums["dq"][2][b, h] |= large.any(-1, keepdims=True)
                sums["dk"][2][b, kv] |= large.any(0)[:, None]
            ds = ds * scale
            dp = np.where(kept, factors * (np.abs(do[b, h]) @ np.abs(v[b, kv].T)),
                          0)
            terms = np.where(seen, p * (dp + np.abs(r[:, None])), 0)
            if case.d_bias:
                at = h if a["bias"].ndim == 3 else ...
                sums["d_bias"][0][at] += of_yielded
                sums["d_bias"][1][at] += terms
            errors = terms * (np.abs(slope(case, product) * scale) * DIFFERENCE
                              / ROUNDING[case.element])
            if case.sink:
                head = case.origin[1] + h
                weights = np.exp(a["sink"][head] - lse[:, 0])
                terms = np.where(weights == 0, 0, weights * r)
                sums["d_sink"][0][head] -= terms.sum()
                sums["d_sink"][1][head] += np.abs(terms).sum()
            add("dq", (b, h), ds, k[b, kv], seen, errors)
            add("dk", (b, kv), ds.T, q[b, h], seen.T, errors.T)
            lost = LEAST[case.element] / ROUNDING[case.element] * kept.T
            add("dv", (b, kv), np.where(kept, p * factors, 0).T, do[b, h], kept.T,
                lost)
    return sums


def compare(got, want, terms, rounding, large):
    """The largest error, in tolerances; infinite where what is finite differs. A
    `large` number may have become inf or NaN, but no other number."""
    finite = np.isfinite(want)
    if (np.isfinite(got) != finite)[~large].any():
        return np.inf
    here = finite & np.isfinite(got)
    got, want, terms = got[here], want[here], terms[here]
    bound = rounding * (terms + np.abs(want)) + 1e-5
    return np.max(np.abs(got - want) / bound, initial=0)


def outputs(case):
    """(name, element, what `compare` takes beside the result) of each result, in the
    layout of its array."""
    with np.errstate(invalid="ignore", over="ignore"):  # on purpose
        sums = differentiate(case)
    for name, (values, terms, large) in sums.items():
        if name in ("d_sink", "d_bias"):
            yield name, "f32", (values, terms, SUM, large)
            continue
        if case.element == "f16":
            reach = np.abs(values) + ROUNDING[case.element] * terms
            large = large | ~(reach < MOST)
        yield (name, case.element,
               (in_layout(case, values), in_layout(case, terms),
                ROUNDING[case.element], in_layout(case, large)))
