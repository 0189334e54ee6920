# REQUIRES: slow
# RUN: %pytest %s

# python -m lattn.bench: what it says is right, checked and in time.

import importlib.util
import json
import logging
import os
import subprocess
import sys
import time
import warnings
import xml.dom.minidom

import numpy as np
import pytest

from lattn import _reference
from lattn.bench import __main__ as bench
from lattn.bench import _implementations, _measure, _workloads, take_turns

SMALL = {
    "full": dict(queries=40, keys=40),
    "causal": dict(queries=40, keys=40, causal=True),
    "decode": dict(queries=1, keys=70, heads=8, kv_heads=2),
    "window": dict(queries=64, keys=64, left=16, causal=True),
    "window-gradients": dict(queries=64, keys=64, left=16, causal=True,
                             gradients=True)}
SMALL = {name: _workloads.Workload(name, f"small {name}", heads=options.pop("heads", 2),
                                   kv_heads=options.pop("kv_heads", 2), size=8,
                                   **options) for name, options in SMALL.items()}
LATTN = _implementations.IMPLEMENTATIONS["lattn"]


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the program on small workloads: (exit status, output, errors)."""
    monkeypatch.setattr(bench, "WORKLOADS", SMALL)
    monkeypatch.setattr("lattn.bench._report.WORKLOADS", SMALL)
    monkeypatch.setattr("lattn.bench._picture.WORKLOADS", SMALL)
    monkeypatch.setattr(bench, "_limit_cpus", lambda threads: None)
    monkeypatch.setattr(logging, "disable", lambda level: None)
    monkeypatch.setattr(warnings, "filterwarnings", lambda *arguments: None)

    def main(*arguments):
        monkeypatch.setattr(sys, "argv", ["bench", *arguments])
        try:
            status = bench.main()
        except SystemExit as end:
            status = end.code
        return status, *capsys.readouterr()
    return main


def replace(monkeypatch, name, prepare):
    monkeypatch.setitem(_implementations.IMPLEMENTATIONS, name,
                        _implementations.Implementation(name, (), prepare))


def attend(q, k, v, left, right):
    """The formula, pair by pair."""
    out = np.zeros_like(q)
    for b, h, i in np.ndindex(q.shape[:3]):
        kv, p = h // (q.shape[1] // k.shape[1]), i + k.shape[2] - q.shape[2]
        keys = [j for j in range(k.shape[2]) if (left is None or j >= p - left)
                and (right is None or j <= p + right)]
        weights = np.exp([q[b, h, i] @ k[b, kv, j] / q.shape[3] ** 0.5 for j in keys])
        out[b, h, i] = weights @ v[b, kv, keys] / weights.sum()
    return out


@pytest.mark.parametrize("left, right", [(None, None), (None, 0), (2, 0), (1, 3)])
def test_reference(monkeypatch, left, right):
    monkeypatch.setattr(_reference, "_ROWS", 3)
    random = np.random.default_rng(1)
    q, k, v, d_out = (random.standard_normal((1, heads, n, 2))
                      for heads, n in ((4, 5), (2, 7), (2, 7), (4, 5)))
    assert np.allclose(_reference.attention(q, k, v, left, right),
                       attend(q, k, v, left, right), atol=1e-12)
    found = _reference.attention_gradients(q, k, v, d_out, left, right)
    for array, gradient in zip((q, k, v), found):
        at, step = (0, 1, 3, 1), 1e-6
        values = []
        for sign in (1, -1):
            array[at] += sign * step
            values.append((attend(q, k, v, left, right) * d_out).sum())
            array[at] -= sign * step
        assert np.isclose(gradient[at], (values[0] - values[1]) / (2 * step), atol=1e-6)


def test_work():
    # 1 + ... + 16 keys, and 17 for each of the other 48.
    window = SMALL["window"]
    assert window.flops() == 4 * 2 * 8 * (136 + 48 * 17)
    assert SMALL["window-gradients"].flops() == 3.5 * window.flops()
    assert SMALL["decode"].flops() == 4 * 8 * 8 * 70
    assert SMALL["decode"].mask() is None and SMALL["causal"].is_causal_square
    assert list(_workloads.WORKLOADS) == list(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_every_implementation(name):
    """What is installed does what it says, and is right."""
    names = [each for each, one in _implementations.IMPLEMENTATIONS.items()
             if not one.missing()]
    results = _measure.measure(SMALL[name], names, 1, 300, lambda text: None)
    has_torch = importlib.util.find_spec("torch") is not None
    for one in results:
        assert one.failure is None, one
        assert one.left_out or (one.times and one.error < 1e-5), one
        if one.implementation in ("lattn", "numpy") and (
                has_torch or name != "window-gradients"):
            assert one.left_out is None, one


def test_json_and_picture(run, tmp_path):
    picture = tmp_path / "a.svg"
    status, text, errors = run("full", "window", "--with=numpy", "--format=json",
                               "--seconds=20", "--threads=1", "-o", str(picture))
    assert status == 0 and errors == "", errors
    report = json.loads(text)
    assert report["threads"] == 1 and report["cpu"]
    assert set(report["versions"]) == {"lattn", "numpy"}
    assert [one["name"] for one in report["workloads"]] == ["full", "window"]
    for workload in report["workloads"]:
        assert workload["useful_flop"] == SMALL[workload["name"]].flops()
        names = [one["implementation"] for one in workload["results"]]
        assert names == ["lattn", "numpy"]
        for one in workload["results"]:
            assert 0 < one["least_seconds"] <= one["median_seconds"] < 1
            assert one["turns"] >= 1 and one["first_call_seconds"] > 0
            assert one["relative_error"] < 1e-5
            assert one["left_out"] is None and one["failure"] is None
    xml.dom.minidom.parse(str(picture))
    for word in ("small window", 'class="own"', 'class="other"', ">numpy<"):
        assert word in picture.read_text(encoding="utf-8")


def test_table(run):
    status, text, errors = run("full", "--with=numpy", "--seconds=20")
    assert status == 0 and errors == "", errors
    lines = text.splitlines()
    assert "thread" in lines[0] and "numpy" in lines[0]
    assert lines[2].split("  ")[0] == "workload" and "least ms" in lines[2]
    assert lines[4].startswith("full") and " lattn " in lines[4]
    assert lines[5].split()[0] == "numpy"
    assert "full: small full" in lines


def test_wrong_results(run, monkeypatch):
    """They are not timed."""
    def prepare(workload, arrays, threads):
        call, read = LATTN.prepare(workload, arrays, threads)
        return call, lambda out: [x + np.float32(1e-3) for x in read(out)]
    replace(monkeypatch, "lattn", prepare)
    status, text, errors = run("full", "--with=numpy", "--seconds=20")
    assert status == 1
    assert "error: full: lattn: wrong, and so not timed: its error is 0.001" in errors
    assert "full: lattn: wrong" in text and "\nfull      numpy" in text
    replace(monkeypatch, "lattn", lambda workload, arrays, threads: (
        lambda: None, lambda out: [np.full((1, 2, 40, 8), np.nan, np.float32)]))
    status, text, errors = run("full", "--seconds=20", "--with=numpy", "--format=json")
    assert status == 1 and "its error is nan" in errors
    [own, other] = json.loads(text)["workloads"][0]["results"]
    assert own["relative_error"] is None and own["least_seconds"] is None


def test_failures_of_others(run, monkeypatch):
    def prepare(workload, arrays, threads):
        raise RuntimeError("no compiler\nand more")
    replace(monkeypatch, "torch-sdpa", prepare)
    status, text, _ = run("full", "--with=torch-sdpa", "--seconds=20")
    assert status == 0
    assert "full: torch-sdpa: RuntimeError: no compiler\n" in text


def test_interrupt(run, monkeypatch, tmp_path):
    """Nothing is written, and what was there stays."""
    def prepare(workload, arrays, threads):
        raise KeyboardInterrupt
    replace(monkeypatch, "jax", prepare)
    old, new = tmp_path / "old.svg", tmp_path / "new.svg"
    old.write_text("before")
    for path in (old, new):
        status, text, errors = run("full", "--with=jax", "-o", str(path))
        assert status == 130 and text == "" and "interrupted" in errors
    assert old.read_text() == "before" and not new.exists()


def test_late(run, monkeypatch):
    """What takes too long is interrupted, and the others have their turns."""
    replace(monkeypatch, "jax", lambda workload, arrays, threads: time.sleep(100))
    start = time.perf_counter()
    status, text, _ = run("full", "--with=jax", "--seconds=4")
    assert status == 0 and time.perf_counter() - start < 40
    assert "full: jax: its first call took more than the" in text
    assert "\nfull      lattn" in text
    # It is not tried again with less time.
    results = _measure.measure(SMALL["full"], ["lattn", "jax"], 1, 2,
                               lambda text: None, {"jax": 3.0})
    assert results[0].times
    assert results[1].left_out == "not enough time was left: see --seconds"
    # lattn always is.
    [own] = _measure.measure(SMALL["full"], ["lattn"], 1, -1, lambda text: None)
    assert own.times and own.left_out is None


class Clock:
    """In place of time: only sleeping takes some."""

    now = 0.0

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def test_turns(monkeypatch):
    clock, calls = Clock(), {"quick": 0, "slow": 0}
    monkeypatch.setattr(_measure, "time", clock)

    def call(name, seconds):
        calls[name] += 1
        clock.sleep(seconds)
    times = take_turns({"quick": lambda: call("quick", 1.5e-4),
                        "slow": lambda: call("slow", 0.3)}, 0.5)
    # The slow one takes more than half of the time.
    assert len(times["slow"]) == calls["slow"] == 1
    assert np.isclose(times["slow"][0], 0.3) and np.allclose(times["quick"], 1.5e-4)
    # A turn of short calls lasts 2 ms: 14 of them, and one that is no turn.
    assert calls["quick"] == 14 * len(times["quick"]) + 1
    assert clock.now < 0.51
    assert len(take_turns({"quick": lambda: call("quick", 0.01)}, 9, most_turns=5)[
        "quick"]) == 5
    assert len(take_turns({"short": lambda: call("quick", 1e-4)}, 9, most_turns=5)[
        "short"]) == 5
    assert take_turns({}, 1.0) == {}


ERRORS = [
    (["windows"], "no workload is called 'windows'; there are: full, causal, decode"),
    (["--with=torch"], "no implementation is called 'torch'; there are: lattn, "),
    (["--format=yaml"], "--format: expected text or json, got 'yaml'"),
    (["--threads=0"], "--threads: expected 1 to "),
    (["--seconds=0"], "--seconds: expected more than 0, got 0"),
    (["-o", "a.png"], "--output: expected FILE.svg, got 'a.png'"),
    (["-o", "none/a.svg"], "--output: cannot write 'none/a.svg': No such file"),
]


@pytest.mark.parametrize("arguments, error", ERRORS)
def test_errors(run, arguments, error):
    status, text, errors = run(*arguments)
    assert status == 2 and text == "" and error in errors, errors


def test_missing_packages(run, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: (
        None if name in ("onnx", "local_attention") else find(name, *rest)))
    status, _, errors = run("--with=onnxruntime")
    assert status == 2 and "onnxruntime is not installed: pip install onnx" in errors
    status, text, _ = run("--help")
    assert status == 0
    assert "local-attention   not installed: pip install" in text
    assert "numpy             installed" in text


def test_process():
    """As a process of its own, without a terminal: no line of progress."""
    environment = {**os.environ, "LATTN_CACHE_DIR": "off"}
    done = subprocess.run(
        [sys.executable, "-B", "-m", "lattn.bench", "full", "--with=numpy",
         "--seconds=10", "--format=json"], env=environment, text=True,
        capture_output=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert len(json.loads(done.stdout)["workloads"]) == 1
