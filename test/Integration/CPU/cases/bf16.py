"""Generated cases of lattn.local_attention of bf16: bf16.py SEED CASES TOOL FOLDER
[FLAGS...]. No output is off by more than attention_p1 says, and the root mean
square of all errors is at most the package's own under autocast."""

import sys

import ml_dtypes
import numpy as np

import sweep
from runs import difference, get_runner


def to_bf16(x):
    with np.errstate(all="ignore"):
        return x.astype(ml_dtypes.bfloat16).astype(np.float64)


def main(seed, cases, *runner):
    run = get_runner(*runner)
    failed, ours, theirs = [], [], []
    for case in range(int(cases)):
        program, expected, tolerance, eager = sweep.make_case(
            case, np.random.default_rng([int(seed), case]), "bf16",
            rounding=to_bf16)
        got = run(program)
        if wrong := difference(got, expected, tolerance):
            failed.append(f"seed {seed}, case {case}: {wrong}\n{program.text}")
        finite = np.isfinite(expected) & np.isfinite(eager)
        for errors, result in [(ours, got), (theirs, eager)]:
            errors.append((result.astype(np.float64) - expected)[finite])
    ours, theirs = (np.sqrt(np.mean(np.concatenate(errors)**2))
                    for errors in (ours, theirs))
    print("\n".join(failed))
    print(f"{int(cases) - len(failed)} of {cases} cases agree; root mean square "
          f"of errors {ours:.2e}, of the package's {theirs:.2e}")
    sys.exit(1 if failed or not ours <= theirs else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
