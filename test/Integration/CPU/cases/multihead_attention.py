"""Generated cases of lattn.multihead_attention against NumPy in f64:
multihead_attention.py SEED CASES TOOL FOLDER [FLAGS...]"""

import sys

import numpy as np

import philox
from programs import ELEMENTS, Program, attributes
from runs import run_generated

# What enters a product is rounded to the query's type.
TOLERANCES = {"f64": 1e-6, "f32": 5e-5, "f16": 1e-2, "bf16": 8e-2}


def xpos(x, first, base, downscale):
    """Rows of x (B, H, N, D) at positions `first` and after: pairs (2m, 2m + 1),
    scales centred on half of all positions, rounded up."""
    length, size = x.shape[2:]
    position = first + np.arange(length)[:, None]
    m = np.arange(0, size, 2)
    angle = position * (1e4 ** (-m / size)).astype(np.float32).astype(np.float64)
    center = -(-(first + length) // 2)
    scale = ((m + 0.4 * size) / (1.4 * size)) ** ((position - center) / base)
    scale = 1 / scale if downscale else scale
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    y = np.empty_like(x)
    y[..., ::2] = x[..., ::2] * c - x[..., 1::2] * s
    y[..., 1::2] = x[..., 1::2] * c + x[..., ::2] * s
    return y


def get_scores(arrays, q, k, options, wide):
    """Of products to -inf where hidden."""
    scores = q @ k.swapaxes(-1, -2) * options.get("scale", q.shape[-1] ** -0.5)
    if "attn_mask" in arrays:
        # Of numbers in f32 the largest is f32's.
        most = np.finfo(np.float64 if wide else np.float32).max
        scores = np.nan_to_num(scores, nan=0.0, posinf=most, neginf=-most)
        scores = scores + arrays["attn_mask"]
    if "rel_pos" in arrays:
        scores = scores + arrays["rel_pos"]
    if "attn_mask" in arrays or "rel_pos" in arrays:
        scores = scores.astype(np.float32).astype(np.float64)
    if "key_padding_mask" in arrays:
        hidden = arrays["key_padding_mask"][:, None, None]
        scores = np.where(hidden, -np.inf, scores)
    queries, keys = scores.shape[2:]
    p, t = np.arange(queries)[:, None] + keys - queries, np.arange(keys)
    left, right = options.get("left"), options.get("right")
    if options.get("causal"):
        right = min(0 if right is None else right, 0)
    if left is not None:
        scores = np.where(t < p - left, -np.inf, scores)
    if right is not None:
        scores = np.where(t > p + right, -np.inf, scores)
    return scores


@np.errstate(all="ignore")
def multihead_attention(arrays, heads, has_state, options, dropout, wide):
    """All results, by the names of their destinations."""
    arrays = {name: array if array.dtype == bool else array.astype(np.float64)
              for name, array in arrays.items()}
    batches, queries = arrays["query"].shape[:2]
    q, k, v = (
        (arrays[name] @ arrays["w_" + name[0]].T + arrays.get("b_" + name[0], 0))
        .reshape(batches, arrays[name].shape[1], heads, -1).swapaxes(1, 2)
        for name in ["query", "key", "value"])
    if "prev_key" in arrays:
        k = np.concatenate([arrays["prev_key"], k], 2)
        v = np.concatenate([arrays["prev_value"], v], 2)
    results = {"next_key": k, "next_value": v} if has_state else {}
    if options.get("use_xpos"):
        is_later = has_state and not options.get("is_first_step")
        base = options.get("xpos_scale_base", 512.0)
        q = xpos(q, k.shape[2] - 1 if is_later else 0, base, False)
        k = xpos(k, 0, base, True)
    scores = get_scores(arrays, q, k, options, wide)
    weights = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf))
    weights /= weights.sum(-1, keepdims=True)
    results["weights"] = weights.swapaxes(0, 1)
    if dropout:
        row = np.arange(batches * heads).reshape(batches, heads, 1, 1)
        weights = weights * philox.factors(
            dropout, row, np.arange(queries)[:, None], np.arange(k.shape[2]))
    out = (weights @ v).swapaxes(1, 2).reshape(batches, queries, -1)
    if "subln_gain" in arrays:
        out = (out - out.mean(-1, keepdims=True)) / np.sqrt(
            out.var(-1, keepdims=True) + options.get("subln_eps", 1e-5))
        out = out * arrays["subln_gain"] + arrays.get("subln_bias", 0)
    results["out"] = out @ arrays["w_out"].T + arrays.get("b_out", 0)
    return results


def choose_options(rng, size):
    def maybe(p, value=True):
        return value if rng.random() < p else None
    options = {"use_xpos": maybe(0.6) if size % 2 == 0 else None,
               "xpos_scale_base": maybe(0.8, 3.0), "scale": maybe(0.3, -0.7),
               "causal": maybe(0.2), "left": maybe(0.2, int(rng.integers(5))),
               "right": maybe(0.2, int(rng.integers(5))),
               "is_first_step": maybe(0.3)}
    return {name: x for name, x in options.items() if x is not None}


def make_arrays(rng, element, heads, size):
    """Operands in the order of the op's text; whether there is a state."""
    batches, queries, keys = (int(rng.integers(1, n)) for n in (4, 9, 12))
    widths = {n: int(rng.integers(1, 20)) for n in ["query", "key", "value"]}
    inner, out = heads * size, int(rng.integers(1, 20))
    type = ELEMENTS[element]
    wide = np.float64 if element == "f64" else np.float32

    def normal(*shape):
        return (rng.standard_normal(shape) / shape[-1] ** 0.5).astype(type)
    arrays = {n: normal(batches, queries if n == "query" else keys, w)
              * type(w**0.5) for n, w in widths.items()}
    arrays |= {"w_" + n[0]: normal(inner, w) for n, w in widths.items()}
    arrays["w_out"] = normal(out, inner)
    for name, extent in [("q", inner), ("k", inner), ("v", inner), ("out", out)]:
        if rng.random() < 0.6:
            arrays["b_" + name] = normal(extent)
    if rng.random() < 0.4:
        arrays["subln_gain"] = normal(inner)
        if rng.random() < 0.7:
            arrays["subln_bias"] = normal(inner)
    has_state = bool(rng.random() < 0.5)
    if has_state and rng.random() < 0.7:
        before = int(rng.integers(0, 9))
        for name in ["prev_key", "prev_value"]:
            arrays[name] = normal(batches, heads, before, size)
        keys += before
    if rng.random() < 0.3:
        arrays["key_padding_mask"] = rng.random((batches, keys)) < 0.4
    if rng.random() < 0.3:
        mask = rng.standard_normal((queries, keys)).astype(wide)
        mask[rng.random(mask.shape) < 0.3] = -np.inf
        if rng.random() < 0.5:
            mask[0] = -1e9  # beside it a score is rounded away
        arrays["attn_mask"] = mask
    if rng.random() < 0.3:
        shape = (batches, heads, queries, keys)[int(rng.integers(3)):]
        shape = [1 if rng.random() < 0.2 else n for n in shape]
        arrays["rel_pos"] = rng.standard_normal(shape).astype(wide)
    return arrays, has_state


def get_unknown(name, array, kind):
    """Axes that are not known when compiled: none, lengths, or batches too."""
    lengths = {"query": [1], "key": [1], "value": [1], "prev_key": [2],
               "prev_value": [2], "key_padding_mask": [1], "attn_mask": [0, 1],
               "rel_pos": [array.ndim - 2, array.ndim - 1]}.get(name, [])
    has_batch = name in ("query", "key", "value", "prev_key", "prev_value",
                         "key_padding_mask")
    axes = [[], lengths, lengths + [0] * has_batch][kind]
    return [axis for axis in axes if array.shape[axis] != 1 or
            name not in ("attn_mask", "rel_pos")]


def make_case(_, rng):
    """(program, expected, tolerance)"""
    element = str(rng.choice(["f64", "f32", "f32", "bf16", "f16"]))
    heads, size = int(rng.integers(1, 4)), int(rng.choice([1, 3, 4, 8, 8]))
    options = choose_options(rng, size)
    arrays, has_state = make_arrays(rng, element, heads, size)
    if not has_state:
        options.pop("is_first_step", None)
    kind = int(rng.integers(3))
    program = Program()
    op = "lattn.multihead_attention"
    for name, array in arrays.items():
        unknown = get_unknown(name, array, kind)
        op += f" {name}({program.add(name, array, unknown)})"
    dropout = None
    if rng.random() < 0.25:
        dropout = (float(rng.choice([0.0, 0.4, 1.0])),
                   int(rng.integers(-2**63, 2**63)), int(rng.integers(2**40)))
        op += f" dropout({program.add_dropout(*dropout)})"
    results = multihead_attention(arrays, heads, has_state, options, dropout,
                                  element == "f64")
    batch, queries, keys = arrays["query"].shape[0], *results["weights"].shape[2:]
    if kind:
        queries, keys = ("query", 1), "keys"
        program.add_index("keys", results["weights"].shape[3])
    if kind == 2:
        batch = ("query", 0)
    also = []
    if rng.random() < 0.4:
        wide = "f64" if element == "f64" else "f32"
        also.append(("weights", wide, (heads, batch, queries, keys)))
    if has_state:
        also += [(name, element, (batch, heads, keys, size))
                 for name in ["next_key", "next_value"]]
    which = int(rng.integers(len(also) + 1)) if rng.random() < 0.3 else 0
    window = ", ".join(f"{side} = {options[side]}" for side in ["left", "right"]
                       if side in options)
    values = {"heads": heads, "window": f"#lattn.window<{window}>" if window
              else None} | {n: x for n, x in options.items()
                            if n not in ("left", "right")}
    program.finish(op, element, (batch, queries, len(arrays["w_out"])),
                   attributes(values), also, which)
    name = ["out", *(name for name, _, _ in also)][which]
    return program, results[name], TOLERANCES[element]


if __name__ == "__main__":
    run_generated(make_case, *sys.argv[1:])
