"""Generated cases of lattn.local_mha against NumPy in f64 and reference.py:
local_mha.py SEED CASES TOOL FOLDER [FLAGS...]"""

import sys

import numpy as np

import reference
from programs import ELEMENTS, Program, attributes
from runs import run_generated
from sweep import choose_options

# What enters a product is rounded to the input's type.
TOLERANCES = {"f64": 1e-9, "f32": 5e-5, "f16": 1e-2, "bf16": 8e-2}


def normalize(x, gain):
    return gain * x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)


@np.errstate(all="ignore")
def local_mha(arrays, heads, eps, options):
    arrays = {name: array if array.dtype == bool else array.astype(np.float64)
              for name, array in arrays.items()}
    x = arrays["input"]
    if "norm_gain" in arrays:
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(
            x.var(-1, keepdims=True) + eps) * arrays["norm_gain"]
        x = x + arrays.get("norm_bias", 0)
    qkv = x @ arrays["w_qkv"].T
    q, k, v = (part.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)
               for part in np.split(qkv, 3, -1))
    if "q_scale" in arrays:
        q, k = normalize(q, arrays["q_scale"]), normalize(k, arrays["k_scale"])
    out = reference.local_attention(q, k, v, arrays.get("key_mask"),
                                    arrays.get("bias"), **options)
    out = out.swapaxes(1, 2)
    if "w_gate" in arrays:
        gate = x @ arrays["w_gate"].T + arrays.get("gate_bias", 0)
        out = out / (1 + np.exp(-gate[..., None]))
    return out.reshape(*x.shape[:2], -1) @ arrays["w_out"].T


def make_case(_, rng):
    """(program, expected, tolerance)"""
    options, n, size = choose_options(rng)
    options.pop("call_window_size", None)
    if options["window_size"] == 1 and options.get("use_xpos"):
        options["xpos_scale_base"] = 7.0
    if n % options["window_size"]:
        options["autopad"] = True
    element = str(rng.choice(["f64", "f32", "f32", "bf16", "f16"]))
    batches, heads, width = (int(rng.integers(1, most)) for most in (4, 4, 20))

    def normal(*shape):
        return rng.standard_normal(shape).astype(ELEMENTS[element])
    inner = heads * size
    arrays = {"input": normal(batches, n, width),
              "w_qkv": normal(3 * inner, width) / ELEMENTS[element](width**0.5),
              "w_out": normal(width, inner) / ELEMENTS[element](inner**0.5)}
    # In the order of the op's text.
    if rng.random() < 0.5:
        arrays["norm_gain"] = normal(width)
        if rng.random() < 0.7:
            arrays["norm_bias"] = normal(width)
    if rng.random() < 0.4:
        arrays |= {"q_scale": normal(size), "k_scale": normal(size)}
    if rng.random() < 0.4:
        arrays["w_gate"] = normal(heads, width)
        if rng.random() < 0.7:
            arrays["gate_bias"] = normal(heads)
    if rng.random() < 0.3:
        block = options["window_size"]
        forward = options.get("look_forward", 0 if options.get("causal") else 1)
        slots = (options.get("look_backward", 1) + 1 + forward) * block
        wide = np.float64 if element == "f64" else np.float32
        arrays["bias"] = rng.standard_normal((heads, block, slots)).astype(wide)
    if rng.random() < 0.3:
        arrays["key_mask"] = rng.random((batches, n)) < 0.7
    eps = float(rng.choice([1e-5, 0.1]))

    # What is not known when compiled: nothing, the length, or batches too.
    unknown = [(), (1,), (0, 1)][rng.integers(3)]
    program = Program()
    op = "lattn.local_mha"
    for name, array in arrays.items():
        where = unknown if name in ("input", "key_mask") else ()
        op += f" {name}({program.add(name, np.ascontiguousarray(array), where)})"
    expected = local_mha(arrays, heads, eps, options)
    extents = [("input", a) if a in unknown else extent
               for a, extent in enumerate(expected.shape)]
    program.finish(op, element, extents, attributes(
        {"heads": heads, "norm_eps": eps} | options))
    return program, expected, TOLERANCES[element]


if __name__ == "__main__":
    run_generated(make_case, *sys.argv[1:])
