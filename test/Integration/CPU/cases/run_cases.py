"""Golden cases: run_cases.py FAMILY TOOL FOLDER [FLAGS...]

Runs each FAMILY_*.npz beside this file by TOOL (lattn-run with FLAGS), and
compares with the outputs in it. TOOL may be "package": the Python package."""

import json
import pathlib
import sys

import numpy as np

from programs import ELEMENTS, Program, attributes
from runs import difference, get_runner

TOLERANCES = {"float64": 2e-5, "float32": 1e-4, "bfloat16": 0.1,
              "float16": 2e-2}
TABLES = 1e-4
NAMES = {"float64": "f64", "float32": "f32", "bfloat16": "bf16",
         "float16": "f16"}


def local_attention(case, options):
    """LocalAttention. Its leading axes are (mask's rows, the rest), or those of
    bias, where there is one."""
    ctor = dict(options["ctor"])
    element = NAMES[options["dtype"]]
    inputs = {name: case["in_" + name].astype(ELEMENTS[element])
              for name in "qkv"}
    mask, bias = (case.get("in_" + name) for name in ["mask", "attn_bias"])
    lead = inputs["q"].shape[:-2]
    flat = int(np.prod(lead))
    batches = len(mask) if mask is not None else lead[0] if len(lead) > 1 else 1
    dim = ctor.pop("rel_pos_emb_config", [ctor.pop("dim", None)])[0]
    if not ctor.pop("use_rotary_pos_emb", True):
        dim = None
    base = ctor.pop("xpos_scale_base", None)
    values = attributes(ctor | {
        "dim": dim, "xpos_scale_base": None if base is None else float(base),
        "call_window_size": options["forward"].get("window_size")})

    program = Program()
    op = "lattn.local_attention"
    for name, array in zip(["query", "key", "value"], inputs.values()):
        array = array.reshape(batches, flat // batches, *array.shape[-2:])
        op += f" {name}({program.add(name, array)})"
    if bias is not None:
        wide = np.float64 if element == "f64" else np.float32
        op += f" bias({program.add('bias', bias.astype(wide))})"
    if mask is not None:
        op += f" key_mask({program.add('mask', mask)})"
    out = case["out"].reshape(batches, flat // batches, *case["out"].shape[-2:])
    program.finish(op, element, out.shape, values)
    yield "out", program, out, TOLERANCES[options["dtype"]]


def local_mha(case, options):
    """LocalMHA, without a cache."""
    ctor = dict(options["ctor"])
    element = NAMES[options["dtype"]]
    wide = np.float64 if element == "f64" else np.float32
    rotary = ctor.pop("use_rotary_pos_emb", True)
    base = ctor.pop("xpos_scale_base", None)
    exact = ctor.pop("exact_windowsize", None)
    scale = ctor.pop("qk_scale", 8)
    if not ctor.pop("qk_rmsnorm", False):
        scale = None
    for name in ["prenorm", "gate_values_per_head", "dim", "dropout"]:
        ctor.pop(name, None)
    size = ctor.pop("dim_head", 64)
    values = attributes({"heads": 8} | ctor | {
        "exact_windowsize": exact is None or exact, "autopad": True,
        "dim": size if rotary else None,
        "scale": None if scale is None else float(scale),
        "xpos_scale_base": None if base is None else float(base)})

    program = Program()
    arrays = {"input": "in_x", "w_qkv": "w_to_qkv.weight",
              "w_out": "w_to_out.weight", "norm_gain": "w_norm.weight",
              "norm_bias": "w_norm.bias", "q_scale": "w_q_scale",
              "k_scale": "w_k_scale", "w_gate": "w_to_v_gate.0.weight",
              "gate_bias": "w_to_v_gate.0.bias", "bias": "in_attn_bias",
              "key_mask": "in_mask"}
    op = "lattn.local_mha"
    for name, source in arrays.items():
        if source in case:
            array = case[source]
            if name == "bias":
                array = array.astype(wide)
            elif name != "key_mask":
                array = array.astype(ELEMENTS[element])
            op += f" {name}({program.add(name, array)})"
    program.finish(op, element, case["out"].shape, values)
    yield "out", program, case["out"], TOLERANCES[options["dtype"]]


def multihead_attention(case, options):
    """MultiheadAttention, step by step, each from the state that the package
    left; Multiway where it has one set of weights."""
    split, args, ctor = (options[n] for n in ["split_position", "args", "ctor"])
    if split not in (None, -1, 0):
        return
    branch = {None: "", -1: ".A", 0: ".B"}[split]
    element = NAMES[options["dtype"]]
    wide = np.float64 if element == "f64" else np.float32
    alone = ctor["self_attention"]
    for step in range(len(options["steps"])):
        def find(name):
            return case.get(f"{name}_{step}")
        program = Program()
        arrays = {n: find("in_" + n) for n in ["query", "key", "value"]}
        for kind, letter in [("weight", "w"), ("bias", "b")]:
            for name in ["q", "k", "v", "out"]:
                arrays[f"{letter}_{name}"] = case[f"w_{name}_proj{branch}.{kind}"]
        if ctor["subln"] and alone:
            for name, kind in [("gain", "weight"), ("bias", "bias")]:
                arrays[f"subln_{name}"] = case[f"w_inner_attn_ln{branch}.{kind}"]
        arrays = {n: x.astype(ELEMENTS[element]) for n, x in arrays.items()}
        if step:
            for name in ["prev_key", "prev_value"]:
                arrays[name] = case[f"state_{name}_{step - 1}"].astype(
                    ELEMENTS[element])
        for name, type in [("key_padding_mask", bool), ("attn_mask", wide),
                           ("rel_pos", wide)]:
            if (array := find("in_" + name)) is not None:
                if name == "rel_pos":
                    heads = ctor["num_heads"]
                    array = array.reshape(-1, heads, *array.shape[1:])
                arrays[name] = array.astype(type)
        op = "lattn.multihead_attention" + "".join(
            f" {name}({program.add(name, array)})"
            for name, array in arrays.items())
        outs = {"out": find("out"), "weights": find("out_weights"),
                "next_key": find("state_prev_key"),
                "next_value": find("state_prev_value")}
        outs = {name: x for name, x in outs.items() if x is not None}
        also = [(name, element, x.shape) for name, x in outs.items()
                if name != "out"]
        values = attributes({
            "heads": ctor["num_heads"], "use_xpos": args["xpos_rel_pos"] and alone,
            "xpos_scale_base": float(args["xpos_scale_base"]),
            "subln_eps": args["layernorm_eps"],
            "is_first_step": options["is_first_step"] and step == 0})
        for which, (name, expected) in enumerate(outs.items()):
            program.finish(op, element, outs["out"].shape, values, also, which)
            yield (f"{name}_{step}", program, expected,
                   TOLERANCES[options["dtype"]])


def rotary_program(x, start, center, **values):
    program = Program()
    op = f"lattn.rotary ins({program.add('x', x)})"
    op += f" start({program.add_index('start', start)})"
    if center is not None:
        op += f" center({program.add_index('center', center)})"
    return program.finish(op, "f64", x.shape, attributes(values))


def rotary(case, options):
    """SinusoidalEmbeddings and apply_rotary_pos_emb: half layout, queries at
    the last rows, xpos centred on the whole length."""
    ctor = options["ctor"]
    base = float(ctor["scale_base"]) if ctor["use_xpos"] else None
    rows = case["in_k"].shape[-2]
    center = rows // 2 if ctor["use_xpos"] else None
    common = dict(dim=ctor["dim"], theta=float(ctor["theta"]),
                  xpos_scale_base=base)
    q, k = (case["in_" + name].astype(np.float64) for name in "qk")
    yield "out_q", rotary_program(q, rows - q.shape[-2], center, **common), \
        case["out_q"], TABLES
    yield "out_k", rotary_program(k, 0, center, **common, downscale=base and True
                                  ), case["out_k"], TABLES
    # Rows (1, 0) turn to (cos, sin): the tables themselves.
    half = ctor["dim"] // 2
    ones = np.repeat([[1.0, 0.0]], half, axis=1).repeat(rows, axis=0)
    scale = np.broadcast_to(case["out_scale"], (rows, 2 * half))
    angle = case["out_freqs"][:, :half]
    table = np.concatenate([np.cos(angle), np.sin(angle)], 1) * scale
    yield "out_freqs", rotary_program(ones, 0, center, **common), table, TABLES


def xpos(case, options):
    """XPOS: interleaved pairs, centred on half of length + offset, rounded up."""
    x = case["in_x"].astype(np.float64)
    offset = options["forward"]["offset"]
    total = x.shape[1] + offset
    program = rotary_program(
        x, offset, (total + 1) // 2, dim=options["ctor"]["head_dim"],
        interleaved=True, xpos_scale_base=float(options["ctor"]["scale_base"]),
        downscale=options["forward"]["downscale"])
    yield "out", program, case["out"], TABLES


FAMILIES = {f.__name__: f for f in [local_attention, local_mha,
                                    multihead_attention, rotary, xpos]}
FAMILIES["multihead_attention_zeta"] = multihead_attention


def main(family, *runner):
    run = get_runner(*runner)
    failed, files, arrays = [], 0, 0
    folder = pathlib.Path(__file__).parent
    for path in sorted(folder.glob(family + "_[0-9]*.npz")):
        with np.load(path) as case:
            case = dict(case)
        files += 1
        options = json.loads(str(case["options"]))
        for name, program, expected, tolerance in FAMILIES[family](case, options):
            arrays += 1
            try:
                wrong = difference(run(program), expected, tolerance)
            except RuntimeError as error:
                wrong = str(error)
            if wrong:
                failed.append(f"{path.stem}, {name}: {wrong}\n{program.text}")
    print("\n".join(failed))
    print(f"{family}: {files} files, {arrays - len(failed)} of {arrays} arrays "
          "agree")
    return 1 if failed or not arrays else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
