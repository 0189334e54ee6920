# REQUIRES: lattn-python, torch, slow
# RUN: env PYTHONPATH=%lattn_build/python OMP_NUM_THREADS=1 %python -B %s %lattn_src/examples/alibi_slopes.py

# The slopes get the gradients that PyTorch's operations give them, and lower the
# loss of held-out text.

import contextlib
import importlib.util
import io
import re
import sys

spec = importlib.util.spec_from_file_location("alibi_slopes", sys.argv[1])
alibi_slopes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(alibi_slopes)


def run(*options):
    """Four lines: their words, and their numbers."""
    out = io.StringIO()
    sys.argv[1:] = ["--steps", "20", *options]
    with contextlib.redirect_stdout(out):
        alibi_slopes.main()
    lines = out.getvalue().splitlines()
    number = r"-?\d+\.\d+"
    return ([re.sub(number, "", line).split() for line in lines],
            [[float(x) for x in re.findall(number, line)] for line in lines])


words, found = run()
plain_words, expected = run("--torch")
assert words == plain_words and len(found) == 4
for ours, theirs in zip(found, expected):
    assert len(ours) == len(theirs) >= 2
    assert all(abs(a - b) < 1e-3 for a, b in zip(ours, theirs)), (ours, theirs)
slopes, gradients, tuned, (before, after) = found
assert len(gradients) == 8 and max(map(abs, gradients)) > 0.01, gradients
assert max(abs(a - b) for a, b in zip(slopes, tuned)) > 0.01, tuned
assert after < before, found
