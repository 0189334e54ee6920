"""The sweep of gradients can fail:
mutations_gradients.py LATTN_COMPILE LATTN_OPT [--chip sm_90a]
breaks kernels' PTX, and their tiles, and expects the emulator or the comparison to
notice each."""

import argparse
import sys

import cases
import gradients
import kernels
import mutations
import mutations_warpgroups
import numpy as np
import ptxemu

# name: (what stands in the PTX, what instead)
MUTATIONS = {
    "a copy is not waited for": mutations.MUTATIONS["a copy is not waited for"],
    "no barrier before reads": mutations.MUTATIONS["no barrier before reads"],
    "left operands transposed": (r"x4\.shared", "x4.trans.shared"),
    "right operands as if transposed": (r"x4\.trans\.shared", "x4.shared"),
    "chunks in another order": (r"xor\.b64", "or.b64"),
    "numbers of columns shifted": (
        r"(ld\.shared\.v2\.b32\s+)\{(%r\d+), (%r\d+)\}", r"\1{\3, \2}"),
    "one column too many": (r"setp\.gt\.s32", "setp.ge.s32"),
    "rows beyond the end are stored": (r"setp\.lt\.s64", "setp.ne.s64"),
}

# The same for kernels with warpgroups. Those of attention that are left out are of
# softmax, and of ping-pong, which gradients have none of.
WARPGROUPS = {
    **{name: change for name, change in mutations_warpgroups.MUTATIONS.items()
       if name not in ("maxima of two threads only", "no turn is passed on")},
    "no bytes of vectors are waited for": (
        r"(mbarrier\.arrive\.expect_tx\S+ \S+ \[\S+\], )(%r\d+);", r"\g<1>8192;"),
    "numbers of columns shifted": MUTATIONS["numbers of columns shifted"],
    "one column too many": MUTATIONS["one column too many"],
}

# The same for kernels with dropout.
DROPOUT = {
    "flags of another thread": (
        r"(shfl\.sync\.idx\.b32\s+%r\d+, %r\d+, )%r\d+(, 31)", r"\g<1>0\2"),
}

# The same for what lattn-tile-grad makes.
TILE_MUTATIONS = {
    "no partial step of queries": (r"arith\.ceildivsi", "arith.floordivsi"),
    "no step at an edge": (r"arith\.ori", "arith.andi"),
    "one head for all": (r"arith\.divui (%\w+), (%\w+) : i32",
                         r"arith.subi \1, \1 : i32"),
    "log-sum-exps and row sums swapped": (
        r" lse\((%\w+) (: [^)]*)\) row_sums\((%\w+)", r" lse(\3 \2) row_sums(\1"),
    "keys past the end of the window": (r"right = 0", "right = 1"),
}


def make_case():
    """Heads in a group, steps of all kinds, and a last one that is not whole. Rows
    have two TMA tiles."""
    case = cases.Case(B=1, H=2, Hkv=1, N=184, M=184, D=80, Dv=80,
                      window={"left": 100, "right": 0}, lse=True)
    gradients.fill(case, np.random.default_rng(5))
    return case


def make_dropped():
    case = cases.Case(B=1, H=1, Hkv=1, N=72, M=72, D=16, Dv=16, dropout=0.2, lse=True)
    gradients.fill(case, np.random.default_rng(6))
    return case


def is_right(case, ptx, function):
    try:
        kernels.run_case(case, ptx, function, seed=1)
    except (ptxemu.Fault, ptxemu.Race, ptxemu.Deadlock, ptxemu.PTXError) as e:
        return False, type(e).__name__
    wide = cases.PAIRS[case.element][1]
    with np.errstate(invalid="ignore", over="ignore"):
        error = max(gradients.compare(
            wide(case.arrays[name]).astype(np.float64), *expected)
            for name, _, expected in gradients.outputs(case))
    return bool(error <= 1), f"{error:.1f} tolerances"


def tile_for_groups(text, lattn_opt):
    return mutations_warpgroups.tile(text, lattn_opt, "--lattn-tile-grad=gpu")


def tile(text, lattn_opt):
    return mutations.tile(text, lattn_opt, "--lattn-tile-grad=gpu")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lattn_compile")
    parser.add_argument("lattn_opt")
    parser.add_argument("--chip", default="sm_80")
    arguments = parser.parse_args()
    groups = arguments.chip == "sm_90a"

    def compile_text(text):
        return kernels.compile_case(
            text, arguments.lattn_compile, arguments.chip,
            f"multiprocessors=2 {mutations_warpgroups.OPTIONS}" if groups else "")

    text = gradients.text(make_case())
    ptx, function = compile_text(text)
    tiled = (tile_for_groups if groups else tile)(text, arguments.lattn_opt)

    def run(text):
        return is_right(make_case(), text, function)

    def run_tiled(text):
        return is_right(make_case(), *compile_text(text))

    missed = False
    for name, (right, what) in (("as compiled", run(ptx)),
                                ("by its tiles", run_tiled(tiled))):
        print(f"{name}: {'right' if right else 'WRONG'}, {what}")
        missed |= not right
    missed |= mutations.break_each(WARPGROUPS if groups else MUTATIONS, ptx, run)
    missed |= mutations.break_each(TILE_MUTATIONS, tiled, run_tiled)
    dropped, called = compile_text(gradients.text(make_dropped()))
    missed |= mutations.break_each(
        DROPOUT, dropped, lambda text: is_right(make_dropped(), text, called))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
