#!/usr/bin/env python3
"""Checks and times lattn's attention kernels on this machine's GPU, the most
valuable first, for as many seconds as --budget says.

Each result is a line of results.jsonl at once. Called again with the same --out it
goes on where it ended, and skips what is there. Needs the driver, and torch for
the sizes that are timed and for what they are compared with. Exit code 1 where a
kernel is wrong, hangs or fails.
"""

import argparse
import pathlib
import signal
import sys
import time

from lattn_bundle import manifest, report, tools
from lattn_bundle.errors import BundleError
from lattn_bundle.plan import Plan, make_key
from lattn_bundle.pool import START_SECONDS, Pool
from lattn_bundle.results import Results, read

STEPS = ("machine", "model", "peers", "variants", "tuning", "ncu", "others",
         "sanitizer")
RESERVE = 1.0             # seconds, for the last report
BAD = ("wrong", "hung", "died", "error")


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path,
                        default=pathlib.Path("."), help="for results (.)")
    parser.add_argument("--budget", metavar="SECONDS", type=float, default=540,
                        help="for all of this run (540)")
    parser.add_argument("--watchdog", metavar="SECONDS", type=float, default=20,
                        help="for one kernel's check or time (20)")
    parser.add_argument("--steps", metavar="A,B", default=",".join(STEPS),
                        help=f"any of: {', '.join(STEPS)} (all)")
    parser.add_argument("--only", metavar="WORKLOAD", action="append", default=[],
                        help="this one; may be repeated")
    parser.add_argument("--kernel", metavar="ID", action="append", default=[],
                        help="this kernel alone; may be repeated")
    parser.add_argument("--arrays", choices=("torch", "numpy"), default="torch",
                        help="what makes arrays and references (torch)")
    parser.add_argument("--device", metavar="N", type=int, default=0)
    parser.add_argument("--report", action="store_true",
                        help="print the table of what results.jsonl has, run "
                        "nothing")
    arguments = parser.parse_args()
    arguments.steps = arguments.steps.split(",")
    for step in arguments.steps:
        if step not in STEPS:
            parser.error(f"--steps: expected any of {', '.join(STEPS)}, got "
                         f"{step!r}")
    for name in ("budget", "watchdog"):
        if not getattr(arguments, name) > 0:
            parser.error(f"--{name}: expected a number > 0, got "
                         f"{getattr(arguments, name):g}")
    return arguments


def choose_kernels(arguments, everything, gpu):
    kernels = manifest.choose(everything, gpu["major"], gpu["minor"])
    known = {k["id"] for k in kernels}
    for name in arguments.kernel:
        if name not in known:
            raise BundleError(f"--kernel: this GPU runs no kernel {name!r}")
    known = {w["name"] for w in everything["workloads"]}
    for name in arguments.only:
        if name not in known:
            raise BundleError(f"--only: expected one of {', '.join(known)}, got "
                              f"{name!r}")
    return [k for k in kernels
            if not arguments.kernel or k["id"] in arguments.kernel]


class Run:
    def __init__(self, arguments, begin):
        self.arguments, self.deadline = arguments, begin + arguments.budget
        self.begin, self.pool = begin, Pool(arguments.device, arguments.arrays)

    def left(self):
        return self.deadline - time.monotonic() - RESERVE

    def open_results(self, everything):
        """Those of an earlier run must be of the same kernels and GPU."""
        results = Results(self.arguments.out / "results.jsonl")
        code = manifest.choose_code(everything["kernels"][0],
                                    self.pool.gpu["version"])
        line = {"key": "begin", "bundle": manifest.fingerprint(),
                "gpu": self.pool.gpu["gpu"],
                "code": "CUDA {}.{}".format(*code["cuda"]),
                "budget": self.arguments.budget, "status": "ok"}
        earlier = results.done.get("begin", line)
        for name in ("bundle", "gpu"):
            if earlier[name] != line[name]:
                raise BundleError(f"'{results.path}' is of the {name} "
                                  f"{earlier[name]!r}, this is {line[name]!r}: "
                                  "choose another --out")
        results.write(line)
        return results

    def perform(self, step, job, key):
        """The line of its result."""
        job = dict(job)
        limit = min(job.pop("limit", self.arguments.watchdog), self.left())
        begin = time.monotonic()
        if "skip" in job:
            result = {"status": "skipped", "reason": job.pop("skip")}
        elif job["kind"] == "ncu":
            result = tools.run_ncu(job, self.arguments.device,
                                   self.arguments.arrays, limit)
        elif job["kind"] == "sanitizer":
            result = tools.run_sanitizer(job, self.arguments.device, limit)
        else:
            kind = {"second": "time", "third": "time"}.get(job["kind"], job["kind"])
            result = self.pool.run(job | {"kind": kind}, limit)
        if job["kind"] == "machine" and result["status"] == "ok":
            result["facts"] |= {"nvidia-smi": tools.query_smi()} | {
                name: tools.find(name) for name in ("ncu", "compute-sanitizer")}
        return {"key": key, "step": step, **job, "seconds":
                round(time.monotonic() - begin, 3), **result}

    def cut(self, line):
        """Whether the budget, not the job's own limit, ended it: to be done in
        the next run."""
        return line["status"] in ("hung", "unfinished") and self.left() <= 0

    def prepare(self):
        """Starts a worker where there is none; why there is none."""
        why = None
        for _ in range(2):
            if self.left() > 0:
                try:
                    self.pool.start(min(self.left(), START_SECONDS))
                    return None
                except BundleError as error:
                    why = error
        return why

    def go(self, plan, results, steps):
        """Why it ended."""
        for step, job in plan.jobs(steps):
            key = make_key(step, job)
            if key in results.done:
                continue
            why = self.prepare()
            if self.left() <= 0:
                return "the budget is used up"
            if why:
                return f"it could not go on: {why}"
            line = self.perform(step, job, key)
            if self.cut(line):
                return "the budget is used up"
            results.write(line)
            self.say(line)
        return "all is done"

    def say(self, line):
        what = " ".join(str(line[name]) for name in (
            "kind", "tool", "peer", "workload", "kernel") if name in line)
        ms = f", {line['median_ms']:.4g} ms" if "median_ms" in line else ""
        print(f"{time.monotonic() - self.begin:6.1f} s  {line['step']}: {what}: "
              f"{line['status']}{ms}", file=sys.stderr, flush=True)


def run(arguments, begin):
    everything = manifest.read()
    this = Run(arguments, begin)
    try:
        this.pool.start(min(this.left(), START_SECONDS))
        kernels = choose_kernels(arguments, everything, this.pool.gpu)
        results = this.open_results(everything)
        plan = Plan(everything, kernels, results, this.left, arguments.only)
        why = this.go(plan, results, arguments.steps)
        results.write({"key": "end", "status": "ok", "reason": why,
                       "seconds": round(time.monotonic() - begin, 3)})
    finally:
        this.pool.close()
    lines = list(results.done.values())
    text = report.write(lines)
    (arguments.out / "results.md").write_text(text)
    print(text)
    bad = [line for line in lines if line["status"] in BAD and "kernel" in line]
    return 1 if bad else 0


def main(begin):
    arguments = parse()
    if arguments.report:
        lines = {line["key"]: line
                 for line in read(arguments.out / "results.jsonl")}
        print(report.write(list(lines.values())))
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return run(arguments, begin)


if __name__ == "__main__":
    started = time.monotonic()
    try:
        sys.exit(main(started))
    except (BundleError, OSError) as error:
        sys.exit(f"run.py: error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
