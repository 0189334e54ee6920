# REQUIRES: python, slow
# RUN: %python %s %lattn_build/bin/lattn-run %t

# Matrix products of odd shapes against NumPy in float64: element types,
# transposed and strided operands, batches, and the destination's own value.
# Sums are f32 (f64 beside f64) up to the end, whatever the destination's type.
# The thread count changes no bit. Products of bf16 are also dot products.

import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(7)
types = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
         "f64": np.float64}
tolerance = {"f16": 2**-10, "bf16": 2**-7, "f32": 2e-6, "f64": 1e-14}
# (m, n, k) around the sizes of register blocks and tiles
shapes = [(1, 1, 1), (7, 17, 3), (97, 33, 257), (13, 258, 129), (192, 64, 256),
          (0, 5, 3), (5, 0, 3), (5, 4, 0), (1, 300, 70), (101, 1, 31),
          (12, 96, 5), (6, 40, 70)]

GENERIC = """
  %0 = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> ({a})>,
                       affine_map<(m, n, k) -> ({b})>,
                       affine_map<(m, n, k) -> ({c})>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%x, %y : !a, !a) outs(%z : !c) {{
    ^bb0(%p: {ta}, %q: {ta}, %r: {tc}):
      {wider}%s = arith.mulf %{p}, %{q} : {tc}
      %t = arith.addf %r, %s : {tc}
      linalg.yield %t : {tc}
  }} -> !c"""
NAMED = """
  %0 = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> ({a})>,
                       affine_map<(m, n, k) -> ({b})>,
                       affine_map<(m, n, k) -> ({c})>]
      ins(%x, %y : !a, !a) outs(%z : !c) -> !c"""
BATCH = """
  %0 = linalg.batch_matmul ins(%x, %y : !a, !a) outs(%z : !c) -> !c"""
STRIDED = """
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = tensor.dim %z, %zero : !c
  %n = tensor.dim %z, %one : !c
  %kk = tensor.dim %y, %zero : !a
  %x1 = tensor.extract_slice %x[1, 2] [%m, %kk] [2, 3] : !a to !a
  %y1 = tensor.extract_slice %y[0, 1] [%kk, %n] [1, 1] : !a to !a
  %0 = linalg.matmul ins(%x1, %y1 : !a, !a) outs(%z : !c) -> !c"""

# The destination's own value does not count.
FRESH = """
  %none = arith.constant 0.0 : {tc}
  %f = linalg.fill ins(%none : {tc}) outs(%z : !c) -> !c
  %0 = linalg.matmul ins(%x, %y : !a, !a) outs(%f : !c) -> !c"""
# Rows of x with unit stride, 17 lines apart: NaN lies beside them.
APART = """
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = tensor.dim %x, %zero : !a
  %kk = tensor.dim %y, %zero : !a
  %x1 = tensor.extract_slice %x[0, 0] [%m, %kk] [1, 1] : !a to !a
  %0 = linalg.matmul ins(%x1, %y : !a, !a) outs(%z : !c) -> !c"""


def program(form, a, b, c, ta, tc):
    rank = "?x" * len(c)
    wider = ""
    p, q = "p", "q"
    if ta != tc:
        wider = "".join(f"%{v}1 = arith.extf %{v} : {ta} to {tc}\n      "
                        for v in "pq")
        p, q = "p1", "q1"
    body = form.format(a=", ".join(a), b=", ".join(b), c=", ".join(c), ta=ta,
                       tc=tc, wider=wider, p=p, q=q)
    return (f"!a = tensor<{rank}{ta}>\n!c = tensor<{rank}{tc}>\n"
            f"func.func @main(%x: !a, %y: !a, %z: !c) -> !c {{{body}\n"
            f"  return %0 : !c\n}}\n")


def run(name, text, arrays, threads, options):
    source, inputs, output = (folder / f"{name}.{end}"
                              for end in ("mlir", "npz", "out.npz"))
    source.write_text(text)
    np.savez(inputs, **{f"arg{i}": a for i, a in enumerate(arrays)})
    result = subprocess.run(
        [tool, source, f"--inputs={inputs}", f"--output={output}",
         f"--threads={threads}", f"--cache={folder / 'cache'}", *options],
        capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{name}: {result.stderr}")
    if "untiled" in result.stderr:
        sys.exit(f"{name}: runs as loops: {result.stderr}")
    return np.load(output)["out0"]


def check(name, form, a, b, c, ta, tc, *options, batches=1):
    text = program(form, a, b, c, ta, tc)
    some = shapes
    if (ta, tc) != ("f32", "f32") and len(shapes) > 8:
        some = shapes[1:4] + shapes[6:8]
    for m, n, k in some:
        extents = {"b": batches, "m": m, "n": n, "k": k}
        x, y, z = (rng.standard_normal([extents[d] for d in dims])
                   .astype(types[t])
                   for dims, t in ((a, ta), (b, ta), (c, tc)))
        wholes = [x, y, z]
        if form is STRIDED:
            wholes[0] = np.full((2 * m + 1, 3 * k + 2), np.nan, x.dtype)
            wholes[0][1::2, 2::3] = x
            wholes[1] = np.full((k, n + 3), np.nan, y.dtype)
            wholes[1][:, 1:n + 1] = y
        if form is APART:
            wholes[0] = np.full((m, 17 * 64 // x.itemsize), np.nan, x.dtype)
            wholes[0][:, :k] = x
        if form is FRESH:
            wholes[2], z = np.full_like(z, np.nan), np.zeros_like(z)
        got = run(name, text, wholes, 1, options)
        again = run(name, text, wholes, 3, options)
        if got.tobytes() != again.tobytes():
            sys.exit(f"{name} {m}x{n}x{k}: depends on the number of threads")
        got = got.view(types[tc]).astype(np.float64)
        wide = [v.astype(np.float64) for v in (x, y, z)]
        letters = ["".join(d) for d in (a, b, c)]
        equation = f"{letters[0]},{letters[1]}->{letters[2]}"
        expected = np.einsum(equation, *wide[:2]) + wide[2]
        scale = np.einsum(equation, *map(abs, wide[:2])) + abs(wide[2])
        error = abs(got - expected)
        allowed = tolerance[tc] * scale if tc in ("f32", "f64") else (
            tolerance[tc] * abs(expected) + tolerance["f32"] * scale)
        if not (error <= allowed).all():  # NaN is an error, too
            sys.exit(f"{name} {m}x{n}x{k}: error {error.max()}")


for ta, tc in [("f32", "f32"), ("bf16", "f32"), ("f16", "f32"),
               ("f64", "f64"), ("f32", "f64"), ("bf16", "bf16"),
               ("f16", "f16")]:
    check(f"nn-{ta}-{tc}", NAMED, "mk", "kn", "mn", ta, tc)
check("nt", NAMED, "mk", "nk", "mn", "f32", "f32")
check("nt-bf16", NAMED, "mk", "nk", "mn", "bf16", "f32")
check("tn", NAMED, "km", "kn", "mn", "f32", "f32")
check("transposed-result", GENERIC, "mk", "kn", "nm", "f32", "f32")
check("generic-wider", GENERIC, "km", "nk", "mn", "bf16", "f32")
check("strided", STRIDED, "mk", "kn", "mn", "f32", "f32")
check("batch", BATCH, "bmk", "bkn", "bmn", "f32", "f32", batches=3)
check("fresh", FRESH, "mk", "kn", "mn", "f32", "f32")
check("fresh-bf16", FRESH, "mk", "kn", "mn", "bf16", "bf16")
# Whole blocks of rows and one panel, which are read as they lie.
shapes = [(102, 16, 100), (84, 64, 256), (84, 8, 70)]
check("packed", APART, "mk", "kn", "mn", "f32", "f32")
check("packed-f16", APART, "mk", "kn", "mn", "f16", "f32")
shapes = [(102, 32, 100), (84, 8, 128)]
check("packed-f64", APART, "mk", "kn", "mn", "f64", "f64")
# Several tiles of rows, of columns and of products.
shapes = [(310, 700, 1037)]
check("tiles", NAMED, "mk", "kn", "mn", "f32", "f32")
check("tiles-fresh", FRESH, "mk", "kn", "mn", "f32", "f32")
check("tiles-bf16", FRESH, "mk", "kn", "mn", "bf16", "bf16")
check("tiles-nt", NAMED, "mk", "nk", "mn", "f32", "f32")
# Pairs of products: an odd one, rows and columns that are left over, weights that lie
# along the products, and several blocks of products.
dot = "--bf16=emulated-dot"
shapes = [(97, 130, 1), (13, 258, 129), (101, 130, 2049)]
check("dot", NAMED, "mk", "kn", "mn", "bf16", "f32", dot)
check("dot-nt", NAMED, "mk", "nk", "mn", "bf16", "f32", dot)
check("dot-wider", GENERIC, "km", "nk", "mn", "bf16", "f32", dot)
check("dot-strided", STRIDED, "mk", "kn", "mn", "bf16", "f32", dot)
check("dot-fresh", FRESH, "mk", "kn", "mn", "bf16", "bf16", dot)
shapes = [(13, 130, 129)]
check("dot-apart", APART, "mk", "kn", "mn", "bf16", "f32", dot)
