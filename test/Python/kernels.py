# REQUIRES: slow
# RUN: %pytest %s

# The one cache of compiled kernels: which stay, who compiles.

import concurrent.futures
import threading

import numpy as np
import pytest

import lattn
from lattn import _kernels

X = np.random.default_rng(0).standard_normal((1, 1, 20, 4)).astype("f4")


@pytest.fixture
def made(monkeypatch):
    """Texts that were compiled."""
    texts = []

    def compile(text, *options):
        texts.append(text.decode())
        return _lattn_callable(text, *options)
    _lattn_callable = _kernels.Callable
    monkeypatch.setattr(_kernels, "Callable", compile)
    monkeypatch.setattr(_kernels, "_kernels", {})
    _kernels._lattn.forget_kernels()
    yield texts
    _kernels._lattn.forget_kernels()


def attend(left):
    return lattn.attention(X, X, X, window=(left, 0))


def test_doors_share_it(made):
    attend(1)
    assert _kernels.count() == len(made) == 1
    attend(1)
    lattn.local_attention(X, X, X, window_size=5)
    assert _kernels.count() == len(made) == 2
    assert [text.split("(")[0] for text in made] == [
        "func.func @attention", "func.func @local_attention"]


def test_the_one_called_longest_ago_goes(made, monkeypatch):
    monkeypatch.setattr(_kernels, "_MOST", 3)
    expected = [attend(left) for left in range(3)]
    attend(0)
    local = lattn.local_attention(X, X, X, window_size=5)  # in place of 1
    assert _kernels.count() == 3 and len(made) == 4
    for left in (0, 2):
        assert np.array_equal(attend(left), expected[left])
    assert np.array_equal(
        lattn.local_attention(X, X, X, window_size=5), local)
    assert len(made) == 4
    assert np.array_equal(attend(1), expected[1])  # in place of 0
    assert _kernels.count() == 3 and len(made) == 5
    assert np.array_equal(attend(2), expected[2]) and len(made) == 5
    assert np.array_equal(attend(0), expected[0]) and len(made) == 6


def test_calls_while_kernels_go(made, monkeypatch):
    monkeypatch.setattr(_kernels, "_MOST", 1)
    expected = [attend(left) for left in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(attend, 8 * [0, 1, 2, 3]))
    for left, result in enumerate(found):
        assert np.array_equal(result, expected[left % 4])


def test_threads_compile_once(made):
    barrier = threading.Barrier(6)

    def call(_):
        barrier.wait()
        return attend(7)
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        results = list(pool.map(call, range(6)))
    assert len(made) == 1
    assert all(np.array_equal(results[0], other) for other in results)


def test_errors_are_not_kept(made):
    for _ in range(2):
        with pytest.raises(RuntimeError, match="<text>:1:"):
            _kernels.get(str, "no module")
    assert _kernels.count() == 0 and len(made) == 2
