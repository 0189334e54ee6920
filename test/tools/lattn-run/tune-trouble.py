# RUN: rm -rf %t && mkdir %t
# RUN: %python %s lattn-run %S/tune-file.mlir %lattn_src/examples/windowed_attention.mlir %t
# REQUIRES: slow

# Searches at once lose nothing of each other; one that is interrupted leaves
# nothing behind.

import json
import pathlib
import signal
import subprocess
import sys
import time

tool, small, large, folder = sys.argv[1:]
folder = pathlib.Path(folder)

together = folder / "together"
runs = [subprocess.Popen([tool, small, f"--entry={entry}", "--random=1", "--tune",
                          f"--cache={together}"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)
        for entry in ("window", "larger", "buffers") * 2]
for run in runs:
    text = run.communicate()[0]
    assert run.returncode == 0 and "warning" not in text, text
[file] = together.glob("tuned-*")
kernels = [kernel["kernel"] for kernel in json.loads(file.read_text())["kernels"]]
assert len(kernels) == len(set(kernels)) == 3, kernels


def interrupt(number):
    cache = folder / f"cache-{number}"
    run = subprocess.Popen(
        [tool, large, "--random=1", "--tune", f"--cache={cache}"]
        + [f"--shape={name}:1x8x8192x64" for name in ("query", "key", "value")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell may have made its background jobs deaf.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    # What is compiled first is stored; then the search begins.
    while not (cache.exists() and list(cache.iterdir())):
        assert run.poll() is None, run.communicate()
        time.sleep(0.001)
    time.sleep(0.5)
    run.send_signal(number)
    try:
        errors = run.communicate(timeout=60)[1]
    finally:
        run.kill()
    assert run.returncode == -number, run.returncode
    assert errors == "", errors
    [entry] = cache.iterdir()
    assert entry.name.endswith(".lattn"), entry


interrupt(signal.SIGINT)
interrupt(signal.SIGTERM)
