"""ptxas of several versions of CUDA: machine code of CUDA 13 does not load in
drivers of CUDA 12, so a bundle holds both."""

import glob
import os
import pathlib
import re
import shutil
import subprocess

import errors

ROOT = pathlib.Path(__file__).resolve().parents[3]


def list_places():
    """Where ptxas may be, the first of a version wins."""
    given = os.environ.get("LATTN_PTXAS")
    found = [given] if given else []
    found += [shutil.which("ptxas")]
    for home in (os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
        found += [f"{home}/bin/ptxas"] if home else []
    found += sorted(glob.glob("/usr/local/cuda-*/bin/ptxas"), reverse=True)
    # PyPI's packages: CUDA 13's among the others, CUDA 12's in its own folder.
    found += sorted(glob.glob(f"{ROOT}/.venv/lib/python*/site-packages/nvidia/"
                              "cu[0-9]*/bin/ptxas"), reverse=True)
    found += [f"{ROOT}/.venv/cuda12/nvidia/cuda_nvcc/bin/ptxas"]
    return [path for path in found if path and os.access(path, os.X_OK)]


def read_version(path):
    """(13, 0) of ptxas of CUDA 13.0."""
    try:
        text = subprocess.run([path, "--version"], capture_output=True, text=True,
                              timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(f"cannot run '{path}': {error}") from None
    match = re.search(r"release (\d+)\.(\d+)", text)
    if not match:
        raise RuntimeError(f"'{path}' says no version that this program knows")
    return int(match[1]), int(match[2])


def find(majors, given=()):
    """{(major, minor): path} with one ptxas of each major version."""
    found = {}
    for path in given or list_places():
        version = read_version(path)
        if version[0] not in {major for major, _ in found}:
            found[version] = path
    missing = sorted(set(majors) - {major for major, _ in found})
    if missing:
        raise ValueError(
            "no ptxas of CUDA " + " and none of CUDA ".join(map(str, missing)) +
            ": `scripts/setup tests` installs it, --ptxas=FILE names one, and "
            "--cuda=N builds for one version of CUDA alone (found: " +
            (", ".join(f"{path} of CUDA {major}.{minor}"
                       for (major, minor), path in found.items()) or "none") + ")")
    return {v: path for v, path in found.items() if v[0] in majors}


def parse_report(text):
    """[{"name", "registers", "spillBytes"}] of what ptxas -v prints."""
    kernels = []
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '([^']+)'", line):
            kernels.append({"name": match[1], "registers": 0, "spillBytes": 0})
        elif kernels and (match := re.search(
                r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)):
            kernels[-1]["spillBytes"] = int(match[1]) + int(match[2])
        elif kernels and (match := re.search(r"Used (\d+) registers", line)):
            kernels[-1]["registers"] = int(match[1])
    return kernels


def assemble(ptxas, ptx, chip, output):
    """(machine code, report)"""
    done = subprocess.run([ptxas, "-v", "-O3", f"-arch={chip}", ptx, "-o", output],
                          capture_output=True, text=True)
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise errors.Failed(f"ptxas: {lines[0] if lines else done.returncode}")
    return output.read_bytes(), parse_report(done.stdout + done.stderr)
