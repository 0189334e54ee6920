"""Gradients of local attention in the PTX emulator against lattn-run's naive loops:
local_gradients.py LATTN_COMPILE LATTN_RUN LATTN_OPT [--seed S] [--cases N] [--chip C]

The programs are what lattn-differentiate makes of generated ops.
"""

import argparse
import subprocess
import sys

import composites
import kernels
import numpy as np

TOLERANCE = 2.0 ** -7  # rotated rows, weights and their gradients are rounded to f16


def make_case(rng):
    """(what it is, types of the arguments, the op's operands and attributes)"""
    window, before = int(rng.choice([8, 16, 32])), int(rng.integers(0, 3))
    causal = rng.random() < 0.5
    after = 0 if causal else int(rng.integers(0, 2))
    size = int(rng.choice([16, 32, 40]))
    heads, length = int(rng.integers(1, 3)), int(rng.integers(20, 100))
    autopad = bool(rng.random() < 0.7)
    if not autopad:
        length = -(-length // window) * window
    rows = f"{int(rng.integers(1, 3))}x{heads}x{length}x{size}xf16"
    arguments = [rows] * 3
    operands = "query(%0 : !0) key(%1 : !1) value(%2 : !2)"
    options = [f"window_size = {window} : i64", f"look_backward = {before} : i64",
               f"look_forward = {after} : i64"]
    options += [name for name, p in (
        ("exact_windowsize", 0.3), ("shared_qk", 0.4)) if rng.random() < p]
    options += ["autopad"] * autopad + ["causal"] * causal
    if rng.random() < 0.6:
        options.append(f"dim = {size if size % 2 == 0 else size - 1} : i64")
        if rng.random() < 0.4:
            options += ["use_xpos", "xpos_scale_base = 40.0 : f64"]
    if rng.random() < 0.3:
        slots = (before + 1 + after) * window
        operands += f" bias(%{len(arguments)} : !{len(arguments)})"
        arguments.append(f"{heads}x{window}x{slots}xf16")
    if rng.random() < 0.5:
        operands += f" key_mask(%{len(arguments)} : !{len(arguments)})"
        arguments.append("x".join(rows.split("x")[0:3:2]) + "xi1")
    if rng.random() < 0.3:
        operands += " dropout(%p, %s, %z : f32, i64, i64)"
    return f"{operands} {{{', '.join(options)}}}", arguments


def make_text(op, arguments, lattn_opt):
    types = [f"tensor<{t}>" for t in arguments]
    operands, options = op.split(" {")
    for i, kind in enumerate(types):
        operands = operands.replace(f"!{i}", kind).replace(f"%{i} ", f"%a{i} ")
    named = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    text = (f"func.func @f({named}) -> {types[0]} {{\n"
            f"  %p = arith.constant 0.25 : f32\n"
            f"  %s = arith.constant 7 : i64\n  %z = arith.constant 0 : i64\n"
            f"  %e = tensor.empty() : {types[0]}\n"
            f"  %r = lattn.local_attention {operands} outs(%e : {types[0]}) "
            f"{{{options} : ({', '.join(types)}) -> ()\n")
    text = text.rsplit(" : (", 1)[0] + f"\n  return %r : {types[0]}\n}}\n"
    done = subprocess.run(
        [lattn_opt, "-", "--lattn-differentiate=functions=f arguments=0,1,2",
         "--symbol-dce"], input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{done.stderr}\n{text}")
    # The function itself is gone, so that the gradient is the program's only one.
    whole = done.stdout
    start = whole.index("  func.func @f(")
    end = whole.index("  func.func @f_grad(")
    return whole[:start] + whole[end:]


def fill(arguments, rng):
    arrays = []
    for kind in arguments:
        *shape, element = kind.split("x")
        shape = tuple(map(int, shape))
        if element == "i1":
            mask = rng.random(shape) < 0.6
            mask[0, :shape[1] // 2] = False  # rows that see no key
            arrays.append(mask)
        else:
            arrays.append((0.5 * rng.standard_normal(shape)).astype(np.float16))
    return [*arrays, rng.standard_normal(arrays[0].shape).astype(np.float16)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("lattn_compile", "lattn_run", "lattn_opt"):
        parser.add_argument(name)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=6)
    parser.add_argument("--chip", action="append")
    o = parser.parse_args()
    wrong = empty = 0
    for number in range(o.cases):
        rng = np.random.default_rng([o.seed, number])
        op, arguments = make_case(rng)
        program = make_text(op, arguments, o.lattn_opt)
        arrays = fill(arguments, rng)
        want = composites.run_loops(program, arrays, o.lattn_run)
        for chip in o.chip or ("sm_80", "sm_90a"):
            ptx, function = kernels.compile_case(program, o.lattn_compile, chip)
            launched, got = kernels.run_arrays(arrays, ptx, function, seed=1)
            errors = []
            for g, w in zip(got, want, strict=True):
                g = g.view(np.float16).reshape(w.shape).astype(float)
                errors.append(float(np.abs(g - w).max() / max(1, np.abs(w).max())))
            right = max(errors) < TOLERANCE
            wrong += not right
            print(f"{number}: {chip}: {'right' if right else 'WRONG'}, errors "
                  f"{' '.join(f'{e:.1e}' for e in errors)}, {len(launched)} kernels: "
                  f"{arguments[0]} {op}", flush=True)
    print(f"{o.cases} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
