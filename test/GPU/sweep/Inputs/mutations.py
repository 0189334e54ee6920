"""The sweep can fail: mutations.py LATTN_COMPILE breaks a kernel's PTX in ways
that compilers do, and expects the emulator or the comparison to notice each."""

import re
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
    "one key too many": (r"setp\.ge\.s32", "setp.gt.s32"),
    "maxima of two threads only": (r"shfl\.sync\.bfly\.b32(.*), 2, 31, -1;",
                                   r"shfl.sync.bfly.b32\1, 1, 31, -1;"),
    "rows beyond the end are stored": (r"setp\.lt\.s64", "setp.ne.s64"),
}


def make_case():
    case = cases.Case(B=1, H=2, Hkv=1, N=150, M=150, D=64, Dv=64,
                      window={"left": 40, "right": 0})
    cases.fill(case, np.random.default_rng(5))
    return case


def is_right(ptx, launch):
    case = make_case()
    try:
        kernels.run_case(case, ptx, launch, seed=1)
    except (ptxemu.Fault, ptxemu.Race, ptxemu.Deadlock, ptxemu.PTXError) as e:
        return False, type(e).__name__
    got = cases.PAIRS["bf16"][1](case.arrays["o"]).astype(np.float64)
    error = np.abs(got - oracle.attention(case)[0]).max()
    return bool(error < 2e-2), f"error {error:.1e}"


def main():
    ptx, launch = kernels.compile_case(cases.text(make_case()), sys.argv[1],
                                       "sm_80")
    right, what = is_right(ptx, launch)
    print(f"as compiled: {'right' if right else 'WRONG'}, {what}")
    missed = not right
    for name, (pattern, instead) in MUTATIONS.items():
        broken, count = re.subn(pattern, instead, ptx)
        if not count:
            print(f"{name}: NOT APPLIED")
            missed = True
            continue
        right, what = is_right(broken, launch)
        print(f"{name}: {'MISSED' if right else 'caught'}, {what}")
        missed |= right
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
