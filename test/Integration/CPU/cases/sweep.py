"""Generated cases of lattn.local_attention against reference.py:
sweep.py SEED CASES TOOL FOLDER [FLAGS...]"""

import sys

import numpy as np

import reference
from programs import ELEMENTS, Program, attributes
from runs import run_generated

# What sums in f32 (f64) add, relative to 1 + sum_t |a_t value_t|.
TOLERANCES = {"f64": 1e-9, "f32": 2e-5, "f16": 2e-5, "bf16": 2e-5}
# Half an ulp of 1, of types that are narrower than sums.
ROUNDINGS = {"f16": 2.0**-11, "bf16": 2.0**-8}


def get_bound(element, expected, magnitudes):
    """How far each output may be off: attention_p1 and p3."""
    unit = ROUNDINGS.get(element, 0)
    rounded = np.abs(expected)
    if element == "bf16":
        rounded = rounded + magnitudes
    return unit * rounded + TOLERANCES[element] * (1 + magnitudes)


def choose_options(rng):
    """Options of one case, in the op's words, and the sequence's length."""
    def maybe(p, value=True):
        return value if rng.random() < p else None
    module = int(rng.integers(1, 10))
    options = dict(window_size=module)
    options["causal"] = maybe(0.5)
    options["look_backward"] = maybe(0.6, int(rng.integers(0, 4)))
    if not options["causal"]:
        options["look_forward"] = maybe(0.6, int(rng.integers(0, 3)))
    options["exact_windowsize"] = maybe(0.4)
    options["shared_qk"] = maybe(0.25)
    options["scale"] = maybe(0.3, float(rng.choice([0.0, -0.7, 2.5])))
    options["autopad"] = maybe(0.5)
    block = module
    size = int(rng.choice([1, 3, 8, 16]))
    if rng.random() < 0.6:
        size = int(rng.choice([2, 4, 5, 8, 16]))
        if size % 2:
            size += 1
            options["dim"] = size - 1
        else:
            options["dim"] = size
        options["theta"] = maybe(0.2, 500.0)
    if rng.random() < 0.4:
        options["use_xpos"] = True
        # Without a base of its own a window of 1 has base 0.
        options["xpos_scale_base"] = maybe(0.5 if module > 1 else 0.9, 7.0)
        if rng.random() < 0.5:
            block = module * 2
            options["call_window_size"] = block
    blocks = int(rng.integers(1, 5))
    n = blocks * block
    if options["autopad"] and module > 1:
        n -= int(rng.integers(0, module))
    return {k: v for k, v in options.items() if v is not None}, n, size


def make_case(_, rng, element=None, **also):
    """(program, expected, tolerance), of one type if `element`; `also` are
    options of a second result of the reference, which follows."""
    options, n, size = choose_options(rng)
    drawn = str(rng.choice(["f64", "f32", "f32", "bf16", "f16"]))
    element = element or drawn
    batches = int(rng.choice([0, 1, 2, 3], p=[0.05, 0.4, 0.35, 0.2]))
    kv_heads = int(rng.integers(1, 4))
    heads = kv_heads * int(rng.choice([1, 1, 2]))
    width = size if rng.random() < 0.7 else int(rng.integers(1, 12))

    def normal(*shape):
        return rng.standard_normal(shape).astype(ELEMENTS[element])
    q = normal(batches, heads, n, size)
    k = normal(batches, kv_heads, n, size)
    v = normal(batches, kv_heads, n, width)
    if options.get("shared_qk") and rng.random() < 0.3:
        k[:, :, rng.integers(n)] = 0
    mask = bias = None
    # Base 0 makes all NaN, here even what is hidden.
    base0 = (options.get("use_xpos") and options["window_size"] == 1 and
             "xpos_scale_base" not in options)
    if rng.random() < 0.4 and not base0:
        mask = rng.random((batches, n)) < rng.choice([0.2, 0.7])
        mask[:1] &= rng.random() < 0.7
    forward = options.get("look_forward", 0 if options.get("causal") else 1)
    block = options.get("call_window_size", options["window_size"])
    slots = (options.get("look_backward", 1) + 1 + forward) * block
    if rng.random() < 0.4:
        divisors = [d for d in range(1, heads + 1) if heads % d == 0]
        bias = rng.standard_normal((int(rng.choice(divisors)),
                                    int(rng.choice([1, block])),
                                    int(rng.choice([1, slots]))))
        if rng.random() < 0.3:
            bias[rng.random(bias.shape) < 0.3] = -np.inf
            if rng.random() < 0.5:
                bias[:, 0] = -np.inf
        bias = bias.astype(np.float64 if element == "f64" else np.float32)

    # What is not known when compiled: nothing, lengths, or all but sizes.
    unknown = [(), (2,), (0, 1, 2)][rng.integers(3)]
    bnhd = rng.random() < 0.2
    axes = [0, 2, 1, 3] if bnhd else [0, 1, 2, 3]
    program = Program()

    def add(name, array):
        if bnhd:
            array = array.swapaxes(1, 2)
        return program.add(name, np.ascontiguousarray(array),
                           [axes[a] for a in unknown])
    op = (f"lattn.local_attention query({add('q', q)}) key({add('k', k)}) "
          f"value({add('v', v)})")
    if bias is not None:
        op += f" bias({program.add('bias', bias)})"
    if mask is not None:
        places = [[0, 2].index(a) for a in unknown if a in (0, 2)]
        op += f" key_mask({program.add('mask', mask, places)})"
    dropout = None
    if rng.random() < (0.2 if mask is None else 0.6):
        dropout = (float(rng.choice([0.0, 0.3, 0.3, 0.8, 1.0])),
                   int(rng.integers(-2**63, 2**63)), int(rng.integers(2**40)))
        op += f" dropout({program.add_dropout(*dropout)})"
    def refer(**more):
        out = reference.local_attention(q, k, v, mask, bias, **options,
                                        dropout=dropout, **more)
        return out.swapaxes(1, 2) if bnhd else out
    expected = refer()
    bound = get_bound(element, expected, refer(magnitudes=True))
    extents = [("q", a) if a in [axes[u] for u in unknown] else extent
               for a, extent in enumerate(expected.shape)]
    layout = "#lattn.layout<bnhd>" if bnhd else None
    program.finish(op, element, extents, attributes(options | {"layout": layout}))
    result = program, expected, bound / (1 + np.abs(expected))
    return (*result, refer(**also)) if also else result


if __name__ == "__main__":
    run_generated(make_case, *sys.argv[1:])
