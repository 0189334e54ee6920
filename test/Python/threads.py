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


def test_environment():
    code = "import lattn; print(lattn.get_num_threads())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True,
                         env={**os.environ, "LATTN_NUM_THREADS": "3"})
    assert run.stdout.split() == [b"3"]


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
