# REQUIRES: slow
# RUN: %pytest %s

# Many threads at once, numbers of threads, processes that fork.

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import lattn


def make(seed, n=40):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((1, 4, n, 16)).astype("f4") for _ in range(3)]


def test_one_kernel_from_many_threads():
    barrier = threading.Barrier(8)

    def call(seed):
        barrier.wait()
        return lattn.attention(*make(seed), window=(5, 3))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(call, range(8)))
    for seed, result in enumerate(results):
        expected = lattn.attention(*make(seed), window=(5, 3))
        assert np.array_equal(result, expected)


def test_many_kernels_from_many_threads():
    def call(i):
        try:
            lattn.attention(*make(0), window=(-1, 0))
        except ValueError:
            pass
        return lattn.attention(*make(i), window=(i, 0))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(call, range(4)))
    for i, result in enumerate(results):
        assert np.array_equal(
            result, lattn.attention(*make(i), window=(i, 0)))


def test_number_of_threads_changes_nothing():
    before = lattn.get_num_threads()
    arrays = make(3, 700)
    results = []
    for n in (1, 2, 5):
        lattn.set_num_threads(n)
        assert lattn.get_num_threads() == n
        results += [lattn.attention(*arrays) for _ in range(3)]
    lattn.set_num_threads(before)
    for result in results:
        assert np.array_equal(result, results[0])


@pytest.mark.parametrize("n, error, message", [
    (0, ValueError, "n: expected an integer from 1 to 4096, got 0"),
    (2.0, TypeError, "n: expected an integer, got float")])
def test_bad_numbers_of_threads(n, error, message):
    with pytest.raises(error, match=message):
        lattn.set_num_threads(n)


def numbers(code, **environment):
    """What a new process with these variables prints."""
    kept = {name: value for name, value in os.environ.items()
            if name not in ("LATTN_NUM_THREADS", "OMP_NUM_THREADS")}
    run = subprocess.run([sys.executable, "-c", f"import lattn\n{code}"],
                         capture_output=True, env=kept | environment)
    assert run.returncode == 0, run.stderr
    return [int(text) for text in run.stdout.split()]


PRINT = "print(lattn.get_num_threads())\n"


@pytest.mark.parametrize("environment, expected", [
    ({"LATTN_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
    ({"OMP_NUM_THREADS": "5"}, 5), ({"OMP_NUM_THREADS": " 4,2"}, 4),
    ({"OMP_NUM_THREADS": "9999999"}, 4096),
    ({"OMP_NUM_THREADS": "0"}, None), ({"OMP_NUM_THREADS": "4x"}, None),
    ({}, None)])
def test_environment(environment, expected):
    if expected is None:
        expected = numbers(PRINT)[0]
        assert 1 <= expected <= len(os.sched_getaffinity(0))
    assert numbers(PRINT, **environment) == [expected]


def test_affinity():
    code = f"import os; os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})\n"
    assert numbers(code + PRINT) == [1]


def test_torch():
    pytest.importorskip("torch")
    # Before torch is there, after, as it changes, and on another thread.
    code = PRINT + ("import threading, torch\n"
                    "assert lattn.get_num_threads() == torch.get_num_threads()\n"
                    "torch.set_num_threads(3)\n" + PRINT
                    + "t = threading.Thread(target=lambda: "
                    "print(lattn.get_num_threads()))\nt.start(); t.join()\n"
                    "torch.set_num_threads(7)\n" + PRINT)
    code += ("lattn.set_num_threads(2)\n" + PRINT
             + "lattn.set_num_threads(None)\n" + PRINT)
    assert numbers(code, OMP_NUM_THREADS="5") == [5, 3, 3, 7, 2, 7]
    code = code.replace("assert ", "")
    assert numbers(code, LATTN_NUM_THREADS="6") == [6] * 4 + [2, 6]


def test_regions_have_that_many_threads():
    pytest.importorskip("torch")
    code = ("import numpy as np, os, torch\n"
            "x = np.ones((1, 8, 900, 64), 'f4')\n"
            "torch.set_num_threads(1)\nlattn.attention(x, x, x)\n"
            "before = len(os.listdir('/proc/self/task'))\n"
            "for _ in range(3): lattn.attention(x, x, x)\n"
            "print(len(os.listdir('/proc/self/task')) - before)\n"
            "torch.set_num_threads(3)\nlattn.attention(x, x, x)\n"
            "print(len(os.listdir('/proc/self/task')) - before)\n")
    assert numbers(code) == [0, 2]


def in_child(action):
    """Whether `action` ends well in a forked process, within a minute."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            action()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_fork():
    arrays = make(4, 700)
    expected = lattn.attention(*arrays)

    def action():
        assert np.array_equal(lattn.attention(*arrays), expected)
        lattn.attention(*arrays, window=(77, 0))  # a new kernel

    assert in_child(action)
    assert np.array_equal(lattn.attention(*arrays), expected)


def test_fork_while_compiling():
    arrays = make(5)
    other = threading.Thread(
        target=lambda: lattn.attention(*arrays, window=(78, 0)))
    other.start()
    assert in_child(lambda: lattn.attention(*arrays, window=(78, 0)))
    other.join()


def test_interrupt():
    code = ("import os, signal, numpy as np, lattn\n"
            "x = np.ones((1, 4, 1500, 64), 'f4')\n"
            "lattn.attention(x, x, x)\n"
            "try:\n"
            "  signal.setitimer(signal.ITIMER_REAL, 0.05)\n"
            "  signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
            "  while True: lattn.attention(x, x, x)\n"
            "except KeyboardInterrupt:\n"
            "  print((lattn.attention(x, x, x) == 1).all())\n")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True,
                         timeout=300)
    assert run.stdout.split() == [b"True"], run.stderr
