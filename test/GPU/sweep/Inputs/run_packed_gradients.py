"""Gradients of packed sequences in the PTX emulator against those of each sequence in
f64: run_packed_gradients.py LATTN_COMPILE --seed S --cases N [--chip sm_80]

Arrays have rows behind the last sequence, which must stay as they are.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

import cases
import gradients
import kernels
import numpy as np

BEYOND = 5  # rows that belong to no sequence
QUERIES = ("q", "o", "do", "lse", "d_lse", "dq")
KEYS = ("k", "v", "dk", "dv")
NUMBERS = ("lse", "d_lse")


def generate(rng):
    """The case of each sequence. Some have no queries, or no keys."""
    def pick(*values):
        return values[rng.integers(len(values))]

    H, Hkv = pick((1, 1), (4, 2), (3, 3))
    D = pick(16, 40, 64)
    same = {"H": H, "Hkv": Hkv, "D": D, "Dv": pick(D, 24),
            "element": pick("bf16", "f16"), "layout": pick("bhnd", "bnhd"),
            "window": pick(None, {"left": 20, "right": 0}, {"left": 9, "right": 12},
                           {"bucket": 16, "back": 1, "forward": 0}),
            "sink": pick(False, True), "dropout": pick(None, 0.3), "score": pick(None, "softcap"),
            "lse": True, "d_lse": True}
    lengths = [pick(0, 1, 7, 64, 70, 131) for _ in range(rng.integers(1, 5))]
    return [cases.Case(B=1, N=n, M=pick(n, n, pick(0, 3, 100)), origin=(b, 0, 0, 0),
                       **same)
            for b, n in enumerate(lengths)]


def fill(parts, rng):
    """Packed arrays by name, and the rows of each sequence."""
    sink = rng.standard_normal(parts[0].H).astype(np.float32)
    for case in parts:
        gradients.fill(case, rng, sink=sink if case.sink else None)
    arrays = {}
    for name in (*QUERIES, *KEYS):
        axis = 2 if name in NUMBERS or parts[0].layout == "bhnd" else 1
        pieces = [case.arrays[name] for case in parts]
        shape = list(pieces[0].shape)
        shape[axis] = BEYOND
        rest = np.full(shape, np.nan if name in NUMBERS else 0x7fff,
                       pieces[0].dtype)
        arrays[name] = np.concatenate([*pieces, rest], axis=axis)
    if parts[0].sink:
        arrays["sink"], arrays["d_sink"] = sink, np.full_like(sink, np.nan)
    for name, lengths in (("cq", [c.N for c in parts]), ("ck", [c.M for c in parts])):
        arrays[name] = np.cumsum([0, *lengths]).astype(np.int32)
    arrays["offset"] = np.array([c.M - c.N for c in parts], np.int64)
    return arrays


def text(parts, arrays):
    case = parts[0]
    kinds = {"int32": "i32", "int64": "i64", "float32": "f32",
             "uint16": case.element}
    packed = {n: f"tensor<{'x'.join(map(str, a.shape))}x{kinds[str(a.dtype)]}>"
              for n, a in arrays.items()}
    most = {"q": max(c.N for c in parts) + 1, "k": max(c.M for c in parts) + 1}
    lines, padded = [], {}
    for name in (*QUERIES[:-1], *KEYS[:-2]):
        side = "q" if name in QUERIES else "k"
        shape = list(arrays[name].shape)
        axis = 2 if name in NUMBERS or case.layout == "bhnd" else 1
        shape[0], shape[axis] = "?", "?"
        padded[name] = (f"tensor<{'x'.join(map(str, shape))}x"
                        f"{kinds[str(arrays[name].dtype)]}>")
        layout = "" if name in NUMBERS or case.layout == "bhnd" else \
            " {layout = #lattn.layout<bnhd>}"
        lines.append(
            f"%p_{name}, %n_{name} = lattn.pad_sequences ins(%{name}, %c{side} : "
            f"{packed[name]}, {packed['c' + side]}) max_seqlen(%most_{side})"
            f"{layout} -> {padded[name]}, tensor<?xi64>")
    for side, array in (("q", "q"), ("k", "k")):
        lines.insert(0, f"%most_{side} = arith.constant {most[side]} : index")
        lines.append(f"%s_{side} = tensor.dim %p_{array}, %c0 : {padded[array]}")
        for name in ("dq",) if side == "q" else ("dk", "dv"):
            lines.append(f"%e_{name} = tensor.empty(%s_{side}, %most_{side}) : "
                         f"{padded[name[1]]}")
    lines.insert(0, "%c0 = arith.constant 0 : index")

    def use(word, name):
        return f"{word}(%p_{name} : {padded[name]})"
    score = ""
    if case.score:
        score = (" score {\n  ^bb0(%s: f32, %b: i32, %h: i32, %qi: i32, %ki: i32):"
                 f"{cases.SCORES[case.score]}\n  }}")
    sink = f" sink(%sink : {packed['sink']})" if case.sink else ""
    dropout = ""
    if case.dropout is not None:
        lines[:0] = [f"%p = arith.constant {case.dropout} : f32",
                     f"%seed = arith.constant {cases.SEED} : i64",
                     f"%counter = arith.constant {cases.DROPOUT_OFFSET} : i64"]
        dropout = " dropout(%p, %seed, %counter : f32, i64, i64)"
    d_sink = f", %d_sink : {packed['d_sink']}" if case.sink else ""
    attributes = []
    if case.window:
        attributes.append("window = #lattn.window<" + ", ".join(
            f"{k} = {v}" for k, v in case.window.items()) + ">")
    if case.layout == "bnhd":
        attributes.append("layout = #lattn.layout<bnhd>")
    results = ["dq", "dk", "dv"]
    types = [padded[n[1]] for n in results]
    count = 3 + case.sink
    lines.append(
        f"%g:{count} = lattn.attention_grad {use('query', 'q')} {use('key', 'k')} "
        f"{use('value', 'v')} kv_lens(%n_k : tensor<?xi64>) "
        f"offset(%offset : {packed['offset']}){sink}{dropout} {use('output', 'o')} "
        f"{use('lse', 'lse')} {use('d_output', 'do')} {use('d_lse', 'd_lse')} "
        f"outs({', '.join('%e_' + n for n in results)} : {', '.join(types)}"
        f"{d_sink}) {{{', '.join(attributes)}}}{score}")
    returned = []
    for i, name in enumerate(results):
        side = "q" if name == "dq" else "k"
        layout = "" if case.layout == "bhnd" else \
            " {layout = #lattn.layout<bnhd>}"
        lines.append(
            f"%r{i} = lattn.pack_sequences ins(%g#{i}, %c{side} : {types[i]}, "
            f"{packed['c' + side]}) outs(%{name} : {packed[name]}){layout}")
        returned.append((f"%r{i}", packed[name]))
    if case.sink:
        returned.append(("%g#3", packed["d_sink"]))
    arguments = ", ".join(
        f"%{n}: {t}" + (" {bufferization.writable = true}"
                        if n in ("dq", "dk", "dv", "d_sink") else "")
        for n, t in packed.items())
    body = "\n  ".join(lines)
    values, outs = zip(*returned)
    return (f"func.func @f({arguments}) -> ({', '.join(outs)}) {{\n  {body}\n"
            f"  return {', '.join(values)} : {', '.join(outs)}\n}}\n")


def check(seed, arguments):
    """The largest error, in tolerances."""
    rng = np.random.default_rng(seed)
    parts = generate(rng)
    arrays = fill(parts, rng)
    before = {n: a.copy() for n, a in arrays.items()}
    ptx, function = kernels.compile_case(text(parts, arrays),
                                         arguments.lattn_compile, arguments.chip)
    kernels.run_arrays(list(arrays.values()), ptx, function, seed)
    worst, d_sink = 0, [0, 0]
    begin = {"q": 0, "k": 0}
    for case in parts:
        rows = {"q": case.N, "k": case.M}
        for name, element, expected in gradients.outputs(case):
            if name == "d_sink":
                d_sink = [a + b for a, b in zip(d_sink, expected[:2])]
                continue
            side = "q" if name == "dq" else "k"
            axis = 2 if case.layout == "bhnd" else 1
            at = (slice(None),) * axis + (
                slice(begin[side], begin[side] + rows[side]),)
            got = cases.PAIRS[element][1](arrays[name][at]).astype(np.float64)
            worst = max(worst, gradients.compare(got, *expected))
        begin = {side: begin[side] + rows[side] for side in begin}
    if parts[0].sink:
        worst = max(worst, gradients.compare(
            arrays["d_sink"].astype(np.float64), *d_sink, gradients.SUM,
            np.zeros(parts[0].H, bool)))
    for name in ("dq", "dk", "dv"):
        axis = 2 if parts[0].layout == "bhnd" else 1
        beyond = (slice(None),) * axis + (slice(-BEYOND, None),)
        if (arrays[name][beyond] != before[name][beyond]).any():
            worst = np.inf
    return worst, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=10)
    parser.add_argument("--chip", default="sm_80")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.cases)
    most, wrong = 0, 0
    with ThreadPoolExecutor(2) as pool:
        for seed, (worst, parts) in zip(
                seeds, pool.map(lambda s: check(s, arguments), seeds)):
            most = max(most, worst)
            if not worst <= 1:
                wrong += 1
                print(f"seed {seed}: {worst:.2f} tolerances: "
                      f"{[(c.N, c.M) for c in parts]}, {parts[0]}")
    print(f"{len(seeds)} cases, {wrong} wrong, at worst {most:.2f} tolerances")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
