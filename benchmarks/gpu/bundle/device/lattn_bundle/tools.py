"""NVIDIA's tools around a worker, where they are installed."""

import csv
import io
import json
import os
import shutil
import subprocess

from . import pool

NCU_SECTIONS = ("SpeedOfLight", "ComputeWorkloadAnalysis",
                "MemoryWorkloadAnalysis", "SchedulerStats", "WarpStateStats",
                "LaunchStats", "Occupancy")
FOUND = 86                # the exit code of compute-sanitizer that says so


def find(name):
    folders = [os.environ.get("PATH", "")]
    folders += [os.path.join(root, "bin") for root in (
        os.environ.get("CUDA_HOME", "/usr/local/cuda"), "/usr/local/cuda")]
    return shutil.which(name, path=os.pathsep.join(folders))


def query_smi(seconds=10):
    """What nvidia-smi says of clocks, power and memory; {} without it."""
    names = ("name", "driver_version", "memory.total", "clocks.sm", "clocks.mem",
             "clocks.max.sm", "power.limit", "temperature.gpu", "mig.mode.current")
    try:
        done = subprocess.run(
            ["nvidia-smi", "--query-gpu=" + ",".join(names),
             "--format=csv,noheader"], capture_output=True, text=True,
            timeout=seconds)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    values = done.stdout.strip().split(", ")
    return dict(zip(names, values)) if done.returncode == 0 else {}


def run_command(command, seconds):
    """(exit code or None after that time, output)"""
    process = subprocess.Popen(command, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True,
                               stdin=subprocess.DEVNULL, errors="replace",
                               env=pool.environment(), start_new_session=True)
    try:
        output, _ = process.communicate(timeout=seconds)
    except BaseException as error:
        pool.kill(process)
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        return None, f"not done after {seconds:.0f} s"
    return process.returncode, output


def parse_metrics(text):
    """{metric: value with its unit} of `ncu --csv --page raw`, for one launch."""
    rows = [row for row in csv.reader(io.StringIO(text)) if len(row) > 20]
    if len(rows) < 3:
        return {}
    names, units, values = rows[:3]
    return {name: f"{value} {unit}".strip() for name, unit, value
            in zip(names, units, values) if "." in name and value}


def run_ncu(job, device, arrays, seconds):
    program = find("ncu")
    if not program:
        return {"status": "missing", "reason": "ncu is not installed"}
    command = [program, "--clock-control", "none", "--csv", "--page", "raw",
               "--kernel-name", "regex:attention", "--launch-count", "1"]
    for section in NCU_SECTIONS:
        command += ["--section", section]
    work = json.dumps({"kind": "launch", "kernel": job["kernel"],
                       "workload": job["workload"]})
    code, output = run_command(
        command + pool.COMMAND + [f"--device={device}", f"--arrays={arrays}",
                                  "--once", work], seconds)
    metrics = parse_metrics(output)
    if code == 0 and metrics:
        return {"status": "ok", "metrics": metrics}
    return {"status": "unfinished" if code is None else "failed",
            "reason": output[-2000:]}


def run_sanitizer(job, device, seconds):
    """On the smallest check, without torch."""
    program = find("compute-sanitizer")
    if not program:
        return {"status": "missing", "reason": "compute-sanitizer is not installed"}
    work = json.dumps({"kind": "check_smallest", "kernel": job["kernel"]})
    code, output = run_command(
        [program, "--tool", job["tool"], "--error-exitcode", str(FOUND)] +
        pool.COMMAND + [f"--device={device}", "--arrays=numpy", "--once", work],
        seconds)
    if code == 0:
        return {"status": "ok"}
    return {"status": {None: "unfinished", FOUND: "wrong"}.get(code, "failed"),
            "reason": output[-2000:]}
