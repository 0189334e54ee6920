"""The same as mutations.py for sm_90a: mutations_warpgroups.py LATTN_COMPILE
LATTN_OPT breaks barriers, tensor maps' copies and wgmma."""

import re
import subprocess
import sys

import cases
import kernels
import mutations
import numpy as np

WAIT = r"mbarrier\.try_wait\.parity(\S*) P1, \[(\S+)\], (\S+), (\S+);"
COPY = r"(cp\.async\.bulk\.tensor\S+ \[\S+, \[\S+, \{)(\S+), (\S+),"
MAJOR_BITS = 1 << 62 | 64 << 32  # of all descriptors: swizzle, groups of rows


def change_descriptor(change):
    """Of each constant that holds a descriptor's bits."""
    def replace(found):
        bits = int(found[0])
        return str(change(bits) if bits & MAJOR_BITS == MAJOR_BITS else bits)
    return r"\b46116862\d{11}\b", replace


MUTATIONS = {
    "no stage is waited for": (WAIT, "setp.eq.u32 P1, 0, 0;"),
    "the other phase is waited for": (
        WAIT, r"{ .reg .b32 f; xor.b32 f, \3, 1; "
              r"mbarrier.try_wait.parity\1 P1, [\2], f, \4; }"),
    "no stage is told free": (r"mbarrier\.arrive\.shared\S+\s+\S+ \[\S+\];", ""),
    "a stage is free when one warp says so": (
        r"(mov\.b32\s+%r\d+), 8;", r"\1, 1;"),
    "products are not waited for": (r"wgmma\.wait_group\.sync\.aligned \d;", ""),
    "one product too many stays under way": (
        r"wgmma\.wait_group\.sync\.aligned 0;",
        "wgmma.wait_group.sync.aligned 1;"),
    "no fence before products": (r"wgmma\.fence\.sync\.aligned;", ""),
    "products belong to no group": (r"wgmma\.commit_group\.sync\.aligned;", ""),
    "rows and columns swapped": (COPY, r"\1\3, \2,"),
    "boxes 16 bytes further apart": change_descriptor(
        lambda bits: bits + (1 << 16)),
    "groups of rows 16 bytes further apart": change_descriptor(
        lambda bits: bits + (1 << 32)),
    "no swizzle": change_descriptor(lambda bits: bits - (1 << 62)),
    "values as if keys": (r"(\}, %rd\d+, p, 1, 1, )1;", r"\g<1>0;"),
    "the weights' registers in another order": (
        r"\{(%r\d+), (%r\d+), (%r\d+), (%r\d+)\}, (%rd\d+, p, 1, 1, 1;)",
        r"{\1, \3, \2, \4}, \5"),
    "maxima of two threads only": mutations.MUTATIONS[
        "maxima of two threads only"],
    "no turn is passed on": (r"bar\.arrive\s+\S+ 256;", ""),
    "output is not fenced": (r"fence\.proxy\.async\.shared::cta;", ""),
    "output is stored before all of a group wrote it": (
        r"bar\.sync\s+\S+ 128;", ""),
    "the output's memory is free before it is read": (
        r"cp\.async\.bulk\.wait_group\.read\s+0;", ""),
    "output of one group of rows too far": (
        r"(cp\.async\.bulk\.tensor\.4d\.global\S+ \[\S+ \{)(\S+), (\S+),",
        r"\1\3, \2,"),
    "each block takes the first's items": (
        r"mov\.u32\s+(%r\d+), %ctaid\.x;", r"mov.u32 \1, 0;"),
}

OPTIONS = "query-tile=128 key-tile=64"


def make_case():
    """One with full tiles, rows of two boxes, and a block with two items."""
    case = cases.Case(B=1, H=1, Hkv=1, N=320, M=320, D=80, Dv=80,
                      window={"left": 190, "right": 0})
    cases.fill(case, np.random.default_rng(5))
    return case


def tile(text, lattn_opt, tiling="--lattn-tile=gpu"):
    return subprocess.run(
        [lattn_opt, "-", "--lattn-raise-memrefs",
         "--lattn-choose-gpu-tiles=chip=sm_90a warps=0 "
         + OPTIONS, "--lattn-branch-tensor-maps", tiling],
        input=text, capture_output=True, text=True, check=True).stdout


def main():
    lattn_compile, lattn_opt = sys.argv[1:]

    def compile_text(text):
        return kernels.compile_case(text, lattn_compile, "sm_90a",
                                    f"parts=1 multiprocessors=2 {OPTIONS}")

    text = cases.text(make_case())
    ptx, function = compile_text(text)
    assert re.search(COPY, ptx), "no kernel with tensor maps"
    tiled = tile(text, lattn_opt)

    def run(text):
        return mutations.is_right(make_case(), text, function)

    def run_tiled(text):
        return mutations.is_right(make_case(), *compile_text(text))

    missed = False
    for name, (right, what) in (("as compiled", run(ptx)),
                                ("by its tiles", run_tiled(tiled))):
        print(f"{name}: {'right' if right else 'WRONG'}, {what}")
        missed |= not right
    missed |= mutations.break_each(MUTATIONS, ptx, run)
    missed |= mutations.break_each(mutations.TILE_MUTATIONS, tiled, run_tiled)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
