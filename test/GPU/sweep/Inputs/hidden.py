"""Values that no query sees but that tensor maps copy, because they share a tile
with others, are NaN or infinite: hidden.py LATTN_COMPILE
"""

import sys

import cases
import kernels
import numpy as np
import oracle

CASES = {
    "beyond the length": {"kv_lens": True, "N": 70},
    "beyond the length, one query": {"kv_lens": True, "N": 1},
    "after the only query": {"causal": True, "offset": 56, "N": 1},
    "after the only query, in parts": {"causal": True, "offset": 56, "N": 1,
                                       "M": 400, "parts": 3},
}


def main():
    for name, options in CASES.items():
        sizes = {"M": 130, "D": 16, "Dv": 16, "element": "f16"}
        case = cases.Case(**(sizes | options))
        arrays = cases.fill(case, np.random.default_rng(3))
        seen = 57
        if case.kv_lens:
            arrays["kv_lens"][:] = seen
        for row, value in ((seen, np.nan), (seen + 1, np.inf), (seen + 5, -np.inf)):
            arrays["v"][:, :, row] = np.float16(value).view(np.uint16)
        ptx, function = kernels.compile_case(
            cases.text(case), sys.argv[1], "sm_90a",
            f"parts={case.parts} multiprocessors=1")
        output, _ = oracle.attention(case)
        launched = kernels.run_case(case, ptx, function, seed=1)
        assert launched[0] in kernels.with_tensor_maps(function), launched
        got = cases.PAIRS["f16"][1](case.arrays["o"])
        error = cases.difference(got, output, cases.OUTPUT["f16"])
        print(f"{name}: {'right' if error <= 1 else f'WRONG, {error:.2f} tolerances'}")


if __name__ == "__main__":
    main()
