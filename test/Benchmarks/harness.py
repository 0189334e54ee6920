# REQUIRES: slow
# RUN: %pytest %s

# What benchmarks count and conclude.

import dataclasses
import json
import pathlib
import re

import numpy as np
import pytest

import training_step
from harness import arrays, reference, results, suites, window
from harness.workload import Workload

WORKLOADS = suites.read("quick") + [
    Workload("full", "test", N=5, M=7, left=9, right=9),
    Workload("causal", "test", N=5, M=7, left=6, causal=True)]


def shows(w, i, j):
    p = w.M - w.N + i
    return ((w.left is None or j >= p - w.left)
            and (w.right is None or j <= p + w.right)
            and (not w.causal or j <= p)
            and (w.bucket is None
                 or -w.back <= j // w.bucket - p // w.bucket <= w.forward))


@pytest.mark.parametrize("w", WORKLOADS, ids=lambda w: w.name)
def test_window(w):
    expected = np.array([[shows(w, i, j) for j in range(w.M)]
                         for i in range(w.N)])
    assert np.array_equal(window.mask(w), expected)
    assert window.visible_pairs(w) == expected.sum()
    assert w.is_full == expected.all()
    causal = np.tri(w.N, w.M, w.M - w.N, bool)
    assert w.is_plainly_causal == (w.causal and np.array_equal(expected, causal))


def test_flops():
    full = Workload("full", "test", N=10, B=3, H=4, Hkv=2, M=20, D=8, Dv=6)
    assert full.flops() == 3 * 4 * 200 * 2 * (8 + 6)
    causal = Workload("causal", "test", N=10, H=4, D=8, causal=True, width=5)
    projections = 2 * 10 * 5 * 3 * 32 + 2 * 10 * 32 * 5
    assert causal.flops() == 4 * 55 * 4 * 8 + projections


def test_flops_of_training():
    w = Workload("w", "test", N=4, H=2, D=3, left=1, causal=True, width=5, depth=2,
                 tokens=7, module="LocalTransformer")
    pairs, hidden = 1 + 2 + 2 + 2, 13
    weights = 2 * (4 * 6 * 5 + 3 * hidden * 5) + 7 * 5
    assert training_step.flops(w) == (
        7 * 2 * 2 * 2 * pairs * 3  # products, layers, heads
        + 3 * 2 * 4 * weights)


def test_reference():
    w = Workload("w", "test", N=5, H=2, D=3, left=1, causal=True)
    a = arrays.make(w)
    out = reference.compute(w, a)
    q, k, v = (x[0, 1].astype("f8") for x in (a.q, a.k, a.v))
    p = np.exp(k[2:4] @ q[3] / np.sqrt(3))
    assert np.allclose(out[0, 1, 3], p @ v[2:4] / p.sum(), rtol=1e-12)


def test_all_suites():
    for suite in suites.names():
        assert suites.read(suite)


@pytest.mark.parametrize("suite", ["table", "lengths", "threads", "small",
                                   "scores"])
def test_names_say_what_they_are(suite):
    for w in suites.read(suite):
        length = f"M {w.M:,}" if "decode" in w.name else f"N {w.N:,}"
        assert length in w.name
        window = w.left if w.bucket is None else w.bucket
        assert window is None or w.N == 1 or f" of {window:,}," in w.name or (
            f"window {window:,}," in w.name)
        for kind in ("bf16", "rotary", "bnhd", "static"):
            has = kind in (w.dtype, w.layout) or getattr(w, kind, False)
            assert bool(has) == (kind in w.name)


def text_of(svg):
    return re.findall(r"<text [^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("name, is_drawn", [("cpu-avx512-2cores", True),
                                            ("cpu-avx2-2cores", False)])
def test_documented_results(tmp_path, name, is_drawn):
    """Tables and pictures of docs are those of the file beside them."""
    plots = pytest.importorskip("harness.plots")
    table = pytest.importorskip("harness.table")
    docs = pathlib.Path(__file__).parents[2] / "docs"
    found = json.loads((docs / f"results/{name}.json").read_text())
    known = {w.name for w in suites.read("table") + suites.read("lengths")}
    assert {item["name"] for item in found["workloads"]} == known
    assert known.issuperset(plots.OVERVIEW)
    assert table.render(found).lstrip() == (
        docs / f"results/{name}.md").read_text()
    for path in plots.draw(found, tmp_path) if is_drawn else ():
        drawn = text_of(path.read_text())
        assert len(drawn) > 10
        assert drawn == text_of((docs / "images" / path.name).read_text())


@pytest.mark.parametrize("text, message", [
    ("N = 0", "N: expected a number >= 1, got 0"),
    ("N = 4\nH = 3\nHkv = 2", "Hkv: expected a divisor of 3, got 2"),
    ("N = 4\nM = 3", "M: expected a number >= N, got 3"),
    ("N = 4\nback = 1", "bucket: expected a number >= 1, got None"),
    ("N = 4\ndtype = 'f8'", "dtype: expected one of f32, f64, f16, bf16; got"),
    ("N = 4\nrotary = true", "rotary needs a causal window of left"),
    ("N = 4\nleft = 1.5", "left: expected a number >= 0, got 1.5"),
    ("N = 4\nlength = 3", "x.toml: a: unknown field length"),
    ("N = [4, 5]", "two workloads are called a"),
    ("N = 4\nwidth = 16\nleft = 2\ncausal = true\nmodule = 'LocalMHA'\n"
     "dtype = 'f64'", "a type other than f64; got f64"),
])
def test_wrong_suites(tmp_path, monkeypatch, text, message):
    (tmp_path / "x.toml").write_text(f"[[workload]]\nname = 'a'\n{text}\n")
    monkeypatch.setattr(suites, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=message):
        suites.read("x")


def made_up(error=1e-7):
    def times(*seconds, error=1e-7):
        return {"times": list(seconds), "error": error, "first_call": 1.0}
    w = dataclasses.replace(WORKLOADS[0], name="w")
    report = {"implementations": {"slow": times(4.0, 3.0),
                                  "wrong": times(1.0, error=1.0),
                                  "lattn": times(2.0, 3.0, error=error)},
              "skipped": {}, "failed": {}, "copy": 1e9,
              "peak": {"f32": [1e6, 2e6], "f64": [5e5]}}
    return {"workloads": [results.entry(w, report)]}


def test_rows():
    found = made_up()
    item = found["workloads"][0]
    assert [row.name for row in results.rows(found, item)] == [
        "lattn", "wrong", "slow"]
    own = results.rows(found, item)[0]
    assert (own.least, own.median) == (2.0, 2.5)
    assert own.share == item["flops"] / 2.0 / 2e6
    assert results.best_other(found, item).name == "slow"


def test_problems():
    assert not list(results.problems(made_up()))
    assert "lattn's error is 0.1" in next(results.problems(made_up(error=0.1)))
    found = made_up()
    found["workloads"][0]["failed"]["lattn"] = "it broke"
    assert "it broke" in next(results.problems(found))


def test_file(tmp_path):
    found = made_up()
    text = results.to_json(found)
    assert "[2.0, 3.0]" in text
    assert json.loads(text)["workloads"][0]["name"] == "w"
    path = tmp_path / "a.json"
    results.write(path, text)
    assert path.read_text() == text
    with pytest.raises(TypeError):
        results.write(path, None)
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]
