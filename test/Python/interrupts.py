# REQUIRES: slow
# RUN: %pytest %s

# Ctrl-C while a kernel is compiled, or runs.

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import lattn
from lattn import _kernels


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
        def again():  # apart from the first: signals at once are one
            while not seen:
                time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=again, daemon=True).start()
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


def interrupt_child(body):
    """What a process prints that gets Ctrl-C, half a second after it says that
    it is ready; with the handler that Python installs itself."""
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(body)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert child.stdout.readline() == "ready\n", child.stderr.read()
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=300)
    assert child.returncode == -signal.SIGINT, errors
    assert errors.rstrip().endswith("KeyboardInterrupt")
    return out


def test_compilation():
    assert interrupt_child("""
        import lattn
        t = "tensor<1x1x?x64xf32>"
        attentions = "\\n".join(
            f"%{i} = lattn.attention query(%q : {t}) key(%q : {t}) value(%q : {t}) "
            f"outs(%o : {t}) {{window = #lattn.window<left = {i}>}}"
            for i in range(16))
        results = ", ".join(f"%{i}" for i in range(16))
        types = ", ".join([t] * 16)
        text = (f"func.func @f(%q: {t}, %o: {t}) -> ({types}) {{\\n{attentions}\\n"
                f"return {results} : {types} }}")
        print("ready", flush=True)
        try:
            lattn.compile(text, cache="off")
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            raise
        print("compiled", flush=True)
    """) == "interrupted\n"


def test_call_of_a_compiled_function():
    # It goes on to its end, and Ctrl-C comes then.
    assert interrupt_child("""
        import numpy as np
        import lattn
        t = "tensor<1x1x?x64xf32>"
        attend = lattn.compile(
            f"func.func @f(%q: {t}, %o: {t}) -> {t} {{\\n"
            f"%0 = lattn.attention query(%q : {t}) key(%q : {t}) value(%q : {t}) "
            f"outs(%o : {t})\\nreturn %0 : {t} }}")
        x = np.ones((1, 1, 64_000, 64), "f4")
        y = np.zeros_like(x)
        print("ready", flush=True)
        try:
            attend(x, y)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            raise
        print("done", flush=True)
    """) == "interrupted\n"


def interrupted(*_):
    raise KeyboardInterrupt


Interrupted = type("Interrupted", (), {"__index__": interrupted,
                                       "__float__": interrupted,
                                       "__bool__": interrupted})


@pytest.mark.parametrize("option", ["seed", "scale", "causal", "softcap"])
def test_conversions(option):
    # A handler may run in an argument's own methods.
    x = np.ones((1, 1, 4, 8), "f4")
    more = {"dropout_p": 0.5} if option == "seed" else {}
    with pytest.raises(KeyboardInterrupt):
        lattn.attention(x, x, x, **{option: Interrupted()}, **more)


def test_scalar_of_a_compiled_function():
    identity = lattn.compile("func.func @f(%x: f32) -> f32 { return %x : f32 }")
    with pytest.raises(KeyboardInterrupt):
        identity(Interrupted())


def test_who_waits_for_a_compilation(monkeypatch):
    # Another thread compiles what this one was about to when Ctrl-C came.
    waits, made = threading.Event(), []
    def make():
        made.append(threading.current_thread())
        if len(made) == 1:
            thread.start()
            waits.wait()
            raise KeyboardInterrupt
        return "func.func @f(%x: f32) -> f32 { return %x : f32 }"
    def is_interrupted(future, check=_kernels._is_interrupted):
        waits.set()
        return check(future)
    monkeypatch.setattr(_kernels, "_is_interrupted", is_interrupted)
    kernels = []
    thread = threading.Thread(target=lambda: kernels.append(_kernels.get(make)))
    with pytest.raises(KeyboardInterrupt):
        _kernels.get(make)
    thread.join()
    assert kernels[0](2.0) == 2 and made[1] is thread


def test_handlers_while_compiling():
    # One may call what is just compiled, by the same thread.
    def make(made=[]):
        made.append(None)
        if len(made) == 1:
            kernels.append(_kernels.get(make))
        return "func.func @f(%x: f32) -> f32 { return %x : f32 }"
    kernels = []
    kernels.append(_kernels.get(make))
    assert [kernel(2.0) for kernel in kernels] == [2, 2]
    assert _kernels.get(make) in kernels
