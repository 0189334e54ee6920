# REQUIRES: slow
# RUN: %pytest %s

# Ctrl-C while a kernel runs.

import os
import subprocess
import sys
import textwrap

import pytest


def run(body, threads=2):
    """In a process of its own."""
    code = textwrap.dedent("""
        import os, signal, sys, threading, time
        import numpy as np
        import lattn
        # Shells start jobs in the background with Ctrl-C ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def interrupt(after=0.5):
            def send():
                time.sleep(after)
                global sent
                sent = time.monotonic()
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=send, daemon=True).start()
        def expect(call):
            global sent
            sent = None
            call(slow=False)  # compiles
            interrupt()
            try:
                call(slow=True)
            except KeyboardInterrupt:
                assert sent and time.monotonic() - sent < 60
                print("interrupted")
            else:
                raise SystemExit("the call went on to its end")
    """) + textwrap.dedent(body)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True,
                          text=True, timeout=300,
                          env=os.environ | {"LATTN_NUM_THREADS": str(threads)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "interrupted" in done.stdout
    return done.stdout


# Minutes without an end in its midst.
ATTENTION = """
    def attend(slow):
        n = 200_000 if slow else 64
        x = np.zeros((1, 4, n, 64), "f4")
        lattn.attention(x, x, x)
    expect(attend)
    # What comes next is right.
    x = np.ones((1, 2, 300, 64), "f4")
    assert (lattn.attention(x, x, x) == 1).all()
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_attention(threads):
    run(ATTENTION, threads)


def test_local_attention():
    run("""
        def attend(slow):
            n, w = (160_000, 40_000) if slow else (64, 64)
            x = np.zeros((1, 8, n, 64), "f4")
            lattn.local_attention(x, x, x, window_size=w)
        expect(attend)
    """)


def test_handlers():
    # One that does not raise lets the call go on, one that calls lattn can.
    run("""
        x = np.ones((1, 1, 64, 64), "f4")
        seen = []
        def handler(*_):
            seen.append((lattn.attention(x, x, x) == 1).all())
            if len(seen) == 2:
                raise KeyboardInterrupt
        signal.signal(signal.SIGINT, handler)
        interrupt(1.5)
        def attend(slow):
            n = 200_000 if slow else 64
            y = np.zeros((1, 4, n, 64), "f4")
            lattn.attention(y, y, y)
        expect(attend)
        assert seen == [True, True]
    """)


def test_other_threads():
    # Handlers are the main thread's: kernels of others go on.
    run("""
        x = np.ones((1, 4, 4096, 64), "f4")
        results = []
        thread = threading.Thread(
            target=lambda: results.append(lattn.attention(x, x, x)))
        thread.start()
        interrupt(0.1)
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            print("interrupted")
        while thread.is_alive():
            time.sleep(0.1)
        assert (results[0] == 1).all()
    """)
