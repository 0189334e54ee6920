# REQUIRES: benchmarks, slow
# RUN: %python %s %lattn_src/benchmarks/run.py %t.json

# Who interrupts a run finds no half of a file, and no process that goes on.

import pathlib
import signal
import subprocess
import sys

import psutil

run, path = sys.argv[1], pathlib.Path(sys.argv[2])
path.unlink(missing_ok=True)
process = subprocess.Popen(
    [sys.executable, run, "quick", "--peers", "lattn", "--rounds", "1", "--json",
     path], stderr=subprocess.PIPE, text=True,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
for line in process.stderr:
    if "measured" in line:
        break
children = psutil.Process(process.pid).children(recursive=True)
process.send_signal(signal.SIGINT)
rest = process.stderr.read()
assert process.wait() == 130, (process.returncode, rest)
assert "interrupted: nothing is written" in rest, rest
assert not list(path.parent.glob(f"*{path.name}*"))
assert not psutil.wait_procs(children, timeout=30)[1]
