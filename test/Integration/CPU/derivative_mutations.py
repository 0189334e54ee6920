# REQUIRES: python, slow, host-v4
# RUN: env LATTN_MCPU=x86-64-v4 %python -B %s lattn-opt lattn-run %t | FileCheck %s
# CHECK:     gradients, tiles as they are: right
# CHECK-NOT: MISSED
# CHECK-NOT: NOT APPLIED
# CHECK:     gradients, kernels as they are: right
# CHECK-NOT: MISSED
# CHECK-NOT: NOT APPLIED
# CHECK:     tangents, tiles as they are: right
# CHECK-NOT: MISSED
# CHECK-NOT: NOT APPLIED
# CHECK:     tangents, kernels as they are: right
# CHECK-NOT: MISSED
# CHECK-NOT: NOT APPLIED
# CHECK:     the tangent of values lost: caught

"""The comparison with f64 can fail: derivative_mutations.py LATTN_OPT LATTN_RUN
FOLDER breaks the tiles and the kernels of attention's gradients and tangents, one
thing at a time, and expects the error of each to show."""

import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Python" / "Inputs"))
import oracle  # noqa: E402

HEADS, KV_HEADS, LENGTH, SIZE, VALUE_SIZE = 4, 2, 96, 32, 48
LEFT, SCALE, DROPOUT, SEED, DRAW = 40, 0.3, 0.25, 5, 7
TOLERANCE = 1e-4

TYPES = f"""
!q = memref<1x{HEADS}x{LENGTH}x{SIZE}xf32>
!k = memref<1x{KV_HEADS}x{LENGTH}x{SIZE}xf32>
!v = memref<1x{KV_HEADS}x{LENGTH}x{VALUE_SIZE}xf32>
!o = memref<1x{HEADS}x{LENGTH}x{VALUE_SIZE}xf32>
!l = memref<1x{HEADS}x{LENGTH}xf32>
"""
OPTIONS = f"""{{scale = {SCALE} : f64, schedule = #lattn.schedule<query_tile = 16,
    key_tile = 16>, window = #lattn.window<left = {LEFT}, right = 0>}}"""
# Of 41 visible keys, some steps of 16 see an edge, others the window's interior.
GRADIENTS = TYPES + f"""
func.func @main(%q: !q, %k: !k, %v: !v, %o: !o, %l: !l, %do: !o, %seed: i64,
                %draw: i64, %dq: !q, %dk: !k, %dv: !v) {{
  %p = arith.constant {DROPOUT} : f32
  lattn.attention_grad query(%q : !q) key(%k : !k) value(%v : !v)
      dropout(%p, %seed, %draw : f32, i64, i64)
      output(%o : !o) lse(%l : !l) d_output(%do : !o)
      outs(%dq, %dk, %dv : !q, !k, !v) {OPTIONS}
  return
}}
"""
TANGENTS = TYPES + f"""
func.func @main(%q: !q, %k: !k, %v: !v, %tq: !q, %tk: !k, %tv: !v, %seed: i64,
                %draw: i64, %o: !o, %l: !l, %to: !o, %tl: !l) {{
  %p = arith.constant {DROPOUT} : f32
  lattn.attention_jvp query(%q : !q) key(%k : !k) value(%v : !v)
      dropout(%p, %seed, %draw : f32, i64, i64)
      d_query(%tq : !q) d_key(%tk : !k) d_value(%tv : !v)
      outs(%o, %l, %to, %tl : !o, !l, !o, !l) {OPTIONS}
  return
}}
"""

# name: (what stands there, what instead)
OF_TILES = {
    "a window of one key less": (f"left = {LEFT}", f"left = {LEFT - 1}"),
    "a window of one key more": ("right = 0", "right = 1"),
    "a left edge of one step less": (r"ceildiv 16\) \* 16",
                                     "floordiv 16) * 16"),
    "a right edge of one step less": (r"floordiv 16\) \* 16",
                                      "ceildiv 16) * 16"),
    "dropout lost": (r"dropout\([^)]*\) ", ""),
    "dropout of another draw": (r"dropout\((%\w+), (%\w+), %\w+,",
                                r"dropout(\1, \2, \2,"),
}
OF_GRADIENT_TILES = OF_TILES | {
    "the scale lost": (r"scale = 3\.0+e-01", "scale = 1.0"),
    "the sums of output times gradient lost": (
        r"(arith\.mulf %in, %in_\w+ : f32\s+%\w+ = arith\.)addf %out",
        r"\1mulf %out"),
    "a hidden row's log-sum-exp for all": (r"arith\.cmpf oeq, %in, ",
                                           "arith.cmpf une, %in, "),
    "always the first keys": (r"%key, 0\] \[1, 1, %size", "0, 0] [1, 1, %size"),
    "sums of keys go on from other keys'": (
        r"(tensor\.extract_slice %arg\d+)\[%key, 0\]", r"\1[0, 0]"),
}
OF_TANGENT_TILES = OF_TILES | {
    "always the first keys": (r"\[%key, 0\] \[%size,", "[0, 0] [%size,"),
    "the scale of all tangents lost": (
        r"(?s)(pack_query.*pack_query [^\n]*)scale = 3\.0+e-01",
        r"\1scale = 1.0"),
    "the tangent of the log-sum-exp added": (r"arith\.subf (%in, %\w+ : f32)",
                                             r"arith.addf \1"),
    "the sum in place of its tangent": (r"(extract_slice %\w+)#4\[0\]",
                                        r"\1#2[0]"),
    "tangents not divided by the sum": (
        r"(arith\.subf %in, %\w+ : f32\s+%\w+ = arith\.)mulf", r"\1addf"),
}
OF_KERNELS = {
    "the first key of a window hidden": (
        r"arith\.cmpi sge(, %\w+, %\w+ : vector<\d+xi32>)", r"arith.cmpi sgt\1"),
    "a key after the window": (
        r"arith\.cmpi slt(, %\w+, %\w+ : vector<\d+xi32>)", r"arith.cmpi sle\1"),
    "kept weights scaled the wrong way": (
        r"arith\.divf( %\w+, %\w+ : f32)", r"arith.mulf\1"),
}
OF_GRADIENT_KERNELS = OF_KERNELS | {
    "row sums added": (
        r"arith\.subf( %\w+, %\w+ : vector<\d+xf32>\n.* = arith\.mulf)",
        r"arith.addf\1"),
    "the scale of gradients lost": (r"dense<3\.0+e-01>", "dense<1.0>"),
}
OF_TANGENT_KERNELS = OF_KERNELS | {
    "earlier steps not rescaled": (
        r"arith\.subf (%\w+), %\w+( : vector<\d+xf32>\n.*dense<1\.4426)",
        r"arith.subf \1, \1\2"),
    "a sum of squared weights": (
        r"arith\.mulf (%\w+), %\w+( : vector<\d+xf32>\n.* arith\.cmpf oeq, \1,)",
        r"arith.mulf \1, \1\2"),
    "the tangent of values lost": (
        r"(vector\.fma (%\w+), (%\w+), %\w+ : .*\s+(%\w+) = vector\.fma %\w+, \3,"
        r" .*\s+%\w+ = vector\.fma \2), %\w+, \4 :", r"\1, \3, \4 :"),
}


def make_arrays():
    rng = np.random.default_rng(0)

    def array(heads, width):
        return rng.standard_normal((1, heads, LENGTH, width)).astype(np.float32)
    return (array(HEADS, SIZE), array(KV_HEADS, SIZE), array(KV_HEADS, VALUE_SIZE),
            array(HEADS, SIZE), array(KV_HEADS, SIZE), array(KV_HEADS, VALUE_SIZE),
            array(HEADS, VALUE_SIZE))


def turned(x):
    return x.swapaxes(2, 3)


def weigh(q, k):
    """(weights, lse), and what dropout multiplies the weights by."""
    scores = SCALE * q @ turned(k)
    seen = oracle.visible(LENGTH, LENGTH, 0, (LEFT, 0, None, 0, 0), False)
    scores = np.where(seen, scores, -np.inf)
    lse = np.log(np.exp(scores).sum(3))
    kept = oracle.dropout_factor(DROPOUT, SEED, scores.shape, DRAW)
    return np.exp(scores - lse[..., None]), lse, kept


def repeat(*arrays):
    """In f64, for each of the queries' heads."""
    return (x.astype(np.float64).repeat(HEADS // x.shape[1], 1) for x in arrays)


def make_gradients():
    """(arguments, {their numbers: what is expected})"""
    q, k, v, *_, do = arrays = make_arrays()
    q64, k64, v64, do64 = repeat(q, k, v, do)
    weights, lse, kept = weigh(q64, k64)
    output = weights * kept @ v64
    rows = (output * do64).sum(3, keepdims=True)
    of_scores = SCALE * weights * (kept * (do64 @ turned(v64)) - rows)

    def add_heads(x):
        return x.reshape(1, KV_HEADS, -1, *x.shape[2:]).sum(2)
    expected = (of_scores @ k64, add_heads(turned(of_scores) @ q64),
                add_heads(turned(weights * kept) @ do64))
    arguments = (q, k, v, output.astype(np.float32), lse.astype(np.float32), do,
                 np.int64(SEED), np.int64(DRAW), *map(np.zeros_like, arrays[:3]))
    return arguments, dict(enumerate(expected, 8))


def make_tangents():
    q, k, v, tq, tk, tv, do = make_arrays()
    q64, k64, v64, tq64, tk64, tv64 = repeat(q, k, v, tq, tk, tv)
    weights, lse, kept = weigh(q64, k64)
    of_scores = SCALE * (tq64 @ turned(k64) + q64 @ turned(tk64))
    of_lse = (weights * of_scores).sum(3)
    of_weights = weights * (of_scores - of_lse[..., None])
    dropped = weights * kept
    expected = (dropped @ v64, lse, of_weights * kept @ v64 + dropped @ tv64, of_lse)
    rows = np.zeros(lse.shape, np.float32)
    arguments = (q, k, v, tq, tk, tv, np.int64(SEED), np.int64(DRAW),
                 np.zeros_like(do), rows, np.zeros_like(do), rows)
    return arguments, dict(enumerate(expected, 8))


def call(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


class Case:
    def __init__(self, arguments, expected, lattn_run, folder):
        self.expected, self.tool = expected, lattn_run
        self.inputs, self.outputs = folder / "in.npz", folder / "out.npz"
        np.savez(self.inputs,
                 **{f"arg{i}": x for i, x in enumerate(arguments)})

    def is_right(self, text):
        """Whether all results are, and how far off the worst is."""
        made = call(self.tool, "-", f"--input={self.inputs}", "--cache=off",
                    f"--output={self.outputs}", "--threads=1", text=text)
        assert not made.returncode, made.stderr
        with np.load(self.outputs) as results:
            error = max(np.abs(results[f"arg{i}"] - x).max()
                        for i, x in self.expected.items())
        return bool(error < TOLERANCE), f"error {error:.1e}"

    def break_each(self, name, text, mutations):
        """Whether each mutation is caught, and `text` itself right."""
        right, what = self.is_right(text)
        print(f"{name} as they are: {'right' if right else 'WRONG'}, {what}")
        good = right
        for name, (pattern, instead) in mutations.items():
            broken, count = re.subn(pattern, instead, text)
            if not count:
                print(f"{name}: NOT APPLIED")
                good = False
                continue
            right, what = self.is_right(broken)
            print(f"{name}: {'MISSED' if right else 'caught'}, {what}", flush=True)
            good &= not right
        return good


def get_stages(text, lattn_opt):
    """The program as tiles, and as kernels."""
    tiles = call(lattn_opt, "-", "--lattn-raise-memrefs", "--lattn-choose-tiles",
                 "--lattn-tile-grad", text=text)
    kernels = call(lattn_opt, "-", "--lattn-to-llvm", "-o", "/dev/null",
                   "--mlir-print-ir-after=convert-lattn-to-vector", text=text)
    for made in tiles, kernels:
        assert not made.returncode, made.stderr
    return tiles.stdout, kernels.stderr


def main():
    lattn_opt, lattn_run, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    good = True
    for name, program, make, of_tiles, of_kernels in (
            ("gradients", GRADIENTS, make_gradients, OF_GRADIENT_TILES,
             OF_GRADIENT_KERNELS),
            ("tangents", TANGENTS, make_tangents, OF_TANGENT_TILES,
             OF_TANGENT_KERNELS)):
        case = Case(*make(), lattn_run, folder)
        tiles, kernels = get_stages(program, lattn_opt)
        good &= case.break_each(f"{name}, tiles", tiles, of_tiles)
        good &= case.break_each(f"{name}, kernels", kernels, of_kernels)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
