"""Persistent kernels, whose blocks walk through many work tiles that share slots:
persistent.py LATTN_COMPILE
"""

import sys

import cases
import kernels
import numpy as np
import oracle

# Of two blocks (a multiprocessor's), whose rounds heads fill more than once.
CASES = {
    "causal": {"causal": True},
    "backwards": {"window": {"left": 0}},
    "a window": {"window": {"left": 70, "right": 0}, "N": 250, "M": 250},
}


def main():
    for name, options in CASES.items():
        sizes = {"B": 1, "H": 7, "Hkv": 7, "N": 150, "M": 150, "D": 16, "Dv": 16}
        case = cases.Case(**(sizes | options), nan=True)
        cases.fill(case, np.random.default_rng(7))
        ptx, function = kernels.compile_case(
            cases.text(case), sys.argv[1], "sm_90a",
            "parts=1 multiprocessors=1 query-tile=64 key-tile=64")
        with np.errstate(invalid="ignore"):
            output, _ = oracle.attention(case)
        launched = kernels.run_case(case, ptx, function, 1)
        assert launched[0] in kernels.with_tensor_maps(function)
        got = cases.PAIRS[case.element][1](case.arrays["o"])
        error = cases.difference(got.astype(np.float64), output,
                                 cases.OUTPUT[case.element])
        print(f"{name}: {'right' if error <= 1 else f'{error:.2f} tolerances'}")


if __name__ == "__main__":
    main()
