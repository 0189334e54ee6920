"""Composite ops in the PTX emulator against lattn-run's naive loops:
composites.py LATTN_COMPILE LATTN_RUN
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import kernels
import numpy as np

ROWS = 170  # of packed sequences
TOLERANCE = 2.0 ** -8  # loops and kernels both round weights and outputs to f16


def attend_packed(options):
    """Attention of packed sequences of queries and of keys."""
    return f"""
  %most = arith.constant {ROWS} : index
  %q, %n = lattn.pad_sequences ins(%0, %3 : !0, !3) max_seqlen(%most)
      -> tensor<5x4x{ROWS}x64xf16>, tensor<5xi64>
  %k, %m = lattn.pad_sequences ins(%1, %4 : !1, !4) max_seqlen(%most)
      -> tensor<5x2x{ROWS}x64xf16>, tensor<5xi64>
  %v, %l = lattn.pad_sequences ins(%2, %4 : !2, !4) max_seqlen(%most)
      -> tensor<5x2x{ROWS}x64xf16>, tensor<5xi64>
  %at = arith.subi %m, %n : tensor<5xi64>
  %all = tensor.empty() : tensor<5x4x{ROWS}x64xf16>
  %o = lattn.attention query(%q : tensor<5x4x{ROWS}x64xf16>)
      key(%k : tensor<5x2x{ROWS}x64xf16>) value(%v : tensor<5x2x{ROWS}x64xf16>)
      kv_lens(%m : tensor<5xi64>) offset(%at : tensor<5xi64>)
      outs(%all : tensor<5x4x{ROWS}x64xf16>) {{{options}}}
  %r = lattn.pack_sequences ins(%o, %3 : tensor<5x4x{ROWS}x64xf16>, !3)
      outs(%e : !r)"""


def attend_pages(queries, size, layout="bhnd"):
    """Attention of `queries` queries to keys and values in 3 pages of `size` keys for
    each of 2 sequences."""
    pool = f"5x2x{size}x64xf16" if layout == "bhnd" else f"5x{size}x2x64xf16"
    keys, kind = 3 * size, f"#lattn.layout<{layout}>"
    if layout == "bhnd":
        q, k = f"2x4x{queries}x64xf16", f"2x2x{keys}x64xf16"
    else:
        q, k = f"2x{queries}x4x64xf16", f"2x{keys}x2x64xf16"
    return [q, pool, pool, "2x3xi32", "2xi64"], q, f"""
  %k = lattn.gather_pages ins(%1, %3 : !1, !3) {{layout = {kind}}} -> tensor<{k}>
  %v = lattn.gather_pages ins(%2, %3 : !2, !3) {{layout = {kind}}} -> tensor<{k}>
  %r = lattn.attention query(%0 : !0) key(%k : tensor<{k}>) value(%v : tensor<{k}>)
      kv_lens(%4 : !4) outs(%e : !r) {{causal, layout = {kind}}}"""


PACKED = ([f"1x4x{ROWS}x64xf16", *[f"1x2x{ROWS}x64xf16"] * 2, "6xi32", "6xi32"],
          f"1x4x{ROWS}x64xf16")
# name: (types of the arguments, type of the result, program's body)
PROGRAMS = {
    "local, padded": (
        ["2x2x70x32xf16"] * 3, "2x2x70x32xf16", """
  %r = lattn.local_attention query(%0 : !0) key(%1 : !1) value(%2 : !2)
      outs(%e : !r) {window_size = 16 : i64, look_forward = 1 : i64, autopad}"""),
    "local, exact, causal": (
        ["2x2x96x32xf16"] * 3, "2x2x96x32xf16", """
  %r = lattn.local_attention query(%0 : !0) key(%1 : !1) value(%2 : !2)
      outs(%e : !r) {window_size = 16 : i64, causal, exact_windowsize}"""),
    "turned from a position on": (
        ["1x2x100x32xf16"] * 3, "1x2x100x32xf16", """
  %p = arith.constant 100000 : index
  %q = tensor.empty() : !0
  %q1 = lattn.rotary ins(%0 : !0) start(%p) outs(%q : !0)
      {dim = 32 : i64, position_axis = 2 : i64}
  %k1 = lattn.rotary ins(%1 : !1) start(%p) outs(%q : !0)
      {dim = 32 : i64, position_axis = 2 : i64}
  %r = lattn.attention query(%q1 : !0) key(%k1 : !0) value(%2 : !2)
      outs(%e : !r) {causal}"""),
    "local, rotated": (
        ["2x2x70x32xf16"] * 3, "2x2x70x32xf16", """
  %r = lattn.local_attention query(%0 : !0) key(%1 : !1) value(%2 : !2)
      outs(%e : !r) {window_size = 16 : i64, causal, autopad, dim = 32 : i64}"""),
    "local, queries as keys, rotated": (
        ["2x2x70x32xf16"] * 2, "2x2x70x32xf16", """
  %r = lattn.local_attention query(%0 : !0) key(%0 : !0) value(%1 : !1)
      outs(%e : !r) {window_size = 16 : i64, causal, autopad, shared_qk,
                     dim = 32 : i64}"""),
    "weights": (
        ["1x4x20x32xf16", "1x2x33x32xf16"], "1x4x20x33xf16", """
  %r = lattn.attention_scores query(%0 : !0) key(%1 : !1)
      outs(%e : !r) {causal, stage = #lattn.stage<weights>}"""),
    "packed sequences": (*PACKED, attend_packed("")),
    "packed sequences, windowed": (*PACKED, attend_packed(
        "window = #lattn.window<left = 20, right = 3>")),
    "pages": attend_pages(70, 64),
    "pages, one query": attend_pages(1, 128),
    "pages, small": attend_pages(30, 16, "bnhd"),
    # Its sums run along the first dimension.
    "softmax of columns": (
        ["70x33xf16"], "70x33xf16", """
  %r = linalg.softmax dimension(0) ins(%0 : !0) outs(%e : !r) -> !r"""),
}


def text(arguments, result, body):
    types = [f"tensor<{t}>" for t in arguments]
    body = re.sub(r"!(\d)", lambda m: types[int(m[1])], body)
    body = body.replace("!r", f"tensor<{result}>")
    body = re.sub(r"%(\d)\b", r"%a\1", body)
    named = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    return (f"func.func @f({named}) -> tensor<{result}> {{\n"
            f"  %e = tensor.empty() : tensor<{result}>{body}\n"
            f"  return %r : tensor<{result}>\n}}\n")


def fill(kind, rng):
    *shape, element = kind.split("x")
    shape = tuple(map(int, shape))
    if element == "i1":
        return rng.random(shape) < 0.7
    if element == "i64":  # numbers of keys
        return np.array([41, 33], np.int64)
    if element == "i32" and len(shape) == 2:  # pages
        return rng.integers(0, 5, shape, np.int32)
    if element == "i32":  # borders of sequences, one of them empty
        a, b, c = np.sort(rng.integers(1, ROWS, 3))
        return np.array([0, a, b, b, c, ROWS], np.int32)
    scale = 0.2 if len(shape) < 3 else 1
    return (scale * rng.standard_normal(shape)).astype(np.float16)


def run_loops(program, arrays, lattn_run):
    """All results."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "f.mlir").write_text(program)
        for i, array in enumerate(arrays):
            np.save(folder / f"{i}.npy", array)
        done = subprocess.run(
            [lattn_run, folder / "f.mlir", "--target=loops", "--cache=off",
             f"--output={folder / 'out.npz'}",
             *(f"--input={folder / f'{i}.npy'}" for i in range(len(arrays)))],
            capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{done.stderr}\n{program}")
        with np.load(folder / "out.npz") as results:
            return [results[name].astype(float) for name in results.files]


def prepare(name, program, lattn_run):
    """(arguments, the result of the loops)"""
    rng = np.random.default_rng(len(name))
    arrays = [fill(kind, rng) for kind in program[0]]
    return arrays, run_loops(text(*program), arrays, lattn_run)[0]


def main():
    lattn_compile, lattn_run = sys.argv[1:]
    wrong = 0
    for name, program, chip in [
            (*item, chip) for item in PROGRAMS.items()
            for chip in ("sm_80", "sm_90a")]:
        arrays, want = prepare(name, program, lattn_run)
        ptx, function = kernels.compile_case(text(*program), lattn_compile, chip)
        launched, (got,) = kernels.run_arrays(arrays, ptx, function, seed=1)
        got = got.view(np.float16).reshape(want.shape).astype(float)
        error = np.abs(got - want).max()
        right = bool(error < TOLERANCE * max(1, np.abs(want).max()))
        wrong += not right
        print(f"{name}: {chip}: {'right' if right else 'WRONG'}, error {error:.1e}, "
              f"{len(launched)} kernels")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
