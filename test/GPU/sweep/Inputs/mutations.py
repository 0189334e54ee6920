"""The sweep can fail: mutations.py LATTN_COMPILE LATTN_OPT breaks a kernel's PTX,
and its tiles, in ways that compilers do, and expects the emulator or the
comparison to notice each."""

import re
import subprocess
import sys

import cases
import kernels
import numpy as np
import oracle
import ptxemu

# name: (what stands in the PTX, what instead)
MUTATIONS = {
    "a copy is not waited for": (r"cp\.async\.wait_group\s+0;", ""),
    "no barrier before reads": (r"(cp\.async\.wait_group\s+0;\s*)bar\.sync\s+0;",
                                r"\1"),
    "keys as if values": (r"ldmatrix\.sync\.aligned\.m8n8\.x4\.shared",
                          "ldmatrix.sync.aligned.m8n8.x4.trans.shared"),
    "values as if keys": (r"x4\.trans\.shared", "x4.shared"),
    "chunks in another order": (r"xor\.b64", "or.b64"),
    "one key too many": (r"setp\.gt\.s32", "setp.ge.s32"),
    "maxima of two threads only": (r"shfl\.sync\.bfly\.b32(.*), 2, 31, -1;",
                                   r"shfl.sync.bfly.b32\1, 1, 31, -1;"),
    "rows beyond the end are stored": (r"setp\.lt\.s64", "setp.ne.s64"),
    # Fields 7 to 10 of a descriptor; query is the first argument.
    "strides of heads and rows swapped": (
        r"param_([89])\]", lambda m: f"param_{17 - int(m[1])}]"),
}

# The same for what lattn-tile makes.
TILE_MUTATIONS = {
    "a left edge of one tile less": (r"ceildiv 64\) \* 64", "floordiv 64) * 64"),
    "a right edge of one tile less": (r"floordiv 64\) \* 64",
                                      "ceildiv 64) * 64"),
    "keys past the end of the window": (r"right = 0", "right = 1"),
}


def make_case(heads=2, length=150, left=40):
    case = cases.Case(B=1, H=heads, Hkv=1, N=length, M=length, D=64, Dv=64,
                      window={"left": left, "right": 0})
    cases.fill(case, np.random.default_rng(5))
    return case


def make_wide_case():
    """One with tiles that need no mask."""
    return make_case(heads=1, length=320, left=190)


def is_right(case, ptx, function):
    try:
        kernels.run_case(case, ptx, function, seed=1)
    except (ptxemu.Fault, ptxemu.Race, ptxemu.Deadlock, ptxemu.PTXError) as e:
        return False, type(e).__name__
    got = cases.PAIRS["bf16"][1](case.arrays["o"]).astype(np.float64)
    error = np.abs(got - oracle.attention(case)[0]).max()
    return bool(error < 2e-2), f"error {error:.1e}"


def tile(text, lattn_opt, tiling="--lattn-tile=gpu"):
    return subprocess.run(
        [lattn_opt, "-", "--lattn-raise-memrefs", "--lattn-choose-gpu-tiles",
         tiling], input=text, capture_output=True, text=True, check=True).stdout


def break_each(mutations, text, run):
    """Whether one is missed."""
    missed = False
    for name, (pattern, instead) in mutations.items():
        broken, count = re.subn(pattern, instead, text)
        if not count:
            print(f"{name}: NOT APPLIED")
            missed = True
            continue
        right, what = run(broken)
        print(f"{name}: {'MISSED' if right else 'caught'}, {what}")
        missed |= right
    return missed


def main():
    lattn_compile, lattn_opt = sys.argv[1:]

    def compile_text(text):
        return kernels.compile_case(text, lattn_compile, "sm_80", "parts=1")

    ptx, function = compile_text(cases.text(make_case()))
    tiled = tile(cases.text(make_wide_case()), lattn_opt)

    def run(text):
        return is_right(make_case(), text, function)

    def run_tiled(text):
        return is_right(make_wide_case(), *compile_text(text))

    missed = False
    for name, (right, what) in (("as compiled", run(ptx)),
                                ("by its tiles", run_tiled(tiled))):
        print(f"{name}: {'right' if right else 'WRONG'}, {what}")
        missed |= not right
    missed |= break_each(MUTATIONS, ptx, run)
    missed |= break_each(TILE_MUTATIONS, tiled, run_tiled)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
