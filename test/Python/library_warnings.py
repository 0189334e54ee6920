# REQUIRES: slow
# RUN: %pytest %s

# Warnings of the library go through Python's warnings.

import os
import subprocess
import sys

ATTEND = ("import lattn, numpy as np, warnings, sys\n"
          "x = np.ones((1, 1, 4, 8), 'f4')\n")


def run(code, *options, **environment):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("LATTN_")}
    return subprocess.run([sys.executable, *options, "-c", ATTEND + code], text=True,
                          capture_output=True, env=kept | environment)


def test_environment_variables():
    code = "print(lattn.get_num_threads() > 0)"
    done = run(code, LATTN_NUM_THREADS="many")
    assert done.stdout.split() == ["True"]
    assert "RuntimeWarning: lattn: LATTN_NUM_THREADS: expected an integer" in done.stderr
    assert "got 'many'" in done.stderr
    assert run(code, "-Wignore", LATTN_NUM_THREADS="many").stderr == ""


def test_cache():
    # A file is no folder, and a size is a number.
    code = ("with warnings.catch_warnings(record=True) as caught:\n"
            "  warnings.simplefilter('always')\n"
            "  lattn.attention(x, x, x, causal=True)\n"
            "for w in caught: print(w.category.__name__, w.message)\n")
    done = run(code, LATTN_CACHE_DIR=__file__)
    assert done.stderr == ""
    assert done.stdout.startswith("RuntimeWarning lattn: cache '" + __file__)
    done = run(code, HOME="", XDG_CACHE_HOME="")
    assert done.stderr == ""
    assert "RuntimeWarning lattn: cache: HOME and the password database" in done.stdout


def test_as_errors():
    """No call fails because of a warning."""
    done = run("print(lattn.attention(x, x, x).shape)", "-Werror", LATTN_CACHE_DIR="off",
               LATTN_NUM_THREADS="many")
    assert done.stdout.strip() == "(1, 1, 4, 8)", done.stderr
    assert "LATTN_NUM_THREADS" in done.stderr
