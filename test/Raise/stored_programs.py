# REQUIRES: slow, lattn-python
# RUN: %pytest %s

# The programs of corpus/, from torch-mlir and JAX: what lattn computes from the
# text as it is, and raised, is what the front end computed, and raising finds the
# windows of the manifest.

import functools
import re

import numpy as np
import pytest
from corpus import PROGRAMS, make_inputs, read_manifest, read_results

import lattn
from lattn import _lattn

MANIFEST, RESULTS = read_manifest(), read_results()
# Unraised programs that lattn does not run yet.
NOT_RUN = set()
# Programs that raising does not do as the manifest says yet.
NOT_YET = {"model_local_transformer"}


def read(name):
    return (PROGRAMS / f"{name}.mlir").read_text()


def run(name, text):
    inputs = make_inputs(name, MANIFEST[name]["inputs"])
    results = lattn.compile(text)(*inputs)
    return results if isinstance(results, tuple) else (results,)


def check(name, results):
    tolerance = MANIFEST[name]["tolerance"]
    assert len(results) == len(RESULTS[name])
    for found, expected in zip(results, RESULTS[name]):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, tolerance, tolerance)


def bounds(text):
    """A window's text as numbers; causal is right = 0."""
    return {key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", text)}


def windows(text):
    """Those of the attentions in a module's text."""
    found = []
    for line in re.findall(r"^.*\blattn\.attention\b.*$", text, re.M):
        window = re.search(r"#lattn\.window<(.*?)>", line)
        found.append(bounds(window[1] if window else ""))
        if re.search(r"[{ ]causal[,}]", line):
            found[-1]["right"] = 0
    return found


def test_manifest():
    """Every program is in it, and has results."""
    assert {path.stem for path in PROGRAMS.glob("*.mlir")} == set(MANIFEST)
    assert set(MANIFEST) == set(RESULTS)
    expected = [program["windows"] for program in MANIFEST.values()]
    assert sum(bool(w) for w in expected) >= 50
    assert NOT_YET | NOT_RUN <= set(MANIFEST)


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_unraised(name):
    if name in NOT_RUN:
        with pytest.raises(RuntimeError):
            run(name, read(name))
        return
    check(name, run(name, read(name)))


@functools.cache
def raise_attention(name):
    return _lattn.run_passes(read(name).encode(), name, "lattn-raise")


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_raised_results(name):
    """Whatever raising does, the results stay."""
    check(name, run(name, raise_attention(name)))


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_windows(name):
    """What comes off NOT_YET has to be taken off."""
    expected = MANIFEST[name]["windows"]
    found = windows(raise_attention(name))
    is_done = found == [bounds(window) for window in expected]
    assert is_done == (name not in NOT_YET), (found, expected)
