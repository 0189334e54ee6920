#!/usr/bin/env python
"""Times lattn and other implementations of attention on the same arrays.

Prints a table for each suite: the least and the median time of all rounds, useful
GFLOP/s (visible pairs and projections only), and their share of the peak. The peak is
the highest rate that a loop of vector FMAs reached between the rounds, in f32 for f16
and bf16, too. Errors are the largest difference from a reference in f64, in training
over the largest gradient. The first call includes compilation, without caches.
Libraries that are not installed are left out. This installs them:
.venv/bin/pip install -r scripts/requirements-benchmarks.txt

With one thread, everything is pinned to one core. --json writes every time to a file,
and --plots draws figures.
"""

import argparse
import dataclasses
import datetime
import os
import pathlib
import signal
import sys
import tempfile
import time

from harness.needs import require

require("rich", "numpy", "ml_dtypes")

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

import peers
from harness import machine, results, suites, table, worker

console = Console(stderr=True, highlight=False, soft_wrap=True)


def parse(available):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="+", metavar="SUITE",
                        help=f"any of: {', '.join(suites.names())}")
    parser.add_argument("--only", metavar="NAME", action="append",
                        help="only this workload of the suites; may be repeated")
    parser.add_argument("--peers", metavar="A,B", help="these implementations; "
                        f"any of: {', '.join(available)}")
    parser.add_argument("--threads", type=int, metavar="N",
                        help="number of threads, instead of the suites'")
    parser.add_argument("--rounds", type=int, default=25, metavar="N",
                        help="how often each is called, in turns (25)")
    parser.add_argument("--seconds", type=float, default=5, metavar="S",
                        help="slow ones get fewer rounds, to take about that long "
                        "for a workload, but at least 3 (5)")
    parser.add_argument("--pause", type=float, default=0.02, metavar="S",
                        help="before each call, while others' threads may spin "
                        "(0.02)")
    parser.add_argument("--cold", action="store_true",
                        help="each call finds caches without its arrays, and "
                        "gets new memory for its results, as in a program that "
                        "does other work in between; one call a round")
    parser.add_argument("--json", metavar="FILE", help="write all measurements to this file")
    parser.add_argument("--table", metavar="FILE", help="write the tables to this file, as Markdown")
    parser.add_argument("--plots", metavar="DIR", help="figures as SVG: share of "
                        "peak, roofline and first calls of the suite table, "
                        "times of the suites lengths, decoding, modules and "
                        "training")
    parser.add_argument("--list", action="store_true",
                        help="only list the workloads")
    args = parser.parse_args()
    try:
        args.workloads = choose_workloads(args)
        args.peers = choose_peers(args.peers, available)
    except ValueError as error:
        parser.error(str(error))
    if args.rounds < 1:
        parser.error(f"--rounds: expected at least 1, got {args.rounds}")
    for path in (args.json, args.table):
        if path and not pathlib.Path(path).absolute().parent.is_dir():
            parser.error(f"{path}: no such folder")
    if args.plots:
        if not pathlib.Path(args.plots).is_dir():
            parser.error(f"{args.plots}: no such folder")
        try:
            from harness.plots import draw
        except ImportError as error:
            parser.error(f"--plots: {error}")
        args.draw = draw
    return args


def check_known(what, names, known):
    for name in names:
        if name not in known:
            raise ValueError(f"no {what} is called {name!r}; there are: "
                             f"{', '.join(known)}")


def choose_workloads(args):
    check_known("suite", args.suites, suites.names())
    chosen = [w for suite in dict.fromkeys(args.suites) for w in suites.read(suite)]
    if args.only:
        check_known("workload", args.only, [w.name for w in chosen])
        chosen = [w for w in chosen if w.name in args.only]
    if args.threads is not None:
        chosen = list(dict.fromkeys(dataclasses.replace(w, threads=args.threads)
                                    for w in chosen))
    cpus = len(os.sched_getaffinity(0))
    for workload in chosen:
        if workload.threads > cpus:
            raise ValueError(f"{workload.name}: {workload.threads} threads, and "
                             f"there are {cpus} CPUs")
    return chosen


def choose_peers(text, available):
    """The implementations that the user names, or none."""
    names = text.split(",") if text else []
    check_known("implementation", names, list(available))
    return names


def installed(available):
    names = []
    for name, (needs, _) in available.items():
        missing = peers.missing(needs)
        if missing:
            console.print(f"left out: {name}: {', '.join(missing)} not installed")
        else:
            names.append(name)
    return names


def measure(args, names):
    """The workloads' entries."""
    with tempfile.TemporaryDirectory() as cache:
        return measure_all(args, names, {
            "rounds": args.rounds, "seconds": args.seconds, "pause": args.pause,
            "cold": args.cold, "cache": cache})


def measure_all(args, names, options):
    items = []
    # Redrawn only between steps: nothing runs beside what is timed.
    progress = Progress(TextColumn("{task.description}"), BarColumn(),
                        MofNCompleteColumn(), console=console, auto_refresh=False,
                        transient=True)
    with progress:
        task = progress.add_task("", total=len(args.workloads))
        for workload in args.workloads:
            wanted = args.peers or workload.peers or names
            title = (f"{workload.suite}: {workload.name}, {workload.threads} "
                     f"thread{'s' * (workload.threads > 1)}")

            def at(step):
                progress.update(task, description=f"{title}: {step}",
                                refresh=True)
            begin = time.perf_counter()
            report = worker.run(workload, [n for n in names if n in wanted],
                                options, at)
            items.append(results.entry(workload, report))
            progress.update(task, advance=1)
            progress.console.print(
                f"{title}: {len(report['implementations'])} measured, "
                f"{len(report['failed'])} failed, "
                f"{time.perf_counter() - begin:.0f} s", highlight=False)
    return items


def write(found, args):
    text = table.render(found)
    print(text)
    if args.json:
        results.write(args.json, results.to_json(found))
    if args.table:
        results.write(args.table, text.lstrip())
    if args.plots:
        args.draw(found, args.plots)


def list_workloads(workloads):
    for w in workloads:
        print(f"{w.suite}: {w.name}, threads {w.threads}: "
              f"{w.flops() / 1e9:.4g} GFLOP")


def main():
    available = peers.load()
    args = parse(available)
    if args.list:
        list_workloads(args.workloads)
        return 0
    names = installed(available)
    if "lattn" not in names:
        console.print("lattn is not installed: scripts/build, or pip install .")
        return 1
    # The worker ends with this process.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        found = {"date": datetime.date.today().isoformat(),
                 "machine": machine.describe(), "versions": machine.versions(),
                 "rounds": args.rounds, "cold": args.cold, "workloads": measure(args, names)}
        write(found, args)
    except KeyboardInterrupt:
        console.print("interrupted: nothing is written")
        return 130
    except (OSError, RuntimeError) as error:
        console.print(f"error: {error}", markup=False)
        return 1
    problems = list(results.problems(found))
    for problem in problems:
        console.print(f"error: {problem}", markup=False)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
