"""compute-sanitizer, where it is installed: on the smallest check, without torch."""

import os
import shutil
import subprocess
import sys

from . import manifest
from .progress import Progress

TOOLS = ("memcheck", "racecheck")
FOUND = 86                # the exit code that says so


def find():
    return shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path=os.pathsep.join(
            os.path.join(root, "bin") for root in
            (os.environ.get("CUDA_HOME", "/usr/local/cuda"), "/usr/local/cuda")))


def run_all(kernels, seconds=600):
    """[{"tool", "kernels", "clean", "output"}], or None without the program."""
    program = find()
    if not program:
        return None
    progress, results = Progress("compute-sanitizer", len(TOOLS)), []
    for tool in TOOLS:
        command = [program, "--tool", tool, "--error-exitcode", str(FOUND),
                   sys.executable, str(manifest.FOLDER / "run.py"),
                   "--steps=check", "--arrays=numpy", "--smallest",
                   "--no-results"]
        for entry in kernels:
            command += ["--kernel", entry["id"]]
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=seconds)
            clean, output = done.returncode == 0, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            clean, output = False, f"not done after {seconds} s"
        results.append({"tool": tool, "kernels": [k["id"] for k in kernels],
                        "clean": clean, "output": output[-4000:]})
        progress.step(tool)
    return results
