"""Functions of scores on GPUs: functions.py LATTN_COMPILE

With one key, the log-sum-exp is the score."""

import sys

import cases
import kernels
import numpy as np

# Two units in the last place of f32 for exponentials, more for polynomials.
TOLERANCE = 2e-6
TINY = 2.0 ** -126  # smaller results may be 0
# Relative to the result, or if it is less, to this: arguments are reduced in f32.
LEAST = {"sinh": 1, "sin": 1, "cos": 1, "tan": 1, "log": 1e-3, "log2": 1e-3, "log10": 1e-3}
FUNCTIONS = {
    "exp": np.exp, "exp2": np.exp2, "tanh": np.tanh, "expm1": np.expm1,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sqrt": np.sqrt, "round": lambda x: np.trunc(x + np.copysign(0.5, x)),
    "floor": np.floor, "ceil": np.ceil, "absf": np.abs}
SPECIAL = [np.inf, -np.inf, np.nan, 0, -0.0]


def make_inputs(name):
    rng = np.random.default_rng(len(name))
    if name == "tan":  # it has poles
        return rng.uniform(-1.4, 1.4, 100).astype(np.float16)
    x = np.concatenate([rng.normal(0, size, 40) for size in (1e-3, 0.1, 1, 9)])
    if name in ("exp", "exp2", "tanh"):
        x = np.append(x, -np.abs(rng.normal(0, 60, 40)))
    if name in ("exp", "exp2", "expm1", "sinh", "cosh"):
        x = x.clip(-150, 12)  # softmax of larger scores has errors of its own
    if name in ("log", "log2", "log10", "sqrt", "log1p"):
        x = np.abs(x)
    return np.append(x, SPECIAL if name in ("exp", "exp2", "tanh") else []).astype(
        np.float16)


def compute(name, x, lattn_compile):
    """f(x) in f32: the only key is 1, so a query's first element is its score."""
    text = f"""
      %y = math.{name} %s : f32
      lattn.yield %y : f32"""
    case = cases.Case(B=1, H=1, N=len(x), M=1, D=8, Dv=8, element="f16", scale=1.0,
                      lse=True, score=name)
    cases.SCORES[name] = text
    a = cases.fill(case, np.random.default_rng(0))
    a["q"][...], a["k"][...] = 0, 0
    a["q"][0, 0, :, 0] = x.view(np.uint16)
    a["k"][..., 0] = np.float16(1).view(np.uint16)
    ptx, function = kernels.compile_case(cases.text(case), lattn_compile, "sm_80",
                                         "parts=1")
    kernels.run_case(case, ptx, function, seed=1)
    return a["lse"][0, 0].astype(float)


def main():
    for name, function in FUNCTIONS.items():
        x = make_inputs(name)
        got = compute(name, x, sys.argv[1])
        with np.errstate(all="ignore"):
            want = function(x.astype(float)).astype(np.float32).astype(float)
            want = np.where(np.abs(want) < TINY, 0, want)
            error = np.abs(got - want) / np.maximum(np.abs(want),
                                                    LEAST.get(name, 0))
        # The softmax of an infinite score is NaN.
        same = (got == want) | ~(want < np.inf) & ~np.isfinite(got)
        worst = error[~same].max(initial=0)
        print(f"{name}: {'right' if worst < TOLERANCE else 'WRONG'}, {worst:.1e}")


if __name__ == "__main__":
    main()
