"""Runs jobs in a worker process under a watchdog; a worker whose kernel failed,
hung or was wrong is replaced, so that it cannot spoil another's result."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

from . import manifest
from .errors import BundleError

START_SECONDS = 120       # torch and the driver load
COMMAND = [sys.executable, "-m", "lattn_bundle.worker"]


def environment():
    path = [str(manifest.FOLDER), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(p for p in path if p)}


def kill(process):
    """With all that it started; a process that the driver holds is left."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        pass


class Worker:
    """One process."""

    def __init__(self, arguments):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            COMMAND + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.log, env=environment(), start_new_session=True)
        self.buffer = b""

    def read(self, seconds):
        """The next answer; None after that time, EOFError where it died."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [],
                                              left)[0]:
                return None
            some = os.read(self.process.stdout.fileno(), 65536)
            if not some:
                raise EOFError
            self.buffer += some
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def send(self, job):
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise EOFError from None

    def describe_end(self):
        kill(self.process)
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").strip().splitlines()
        return (f"exit code {self.process.returncode}" +
                (f": {lines[-1][:300]}" if lines else ""))


class Pool:
    """Keeps one worker."""

    def __init__(self, device, arrays):
        self.arguments = [f"--device={device}", f"--arrays={arrays}"]
        self.worker = None
        self.gpu = None

    def start(self, seconds=START_SECONDS):
        """A worker that answered; sets `gpu`."""
        if self.worker:
            return
        self.worker = Worker(self.arguments)
        try:
            self.gpu = self.worker.read(seconds)
        except EOFError:
            raise BundleError("a worker did not start: "
                              f"{self.worker.describe_end()}") from None
        if self.gpu is None:
            self.close()
            raise BundleError(f"a worker did not start in {seconds:.0f} s")
        if "failed" in self.gpu:
            self.close()
            raise BundleError(self.gpu["failed"])

    def close(self):
        if self.worker:
            kill(self.worker.process)
        self.worker = None

    def run(self, job, seconds):
        """The result, in at most that time and what killing takes."""
        worker = self.worker
        try:
            worker.send(job)
            result = worker.read(seconds)
        except EOFError:
            result = {"status": "died", "reason": worker.describe_end()}
        if result is None:
            result = {"status": "hung", "reason": f"not done after {seconds:.1f} s"}
        if result["status"] not in ("ok", "missing"):
            self.close()
        return result
